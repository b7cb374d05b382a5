import { Button, Modal, Stack } from "@mantine/core";
import { LoginForm } from "./LoginForm";

interface Props {
  /** Who was signed in. */
  email: string;
  onDone: () => void;
  onLeave: () => void;
}

/** Signs somebody in whose session has ended in the middle of something, without taking that away. */
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
        <LoginForm reason="Your session has ended. What you were doing is still there." email={email} onDone={onDone} />
        <Button variant="subtle" onClick={onLeave}>
          Leave it, and sign in as somebody else
        </Button>
      </Stack>
    </Modal>
  );
}
