import { Button, Stack, TextInput } from "@mantine/core";
import { useForm } from "@mantine/form";
import { NewPasswordInput } from "../../components/NewPasswordInput";
import { useAction } from "../../components/useAction";
import { AcceptInvitationDocument } from "./invitation.generated";

interface Props {
  code: string;
  email: string;
  onDone: (userId: string) => void;
}

/** Creates an account with the invited email address and joins. */
export function NewAccountForm({ code, email, onDone }: Props) {
  const form = useForm({ initialValues: { name: "", password: "" } });
  const [accept, busy] = useAction(AcceptInvitationDocument, { form });
  async function submit({ name, password }: typeof form.values) {
    const accepted = await accept({ input: { code, name: name.trim(), password, cookie: true } });
    if (accepted) onDone(accepted.acceptInvitation.user._id);
  }
  return (
    <form onSubmit={form.onSubmit(submit)}>
      <Stack>
        <TextInput label="Email" type="email" autoComplete="username" readOnly value={email} />
        <TextInput label="Name" autoComplete="name" {...form.getInputProps("name")} />
        <NewPasswordInput label="Password" {...form.getInputProps("password")} />
        <Button type="submit" loading={busy}>
          Create account and join
        </Button>
      </Stack>
    </form>
  );
}
