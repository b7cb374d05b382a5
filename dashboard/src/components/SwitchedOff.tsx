import { Button, Group, Paper, Text } from "@mantine/core";

interface Props {
  /** What being off means, in a sentence. */
  text: string;
  busy: boolean;
  onSwitchOn: () => void;
}

/** Says that a record is switched off, with the way back. */
export function SwitchedOff({ text, busy, onSwitchOn }: Props) {
  return (
    <Paper withBorder p="lg">
      <Group justify="space-between">
        <Text>{text}</Text>
        <Button variant="default" loading={busy} onClick={onSwitchOn}>
          Switch on
        </Button>
      </Group>
    </Paper>
  );
}
