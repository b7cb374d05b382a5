import { Button, Group, Modal, Stack, Text } from "@mantine/core";
import { useDisclosure } from "@mantine/hooks";
import { useSession } from "../../app/session";
import { useAction } from "../../components/useAction";
import { type MemberFieldsFragment, RemoveMemberDocument } from "./settings.generated";

/** Takes a member's role away, after a confirmation. */
export function RemoveMember({ of: member }: { of: MemberFieldsFragment }) {
  const { user } = useSession();
  const [opened, { open, close }] = useDisclosure();
  const [remove, busy] = useAction(RemoveMemberDocument, { done: `${member.user.name} was removed` });
  if (member.user._id === user._id) return null;
  return (
    <>
      <Button size="compact-sm" variant="subtle" color="red" onClick={open} aria-label={`Remove ${member.user.name}`}>
        Remove
      </Button>
      <Modal opened={opened} onClose={close} title={`Remove ${member.user.name}?`} centered>
        <Stack>
          <Text size="sm">Their sessions end at once, and they see nothing of this seller any more.</Text>
          <Group justify="flex-end">
            <Button variant="default" onClick={close}>
              Cancel
            </Button>
            <Button
              color="red"
              loading={busy}
              onClick={async () => (await remove({ input: { memberId: member._id } })) && close()}
            >
              Remove
            </Button>
          </Group>
        </Stack>
      </Modal>
    </>
  );
}
