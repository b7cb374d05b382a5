import { Button, Group, Modal, Stack, Text } from "@mantine/core";

interface Props {
  /** The question: "Remove Ann?" */
  title: string;
  /** The effect, in one sentence. */
  text: string;
  /** The label of the confirming button. */
  button: string;
  danger?: boolean;
  busy: boolean;
  onClose: () => void;
  onConfirm: () => void;
}

/** A confirmation dialog for actions that must not happen by accident. */
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
