import { Code, Stack, Text, Title } from "@mantine/core";
import { useNavigate, useSearchParams } from "react-router";
import { VisitorPage } from "../../components/VisitorPage";
import { safeTarget } from "../../lib/target";
import { LoginForm } from "./LoginForm";

const reasons: Record<string, string> = {
  expired: "Your session has ended because it was inactive for too long or was ended elsewhere.",
  everywhere: "All your sessions have ended.",
  out: "You're signed out.",
};

export default function LoginPage() {
  return (
    <VisitorPage title="Sign in">
      <SignIn />
    </VisitorPage>
  );
}

function SignIn() {
  const [search] = useSearchParams();
  const navigate = useNavigate();
  return (
    <Stack>
      <Title order={1} size="h3">
        Sign in
      </Title>
      <LoginForm
        reason={reasons[search.get("reason") ?? ""]}
        onDone={() => void navigate(safeTarget(search.get("next")), { replace: true })}
      />
      <Text size="sm" c="dimmed" ta="center">
        No account, or lost your password? Ask an administrator of your organization. On a new server, the operator
        creates the first account:
      </Text>
      <Code block ta="left">
        {"ticketgate user create EMAIL \\\n  --new-organization NAME"}
      </Code>
    </Stack>
  );
}
