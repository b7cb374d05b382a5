import { ConfirmButton } from "../../components/ConfirmButton";
import { useAction } from "../../components/useAction";
import { type MemberFieldsFragment, RemoveMemberDocument } from "./settings.generated";

/** Removes a member after a confirmation. */
export function RemoveMember({ of: member }: { of: MemberFieldsFragment }) {
  const [remove, busy] = useAction(RemoveMemberDocument, { done: `${member.user.name} removed` });
  return (
    <ConfirmButton
      size="compact-sm"
      variant="subtle"
      color="red"
      label="Remove"
      aria-label={`Remove ${member.user.name}`}
      title={`Remove ${member.user.name}?`}
      text="They lose access to this seller immediately."
      danger
      busy={busy}
      onConfirm={() => remove({ input: { memberId: member._id } })}
    />
  );
}
