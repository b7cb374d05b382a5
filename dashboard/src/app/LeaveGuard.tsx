import { Button, Group, Modal, Stack, Text } from "@mantine/core";
import { useEffect, useState } from "react";
import { type Location, useBlocker } from "react-router";
import { askWith, lost } from "../session/unsaved";

/** What is left with another of these: the page, or the tab of it. */
const placeOf = ({ pathname, search }: Location) => `${pathname} ${new URLSearchParams(search).get("tab") ?? ""}`;

/** Dialogs are at 200, what they open at 300. */
const aboveDialogs = 350;

/** Asks whoever is about to leave what is not saved. The browser asks itself before it loads or closes the page. */
export function LeaveGuard() {
  const [wanted, setWanted] = useState<() => void>();
  const blocker = useBlocker(
    ({ currentLocation: here, nextLocation: next }) => placeOf(here) !== placeOf(next) && lost() !== undefined,
  );
  useEffect(() => {
    askWith((leave) => setWanted((already) => already ?? leave));
    return () => askWith(undefined);
  }, []);
  useEffect(() => {
    const unload = (event: BeforeUnloadEvent) => {
      if (lost()) event.preventDefault();
    };
    window.addEventListener("beforeunload", unload);
    return () => window.removeEventListener("beforeunload", unload);
  }, []);
  function stay() {
    // Later, as the same Esc may ask a dialog below to close: that has been answered.
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
      title="Leave this?"
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
