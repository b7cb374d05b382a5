import { Button, Group, Paper, Text } from "@mantine/core";

interface Props {
  /** The effect of being disabled, in one sentence. */
  text: string;
  /** The noun for the record, such as "key". */
  noun: string;
  busy: boolean;
  onSwitchOn: () => void;
}

/** A notice that a record is disabled, with a button to enable it. */
export function SwitchedOff({ text, noun, busy, onSwitchOn }: Props) {
  return (
    <Paper withBorder p="lg">
      <Group justify="space-between">
        <Text>{text}</Text>
        <Button variant="default" loading={busy} onClick={onSwitchOn}>
          Enable {noun}
        </Button>
      </Group>
    </Paper>
  );
}
