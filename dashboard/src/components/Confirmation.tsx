import { Button, Group, Modal, Stack, Text } from "@mantine/core";

interface Props {
  /** The question: "Remove Ann?" */
  title: string;
  /** What happens, in a sentence. */
  text: string;
  /** What the button says that does it. */
  button: string;
  danger?: boolean;
  busy: boolean;
  onClose: () => void;
  onConfirm: () => void;
}

/** Asks before something is done that a slip of the hand should not do. */
export function Confirmation({ title, text, button, danger, busy, onClose, onConfirm }: Props) {
  return (
    <Modal opened onClose={onClose} title={title} centered>
      <Stack>
        <Text size="sm">{text}</Text>
        <Group justify="flex-end">
          <Button variant="default" onClick={onClose}>
            Cancel
          </Button>
          <Button color={danger ? "red" : undefined} loading={busy} onClick={onConfirm}>
            {button}
          </Button>
        </Group>
      </Stack>
    </Modal>
  );
}
