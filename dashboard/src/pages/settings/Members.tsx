import { Badge, Button, Flex, Group, Select, Stack, Text, Title } from "@mantine/core";
import { UserPlus, Users } from "lucide-react";
import { useMemo, useState } from "react";
import { Confirmation } from "../../components/Confirmation";
import { Quiet } from "../../components/cells";
import type { Column } from "../../components/DataTable";
import { List } from "../../components/ListPage";
import { defineList } from "../../components/list";
import { RelativeTime } from "../../components/RelativeTime";
import { useAction } from "../../components/useAction";
import { type Role, roleWord, useAdministered, useSession } from "../../session/session";
import { AddMember, roleOptions } from "./AddMember";
import { Invitations } from "./Invitations";
import { LinkDialog, type OnceLink } from "./LinkDialog";
import { RemoveMember } from "./RemoveMember";
import { ResetLink } from "./ResetLink";
import { type MemberFieldsFragment, MembersDocument, UpdateMemberDocument } from "./settings.generated";

/** The columns. `onLink` is set for users who may create reset links. */
function columns(onLink: ((link: OnceLink) => void) | undefined): Column<MemberFieldsFragment>[] {
  return [
    {
      header: "Member",
      cell: (member) => (
        <Stack gap={2} style={{ overflowWrap: "anywhere" }}>
          <Text size="sm" fw={550}>
            {member.user.name}
          </Text>
          {member.user.email !== member.user.name && <Quiet>{member.user.email}</Quiet>}
        </Stack>
      ),
    },
    { header: "Since", cell: (member) => <RelativeTime at={member.createdAt} />, visibleFrom: "sm" },
    { header: "Role", cell: (member) => <MemberActions of={member} onLink={onLink} /> },
  ];
}

interface ActionsProps {
  of: MemberFieldsFragment;
  onLink: ((link: OnceLink) => void) | undefined;
}

/** The role of a member, and the actions. Users can't change or remove themselves. */
function MemberActions({ of: member, onLink }: ActionsProps) {
  const self = member.user._id === useSession().user._id;
  if (self) {
    return (
      <Badge variant="default" tt="none">
        {roleWord(member.role)} (you)
      </Badge>
    );
  }
  return (
    // Stacked on small screens, where one row has no space for all.
    <Flex direction={{ base: "column", sm: "row" }} align={{ base: "flex-start", sm: "center" }} gap="xs" wrap="wrap">
      <MemberRole of={member} />
      {onLink && <ResetLink of={member} onLink={onLink} />}
      <RemoveMember of={member} />
    </Flex>
  );
}

const members = defineList({
  document: MembersDocument,
  rows: (data) => data.members,
  types: ["Member"],
  variables: (page) => page,
});

/** The members of the seller, for administrators. */
export function Members({ organizationId }: { organizationId: string }) {
  const mayReset = useAdministered().some(({ _id }) => _id === organizationId);
  const [adding, setAdding] = useState(false);
  const [link, setLink] = useState<OnceLink>();
  const shownColumns = useMemo(() => columns(mayReset ? setLink : undefined), [mayReset]);
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
      <List
        list={members}
        label="Members"
        columns={shownColumns}
        empty={{
          icon: Users,
          title: "No members",
          text: "Only members of the organization have access to this seller.",
          action: () => add,
        }}
      />
      <Invitations onLink={setLink} />
      <AddMember opened={adding} onClose={() => setAdding(false)} onLink={setLink} />
      <LinkDialog of={link} onClose={() => setLink(undefined)} />
    </Stack>
  );
}

/** Changes a role after a confirmation. */
function MemberRole({ of: member }: { of: MemberFieldsFragment }) {
  const { name } = member.user;
  const [wanted, setWanted] = useState<Role>();
  const [update, busy] = useAction(UpdateMemberDocument, {
    done: `${name}'s role changed`,
  });
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
          text="The new role takes effect immediately."
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
