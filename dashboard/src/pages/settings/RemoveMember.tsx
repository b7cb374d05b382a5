import { Button } from "@mantine/core";
import { useDisclosure } from "@mantine/hooks";
import { Confirmation } from "../../components/Confirmation";
import { useAction } from "../../components/useAction";
import { type MemberFieldsFragment, RemoveMemberDocument } from "./settings.generated";

/** Takes a member's role away, after a confirmation. */
export function RemoveMember({ of: member }: { of: MemberFieldsFragment }) {
  const [opened, { open, close }] = useDisclosure();
  const [remove, busy] = useAction(RemoveMemberDocument, { done: `${member.user.name} was removed` });
  return (
    <>
      <Button size="compact-sm" variant="subtle" color="red" onClick={open} aria-label={`Remove ${member.user.name}`}>
        Remove
      </Button>
      {opened && (
        <Confirmation
          title={`Remove ${member.user.name}?`}
          text="They lose access to this seller at once."
          button="Remove"
          danger
          busy={busy}
          onClose={close}
          onConfirm={async () => (await remove({ input: { memberId: member._id } })) && close()}
        />
      )}
    </>
  );
}
