import { Alert, Button, Checkbox, Code, Group, Modal, Stack, Text } from "@mantine/core";
import { TriangleAlert } from "lucide-react";
import { type ReactNode, useState } from "react";
import { useUnsaved } from "../session/unsaved";
import { CopyButton } from "./CopyButton";
import classes from "./components.module.css";

interface Props {
  title: string;
  /** The secret; the dialog is open as long as there is one. */
  secret: string | undefined;
  /** Forget the secret: it is not shown again. */
  onClose: () => void;
  /** What to do with the secret. */
  text?: string;
  /** What can be done with it, such as a first call. */
  children?: ReactNode;
}

/** Shows a secret once. It does not go away by mistake: first comes the promise that it is kept somewhere. */
export function SecretDialog({
  title,
  secret,
  onClose,
  text = "This secret is shown once. Copy it now and keep it where only your program can read it.",
  children,
}: Props) {
  const [kept, setKept] = useState(false);
  const [reminded, setReminded] = useState(false);
  useUnsaved(() => (secret && !kept ? "The secret that is shown here is not shown again." : undefined));
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
          <CopyButton value={secret ?? ""} label="Copy the secret" />
        </Group>
        {children}
        <Checkbox
          label="I have kept the secret"
          checked={kept}
          onChange={(event) => setKept(event.currentTarget.checked)}
        />
        {reminded && !kept && (
          <Alert color="orange" icon={<TriangleAlert aria-hidden />} role="alert" title="It will not be shown again">
            Tick the box above once you have copied it. A secret that is lost has to be replaced.
          </Alert>
        )}
        <Group justify="flex-end">
          <Button onClick={close}>Done</Button>
        </Group>
      </Stack>
    </Modal>
  );
}
