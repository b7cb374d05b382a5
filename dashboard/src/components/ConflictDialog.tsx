import { Button, Group, Modal, Stack, Table, Text } from "@mantine/core";
import type { Difference } from "../lib/conflict";
import { RelativeTime } from "./RelativeTime";

interface Props {
  changedAt: string;
  differences: Difference[];
  busy: boolean;
  /** Returns to the form. */
  onClose: () => void;
  onKeep: () => void;
  onDiscard: () => void;
}

/** Shows how another change affects the record being edited, and asks which values to keep. */
export function ConflictDialog({ changedAt, differences, busy, onClose, onKeep, onDiscard }: Props) {
  return (
    <Modal opened onClose={onClose} title="This record has changed" size="lg" centered>
      <Stack>
        <Text size="sm">
          The record was saved <RelativeTime at={changedAt} />, after you opened it. Your changes aren't saved yet.
          Fields you haven't edited keep the current value.
        </Text>
        <Table layout="fixed" aria-label="Changed fields" style={{ overflowWrap: "anywhere" }}>
          <Table.Thead>
            <Table.Tr>
              <Table.Th>Field</Table.Th>
              <Table.Th>Your value</Table.Th>
              <Table.Th>Current value</Table.Th>
            </Table.Tr>
          </Table.Thead>
          <Table.Tbody>
            {differences.map(({ label, mine, current }) => (
              <Table.Tr key={label}>
                <Table.Th scope="row">{label}</Table.Th>
                <Table.Td>
                  {mine ?? (
                    <Text span size="sm" c="dimmed">
                      Not edited
                    </Text>
                  )}
                </Table.Td>
                <Table.Td>{current}</Table.Td>
              </Table.Tr>
            ))}
          </Table.Tbody>
        </Table>
        <Group justify="flex-end">
          <Button variant="default" disabled={busy} onClick={onDiscard}>
            Discard my changes
          </Button>
          <Button loading={busy} onClick={onKeep}>
            Keep my changes
          </Button>
        </Group>
      </Stack>
    </Modal>
  );
}
