import { Group, Text } from "@mantine/core";
import { ConfirmButton } from "../../components/ConfirmButton";
import { Panel } from "../../components/Panel";
import { useAction } from "../../components/useAction";
import { roleWord, type Session, useSession } from "../../session/session";
import { LeaveMembershipDocument } from "./account.generated";

type Membership = Session["memberships"][number];

const nameOf = ({ seller, organization }: Membership) => seller?.name ?? organization?.name ?? "";

/** The user's memberships, with a button to leave each. */
export function Memberships() {
  const { memberships } = useSession();
  return (
    <Panel title="Memberships">
      {memberships.length === 0 && <Text size="sm">You aren't a member of any seller or organization.</Text>}
      {memberships.map((membership) => (
        <Group key={membership._id} justify="space-between">
          <Text size="sm" style={{ overflowWrap: "anywhere" }}>
            {nameOf(membership)} · {roleWord(membership.role)}
          </Text>
          <Leave membership={membership} />
        </Group>
      ))}
    </Panel>
  );
}

function Leave({ membership }: { membership: Membership }) {
  const { memberships, refresh, signedOut } = useSession();
  const [leave, busy] = useAction(LeaveMembershipDocument, { done: `You left ${nameOf(membership)}` });
  async function confirmed() {
    if (!(await leave({ input: { membershipId: membership._id } }))) return false;
    // Without a membership the session has ended.
    if (memberships.length > 1) refresh();
    else await signedOut("out");
    return true;
  }
  return (
    <ConfirmButton
      size="compact-sm"
      variant="subtle"
      color="red"
      label="Leave"
      aria-label={`Leave ${nameOf(membership)}`}
      title={`Leave ${nameOf(membership)}?`}
      text="You lose access immediately. An administrator can invite you again."
      danger
      busy={busy}
      onConfirm={confirmed}
    />
  );
}
