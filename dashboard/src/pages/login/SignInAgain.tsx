import { Button, Modal, Stack } from "@mantine/core";
import { LoginForm } from "./LoginForm";

interface Props {
  /** The email address of the user whose session has ended. */
  email: string;
  onDone: () => void;
  onLeave: () => void;
}

/** Lets a user sign in again after the session has ended, without losing unsaved changes. */
export default function SignInAgain({ email, onDone, onLeave }: Props) {
  return (
    <Modal
      opened
      onClose={onLeave}
      withCloseButton={false}
      closeOnClickOutside={false}
      closeOnEscape={false}
      title="Sign in"
      centered
    >
      <Stack>
        <LoginForm reason="Your session has ended. Your changes on this page are kept." email={email} onDone={onDone} />
        <Button variant="subtle" onClick={onLeave}>
          Discard changes and sign in as another user
        </Button>
      </Stack>
    </Modal>
  );
}
