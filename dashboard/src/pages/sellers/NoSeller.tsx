import { Button, Stack } from "@mantine/core";
import { Store } from "lucide-react";
import { Link } from "react-router";
import { CodeView } from "../../components/CodeView";
import { EmptyState } from "../../components/EmptyState";
import { shellWord } from "../../lib/shell";
import { useAdministered, useSession } from "../../session/session";

/** What stands on every page of a seller while there is none: how to come to one. */
export function NoSeller() {
  const [organization] = useAdministered();
  if (!organization) return <Waiting />;
  return (
    <EmptyState
      icon={Store}
      title="No seller yet"
      text={`Events, keys and webhooks belong to a seller, and ${organization.name} has none. Begin by creating one.`}
    >
      <Button component={Link} to="/sellers/new">
        Create a seller
      </Button>
    </EmptyState>
  );
}

/** For those who can't make one: whom to ask, and what that person does. */
function Waiting() {
  const { user } = useSession();
  return (
    <EmptyState
      icon={Store}
      title="No seller yet"
      text={`You are not a member of any seller. Ask an administrator of one to add ${user.email} in its settings. Where there is none yet, whoever runs this server makes you the administrator of an organization:`}
    >
      <Stack w="100%" maw={560}>
        <CodeView
          label="In a terminal of the server"
          value={`ticketgate user create ${shellWord(user.email)} --new-organization NAME`}
        />
      </Stack>
    </EmptyState>
  );
}
