import { Alert, Button, Center, Code, Paper, PasswordInput, Stack, Text, TextInput, Title } from "@mantine/core";
import { useForm } from "@mantine/form";
import { Clock, Info } from "lucide-react";
import { useEffect, useMemo, useState } from "react";
import { Navigate, useNavigate, useSearchParams } from "react-router";
import { Provider, useMutation } from "urql";
import { newClient } from "../../app/client";
import { Logo } from "../../app/Logo";
import { type Failure, failureOf } from "../../components/failure";
import { LoginDocument } from "./login.generated";

const reasons: Record<string, string> = {
  expired: "You were signed out because your session has ended: it was unused for too long, or ended elsewhere.",
  everywhere: "You were signed out because all of your sessions were ended.",
  password: "You were signed out because your password was changed.",
  out: "You have signed out.",
};

/** Where to go after signing in: a page of this dashboard, never another host's. */
export function safeTarget(next: string | null): string {
  return next?.startsWith("/") && !/^\/[/\\]/.test(next) && !next.startsWith("/login") ? next : "/";
}

export default function LoginPage() {
  const client = useMemo(() => newClient(undefined), []);
  useEffect(() => {
    document.title = "Sign in · Ticketgate";
  }, []);
  return (
    <Provider value={client}>
      <Center component="main" mih="100dvh" p="md">
        <Stack w="100%" maw={400} gap="lg">
          <Center>
            <Logo size="lg" />
          </Center>
          <LoginForm />
        </Stack>
      </Center>
    </Provider>
  );
}

function LoginForm() {
  const [search] = useSearchParams();
  const navigate = useNavigate();
  const [{ fetching, data }, login] = useMutation(LoginDocument);
  const [failure, setFailure] = useState<Failure>();
  const form = useForm({ initialValues: { email: "", password: "" } });
  const locked = useCountdown(failure?.retryAfter, failure);
  const target = safeTarget(search.get("next"));
  const reason = reasons[search.get("reason") ?? ""];

  async function submit(values: typeof form.values) {
    const { error } = await login({ input: { ...values, cookie: true } });
    setFailure(error && failureOf(error));
    if (!error) await navigate(target, { replace: true });
  }
  if (data) return <Navigate to={target} replace />;
  return (
    <Paper withBorder p="xl" shadow="sm" radius="lg">
      <form onSubmit={form.onSubmit(submit)}>
        <Stack>
          <Title order={1} size="h3">
            Sign in
          </Title>
          {reason && !failure && (
            <Alert icon={<Info aria-hidden />} role="status">
              {reason}
            </Alert>
          )}
          {failure && (
            <Alert color="red" icon={locked > 0 ? <Clock aria-hidden /> : <Info aria-hidden />} role="alert">
              {locked > 0 ? `Too many failed logins. You can try again in ${duration(locked)}.` : words(failure)}
            </Alert>
          )}
          <TextInput
            label="E-mail"
            type="email"
            autoComplete="username"
            required
            autoFocus
            {...form.getInputProps("email")}
          />
          <PasswordInput
            label="Password"
            autoComplete="current-password"
            required
            visibilityToggleButtonProps={{ "aria-label": "Show the password" }}
            {...form.getInputProps("password")}
          />
          <Button type="submit" fullWidth mt="xs" loading={fetching} disabled={locked > 0}>
            Sign in
          </Button>
          <Text size="sm" c="dimmed" ta="center">
            No account, or the password is lost? Ask an administrator of your organization. On a new server, whoever
            runs it makes the first one:
          </Text>
          <Code block ta="left">
            {"ticketgate user create E-MAIL \\\n  --new-organization NAME"}
          </Code>
        </Stack>
      </form>
    </Paper>
  );
}

function words(failure: Failure): string {
  return failure.retryAfter ? "You can try again now." : failure.message;
}

/** Counts the seconds down to zero; begins anew with each failure. */
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

/** Minutes and seconds as people say them. */
export function duration(seconds: number): string {
  const minutes = Math.floor(seconds / 60);
  const rest = seconds % 60;
  return [minutes && `${minutes} min`, (rest || !minutes) && `${rest} s`].filter(Boolean).join(" ");
}
