import { Button, Stack } from "@mantine/core";
import { Store } from "lucide-react";
import { Link } from "react-router";
import { CodeView } from "../../components/CodeView";
import { EmptyState } from "../../components/EmptyState";
import { shellWord } from "../../lib/shell";
import { useAdministered, useSession } from "../../session/session";

/** Shown on every seller page while the user has no seller: how to get one. */
export function NoSeller() {
  const [organization] = useAdministered();
  if (!organization) return <Waiting />;
  return (
    <EmptyState
      icon={Store}
      title="No seller yet"
      text={`Events, keys and webhooks belong to a seller, and ${organization.name} has none yet. Create the first one.`}
    >
      <Button component={Link} to="/sellers/new">
        Create seller
      </Button>
    </EmptyState>
  );
}

/** Instructions for users who can't create a seller. */
function Waiting() {
  const { user } = useSession();
  return (
    <EmptyState
      icon={Store}
      title="No seller yet"
      text={`You aren't a member of any seller. Ask an administrator to invite ${user.email} in the seller's settings. If there is no seller yet, the operator of this server can make you an administrator of an organization:`}
    >
      <Stack w="100%" maw={560}>
        <CodeView
          label="Run on the server"
          value={`ticketgate user create ${shellWord(user.email)} --new-organization NAME`}
        />
      </Stack>
    </EmptyState>
  );
}
