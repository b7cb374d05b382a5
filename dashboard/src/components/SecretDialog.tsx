import { Alert, Button, Checkbox, Code, Group, Modal, Stack, Text } from "@mantine/core";
import { TriangleAlert } from "lucide-react";
import { type ReactNode, useState } from "react";
import { useUnsaved } from "../session/unsaved";
import { CopyButton } from "./CopyButton";
import classes from "./components.module.css";

interface Props {
  title: string;
  /** The secret. The dialog is open while it is set. */
  secret: string | undefined;
  /** Discards the secret, which can't be shown again. */
  onClose: () => void;
  /** Instructions for the secret. */
  text?: string;
  /** The noun for the secret; "secret" if omitted. */
  noun?: string;
  /** What to do next, such as a first request. */
  children?: ReactNode;
}

/** Shows a secret once. The user must confirm that it is saved before the dialog closes. */
export function SecretDialog({
  title,
  secret,
  onClose,
  text = "This secret is shown only once. Copy it now and store it where only your program can read it.",
  noun = "secret",
  children,
}: Props) {
  const [kept, setKept] = useState(false);
  const [reminded, setReminded] = useState(false);
  useUnsaved(() => (secret && !kept ? `You won't be able to see this ${noun} again.` : undefined));
  function close() {
    if (!kept) {
      setReminded(true);
      return;
    }
    setKept(false);
    setReminded(false);
    onClose();
  }
  return (
    <Modal opened={secret !== undefined} onClose={close} title={title} size="lg" centered closeOnClickOutside={false}>
      <Stack>
        <Text size="sm">{text}</Text>
        <Group wrap="nowrap" align="flex-start" gap="xs">
          <Code block className={classes.secret}>
            {secret}
          </Code>
          <CopyButton value={secret ?? ""} label={`Copy ${noun}`} />
        </Group>
        {children}
        <Checkbox
          label={`I've saved this ${noun}`}
          checked={kept}
          onChange={(event) => setKept(event.currentTarget.checked)}
        />
        {reminded && !kept && (
          <Alert
            color="orange"
            icon={<TriangleAlert aria-hidden />}
            role="alert"
            title={`You won't see this ${noun} again`}
          >
            Select the checkbox after you have saved the {noun}. A lost {noun} can't be recovered, only replaced.
          </Alert>
        )}
        <Group justify="flex-end">
          <Button onClick={close}>Done</Button>
        </Group>
      </Stack>
    </Modal>
  );
}
