import { Button, Group, Modal, Paper, Stack, Text, TextInput, Title } from "@mantine/core";
import { useDisclosure } from "@mantine/hooks";
import { type FormEvent, type ReactNode, useState } from "react";
import classes from "./components.module.css";

/** The destructive actions, at the end of a page. */
export function DangerZone({ children }: { children: ReactNode }) {
  return (
    <Paper withBorder p="md" className={classes.danger} component="section" aria-labelledby="danger-zone">
      <Title order={2} size="h5" id="danger-zone" mb="sm">
        Danger zone
      </Title>
      <Stack gap="md">{children}</Stack>
    </Paper>
  );
}

interface ActionProps {
  title: string;
  /** The effect, in one sentence. */
  text: string;
  /** The label of the button, such as "Delete webhook". */
  button: string;
  /** The text that the user must type to confirm; if omitted, a second click is enough. */
  typed?: string;
  onConfirm: () => Promise<unknown>;
}

/** A destructive action with a confirmation. */
export function DangerAction({ title, text, button, typed, onConfirm }: ActionProps) {
  const [opened, { open, close }] = useDisclosure();
  const [answer, setAnswer] = useState("");
  const [busy, setBusy] = useState(false);
  async function confirm(event: FormEvent) {
    event.preventDefault();
    setBusy(true);
    await onConfirm();
    setBusy(false);
    setAnswer("");
    close();
  }
  return (
    <Group justify="space-between" gap="sm">
      <div className={classes.grow}>
        <Text fw={500}>{title}</Text>
        <Text size="sm" c="dimmed">
          {text}
        </Text>
      </div>
      <Button variant="outline" color="red" onClick={open}>
        {button}
      </Button>
      <Modal opened={opened} onClose={close} title={title} centered>
        <form onSubmit={confirm}>
          <Stack>
            <Text size="sm">{text}</Text>
            {typed !== undefined && (
              <TextInput
                data-autofocus
                label={`Type “${typed}” to confirm`}
                value={answer}
                onChange={(event) => setAnswer(event.currentTarget.value)}
              />
            )}
            <Group justify="flex-end">
              <Button variant="default" onClick={close}>
                Cancel
              </Button>
              <Button type="submit" color="red" loading={busy} disabled={typed !== undefined && answer !== typed}>
                {button}
              </Button>
            </Group>
          </Stack>
        </form>
      </Modal>
    </Group>
  );
}
