import { Button, Group, Modal, Select, Stack, Text } from "@mantine/core";
import { useDisclosure } from "@mantine/hooks";
import { RotateCw } from "lucide-react";
import { useState } from "react";
import { useAction } from "../../components/useAction";
import { RotateKeyDocument } from "./keys.generated";

const overlaps = [
  { value: "0", label: "Immediately" },
  { value: "3600", label: "In 1 hour" },
  { value: "86400", label: "In 1 day" },
  { value: "604800", label: "In 7 days" },
  { value: "2592000", label: "In 30 days" },
];

/** Gives a key a new secret. The old one keeps working for a chosen time. */
export function RotateButton({ id, onSecret }: { id: string; onSecret: (secret: string) => void }) {
  const [opened, { open, close }] = useDisclosure();
  const [overlap, setOverlap] = useState("86400");
  const [rotate, busy] = useAction(RotateKeyDocument);
  async function confirm() {
    const rotated = await rotate({ input: { id, overlapSeconds: Number(overlap) } });
    if (!rotated) return;
    close();
    onSecret(rotated.rotateApiKey.key ?? "");
  }
  return (
    <>
      <Button variant="default" leftSection={<RotateCw size={16} aria-hidden />} onClick={open}>
        Rotate key
      </Button>
      <Modal opened={opened} onClose={close} title="Rotate key" centered>
        <Stack>
          <Text size="sm">
            The key gets a new secret, which is shown only once. Select how long the old secret keeps working.
          </Text>
          <Select
            label="Old secret expires"
            data={overlaps}
            value={overlap}
            onChange={(next) => next && setOverlap(next)}
            allowDeselect={false}
          />
          <Group justify="flex-end">
            <Button variant="default" onClick={close}>
              Cancel
            </Button>
            <Button onClick={confirm} loading={busy}>
              Rotate key
            </Button>
          </Group>
        </Stack>
      </Modal>
    </>
  );
}
