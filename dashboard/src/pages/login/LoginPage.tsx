import { Center, Code, Paper, Stack, Text, Title } from "@mantine/core";
import { useEffect, useMemo } from "react";
import { useNavigate, useSearchParams } from "react-router";
import { Provider } from "urql";
import { Logo } from "../../components/Logo";
import { safeTarget } from "../../lib/target";
import { newClient } from "../../session/client";
import { LoginForm } from "./LoginForm";

const reasons: Record<string, string> = {
  expired: "You were signed out because your session has ended: it was unused for too long, or ended elsewhere.",
  everywhere: "You were signed out because all of your sessions were ended.",
  out: "You have signed out.",
};

export default function LoginPage() {
  const client = useMemo(() => newClient(), []);
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
          <SignIn />
        </Stack>
      </Center>
    </Provider>
  );
}

function SignIn() {
  const [search] = useSearchParams();
  const navigate = useNavigate();
  return (
    <Paper withBorder p="xl" shadow="sm" radius="lg">
      <Stack>
        <Title order={1} size="h3">
          Sign in
        </Title>
        <LoginForm
          reason={reasons[search.get("reason") ?? ""]}
          onDone={() => void navigate(safeTarget(search.get("next")), { replace: true })}
        />
        <Text size="sm" c="dimmed" ta="center">
          No account, or the password is lost? Ask an administrator of your organization. On a new server, whoever runs
          it makes the first one:
        </Text>
        <Code block ta="left">
          {"ticketgate user create E-MAIL \\\n  --new-organization NAME"}
        </Code>
      </Stack>
    </Paper>
  );
}
