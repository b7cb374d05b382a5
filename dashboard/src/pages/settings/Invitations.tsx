import { Button, Group, Stack, Text, Title } from "@mantine/core";
import { MailPlus } from "lucide-react";
import { useMemo } from "react";
import { useQuery } from "urql";
import { ConfirmButton } from "../../components/ConfirmButton";
import { type Column, DataTable } from "../../components/DataTable";
import { RelativeTime } from "../../components/RelativeTime";
import { useAction } from "../../components/useAction";
import { roleWord } from "../../session/session";
import type { OnceLink } from "./LinkDialog";
import {
  type InvitationFieldsFragment,
  InvitationsDocument,
  ResendInvitationDocument,
  WithdrawInvitationDocument,
} from "./settings.generated";

interface Props {
  /** Receives the new invitation link, unless it was sent by email. */
  onLink: (link: OnceLink) => void;
}

const context = { additionalTypenames: ["Invitation", "IssuedInvitation", "AddedMember"] };

/** The invitations that are still open. */
export function Invitations({ onLink }: Props) {
  const [{ data, error }, again] = useQuery({ query: InvitationsDocument, context });
  const columns = useMemo<Column<InvitationFieldsFragment>[]>(
    () => [
      {
        header: "Email",
        cell: (invitation) => (
          <Text size="sm" style={{ overflowWrap: "anywhere" }}>
            {invitation.email}
          </Text>
        ),
      },
      { header: "Role", cell: (invitation) => roleWord(invitation.role), visibleFrom: "sm" },
      { header: "Expires", cell: (invitation) => <RelativeTime at={invitation.expiresAt} />, visibleFrom: "sm" },
      {
        header: "Actions",
        cell: (invitation) => (
          <Group gap="xs">
            <Resend of={invitation} onLink={onLink} />
            <Withdraw of={invitation} />
          </Group>
        ),
      },
    ],
    [onLink],
  );
  if (data && data.invitations.nodes.length === 0) return null;
  return (
    <Stack gap="sm">
      <Title order={3} size="h5">
        Pending invitations
      </Title>
      <DataTable
        label="Pending invitations"
        columns={columns}
        rows={data?.invitations.nodes}
        rowKey={(invitation) => invitation._id}
        error={error}
        onRetry={again}
        empty={{
          icon: MailPlus,
          title: "No pending invitations",
          text: "Invitations appear here until they are accepted.",
        }}
      />
    </Stack>
  );
}

function Resend({ of: invitation, onLink }: { of: InvitationFieldsFragment } & Props) {
  const [resend, busy] = useAction(ResendInvitationDocument, {
    done: "New link created. Earlier links no longer work.",
  });
  return (
    <Button
      size="compact-sm"
      variant="default"
      loading={busy}
      aria-label={`Resend invitation to ${invitation.email}`}
      onClick={async () => {
        const link = (await resend({ input: { invitationId: invitation._id } }))?.resendInvitation.link;
        if (link) onLink({ to: invitation.email, link });
      }}
    >
      Resend
    </Button>
  );
}

function Withdraw({ of: invitation }: { of: InvitationFieldsFragment }) {
  const [withdraw, busy] = useAction(WithdrawInvitationDocument, { done: "Invitation withdrawn" });
  return (
    <ConfirmButton
      size="compact-sm"
      variant="subtle"
      color="red"
      label="Withdraw"
      aria-label={`Withdraw invitation to ${invitation.email}`}
      title="Withdraw invitation?"
      text={`The link sent to ${invitation.email} will stop working.`}
      danger
      busy={busy}
      onConfirm={() => withdraw({ input: { invitationId: invitation._id } })}
    />
  );
}
