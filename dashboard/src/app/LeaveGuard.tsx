import { Button, Group, Modal, Stack, Text } from "@mantine/core";
import { useEffect, useState } from "react";
import { type Location, useBlocker } from "react-router";
import { confirmWith, lost } from "../session/unsaved";

/** Identifies the page and tab of a location. Leaving either one discards unsaved changes. */
const placeOf = ({ pathname, search }: Location) => `${pathname} ${new URLSearchParams(search).get("tab") ?? ""}`;

/** Dialogs have z-index 200, their dropdowns 300. */
const aboveDialogs = 350;

/** Asks before unsaved changes are lost. The browser asks before the page is reloaded or closed. */
export function LeaveGuard() {
  const [wanted, setWanted] = useState<() => void>();
  const blocker = useBlocker(
    ({ currentLocation: here, nextLocation: next }) => placeOf(here) !== placeOf(next) && lost() !== undefined,
  );
  useEffect(() => {
    confirmWith((leave) => setWanted((already) => already ?? leave));
    return () => confirmWith(undefined);
  }, []);
  useEffect(() => {
    const unload = (event: BeforeUnloadEvent) => {
      if (lost()) event.preventDefault();
    };
    window.addEventListener("beforeunload", unload);
    return () => window.removeEventListener("beforeunload", unload);
  }, []);
  function stay() {
    // Deferred, because the same Esc may also close the dialog below, which must still see this question as open.
    setTimeout(() => setWanted(undefined));
    blocker.reset?.();
  }
  function leave() {
    setWanted(undefined);
    wanted?.();
    blocker.proceed?.();
  }
  return (
    <Modal
      opened={wanted !== undefined || blocker.state === "blocked"}
      onClose={stay}
      title="Leave without saving?"
      centered
      zIndex={aboveDialogs}
    >
      <Stack>
        <Text size="sm">{lost()}</Text>
        <Group justify="flex-end">
          <Button variant="default" onClick={leave}>
            Leave
          </Button>
          <Button onClick={stay} data-autofocus>
            Stay
          </Button>
        </Group>
      </Stack>
    </Modal>
  );
}
