import { Badge, Button, Flex, Group, Select, Stack, Text, Title } from "@mantine/core";
import { UserPlus, Users } from "lucide-react";
import { useState } from "react";
import { useQuery } from "urql";
import { type Role, roleWord, useSession } from "../../app/session";
import { Confirmation } from "../../components/Confirmation";
import { Quiet } from "../../components/cells";
import { type Column, DataTable, nextPage } from "../../components/DataTable";
import { RelativeTime } from "../../components/RelativeTime";
import { useAction } from "../../components/useAction";
import { useFilters } from "../../components/useFilters";
import { AddMember, roleOptions } from "./AddMember";
import { InvitationLink } from "./InvitationLink";
import { Invitations } from "./Invitations";
import { RemoveMember } from "./RemoveMember";
import { type MemberFieldsFragment, MembersDocument, UpdateMemberDocument } from "./settings.generated";

const columns: Column<MemberFieldsFragment>[] = [
  {
    header: "Who",
    cell: (member) => (
      <Stack gap={2} style={{ overflowWrap: "anywhere" }}>
        <Text size="sm" fw={550}>
          {member.user.name}
        </Text>
        <Quiet>{member.user.email}</Quiet>
      </Stack>
    ),
  },
  { header: "Since", cell: (member) => <RelativeTime at={member.createdAt} />, visibleFrom: "sm" },
  {
    header: "Role",
    cell: (member) => (
      // On a phone below each other, as nothing else would leave room to both.
      <Flex direction={{ base: "column", sm: "row" }} align={{ base: "flex-start", sm: "center" }} gap="xs">
        <MemberRole of={member} />
        <RemoveMember of={member} />
      </Flex>
    ),
  },
];

const context = { additionalTypenames: ["Member"] };

/** Who may do what at this seller; for administrators. */
export function Members() {
  const filters = useFilters();
  const [{ data, error }, again] = useQuery({
    query: MembersDocument,
    variables: { first: 50, after: filters.after },
    context,
  });
  const [adding, setAdding] = useState(false);
  const [link, setLink] = useState<string>();
  const add = (
    <Button variant="default" leftSection={<UserPlus size={16} aria-hidden />} onClick={() => setAdding(true)}>
      Invite member
    </Button>
  );
  return (
    <Stack component="section" gap="sm" aria-labelledby="members">
      <Group justify="space-between">
        <Title order={2} size="h4" id="members">
          Members
        </Title>
        {add}
      </Group>
      <DataTable
        label="Members"
        columns={columns}
        rows={data?.members.nodes}
        rowKey={(member) => member._id}
        error={error}
        onRetry={again}
        paging={{ ...filters, next: nextPage(data?.members.pageInfo) }}
        empty={{
          icon: Users,
          title: "No members of its own",
          text: "Only members of the organization work for this seller.",
          action: add,
        }}
      />
      <Invitations onLink={setLink} />
      <AddMember opened={adding} onClose={() => setAdding(false)} onLink={setLink} />
      <InvitationLink link={link} onClose={() => setLink(undefined)} />
    </Stack>
  );
}

/** Another role is given after a confirmation. One's own is not changed here: nobody locks themselves out by mistake. */
function MemberRole({ of: member }: { of: MemberFieldsFragment }) {
  const { user } = useSession();
  const { name } = member.user;
  const [wanted, setWanted] = useState<Role>();
  const [update, busy] = useAction(UpdateMemberDocument, {
    done: `${name} has a new role`,
  });
  if (member.user._id === user._id) {
    return (
      <Badge variant="default" tt="none">
        {roleWord(member.role)} (you)
      </Badge>
    );
  }
  return (
    <>
      <Select
        size="xs"
        w={130}
        aria-label={`Role of ${name}`}
        data={roleOptions}
        value={member.role}
        allowDeselect={false}
        disabled={busy}
        onChange={(role) => role && role !== member.role && setWanted(role as Role)}
      />
      {wanted && (
        <Confirmation
          title={`Make ${name} ${roleWithArticle(wanted)}?`}
          text="The role takes effect with their next request."
          button="Change role"
          busy={busy}
          onClose={() => setWanted(undefined)}
          onConfirm={async () =>
            (await update({ input: { memberId: member._id, role: wanted } })) && setWanted(undefined)
          }
        />
      )}
    </>
  );
}

function roleWithArticle(role: Role): string {
  return `${role === "ADMIN" ? "an" : "a"} ${roleWord(role)}`;
}
