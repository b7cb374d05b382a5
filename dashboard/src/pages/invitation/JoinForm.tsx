import { Alert, Button, Stack } from "@mantine/core";
import { useForm } from "@mantine/form";
import { Info } from "lucide-react";
import { useState } from "react";
import { NewPasswordInput } from "../../components/NewPasswordInput";
import { showFailure, useAction } from "../../components/useAction";
import { sentence } from "../../lib/failure";
import { AcceptInvitationDocument } from "./invitation.generated";

interface Props {
  code: string;
  email: string;
  onDone: (userId: string) => void;
}

/** Joins with the signed-in account. The server may require a new password first. */
export function JoinForm({ code, email, onDone }: Props) {
  const form = useForm({ initialValues: { password: "" } });
  const [asked, setAsked] = useState(false);
  const [accept, busy] = useAction(AcceptInvitationDocument, {
    onFailure(failure) {
      const wrong = failure.fields.find((field) => field.path === "password");
      if (!wrong) showFailure(failure);
      else if (asked) form.setFieldError("password", sentence(wrong.message));
      else setAsked(true);
    },
  });
  async function submit({ password }: typeof form.values) {
    const accepted = await accept({ input: { code, cookie: true, ...(password ? { password } : {}) } });
    if (accepted) onDone(accepted.acceptInvitation.user._id);
  }
  return (
    <form onSubmit={form.onSubmit(submit)}>
      <Stack>
        {asked && (
          <>
            <Alert icon={<Info aria-hidden />} role="status">
              Choose a new password. Your current password may be known to an administrator who invited you earlier.
            </Alert>
            <NewPasswordInput label="New password" {...form.getInputProps("password")} />
          </>
        )}
        <Button type="submit" loading={busy} style={{ overflowWrap: "anywhere" }}>
          Join as {email}
        </Button>
      </Stack>
    </form>
  );
}
