import { Alert, Button, PasswordInput, Stack, TextInput } from "@mantine/core";
import { useForm } from "@mantine/form";
import { Clock, Info } from "lucide-react";
import { useEffect, useState } from "react";
import { useMutation } from "urql";
import { RequestId } from "../../components/RequestId";
import { type Failure, failureOf } from "../../lib/failure";
import { setUser } from "../../session/seller";
import { notifyTabs } from "../../session/tabs";
import { lockedFor, unexpected, words } from "./login";
import { LoginDocument } from "./login.generated";

interface Props {
  /** Why the user has to sign in, in one sentence. */
  reason: string | undefined;
  /** The email address, if only this user may sign in. */
  email?: string;
  onDone: () => void;
}

/** Signs a user in. The session is kept in a cookie. */
export function LoginForm({ reason, email = "", onDone }: Props) {
  const [{ fetching, data }, login] = useMutation(LoginDocument);
  const [failure, setFailure] = useState<Failure>();
  const form = useForm({ initialValues: { email, password: "" } });
  const locked = useCountdown(lockedFor(failure), failure);

  async function submit(values: typeof form.values) {
    const { data, error } = await login({ input: { ...values, cookie: true } });
    setFailure(error && failureOf(error));
    if (!data) return;
    setUser(data.login.user._id);
    notifyTabs();
    onDone();
  }
  return (
    <form onSubmit={form.onSubmit(submit)}>
      <Stack>
        {reason && !failure && (
          <Alert icon={<Info aria-hidden />} role="status">
            {reason}
          </Alert>
        )}
        {failure && (
          <Alert color="red" icon={locked > 0 ? <Clock aria-hidden /> : <Info aria-hidden />} role="alert">
            <Stack gap="xs" align="flex-start">
              {words(failure, locked)}
              {unexpected(failure) && <RequestId of={failure} />}
            </Stack>
          </Alert>
        )}
        <TextInput
          label="Email"
          type="email"
          autoComplete="username"
          required
          autoFocus={!email}
          readOnly={Boolean(email)}
          {...form.getInputProps("email")}
        />
        <PasswordInput
          label="Password"
          autoComplete="current-password"
          required
          data-autofocus
          visibilityToggleButtonProps={{ "aria-label": "Show password" }}
          {...form.getInputProps("password")}
        />
        <Button type="submit" fullWidth mt="xs" loading={fetching || Boolean(data)} disabled={locked > 0}>
          Sign in
        </Button>
      </Stack>
    </form>
  );
}

/** Counts seconds down to zero. Restarts after each failure. */
function useCountdown(seconds: number | undefined, begin: unknown): number {
  const [left, setLeft] = useState(0);
  useEffect(() => {
    setLeft(begin && seconds ? seconds : 0);
    if (!begin || !seconds) return;
    const end = Date.now() + seconds * 1000;
    const timer = setInterval(() => setLeft(Math.max(0, Math.ceil((end - Date.now()) / 1000))), 500);
    return () => clearInterval(timer);
  }, [seconds, begin]);
  return left;
}
