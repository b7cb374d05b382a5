import { ConfirmButton } from "../../components/ConfirmButton";
import { showDone, useAction } from "../../components/useAction";
import type { OnceLink } from "./LinkDialog";
import { IssuePasswordResetDocument, type MemberFieldsFragment } from "./settings.generated";

interface Props {
  of: MemberFieldsFragment;
  /** Receives the link, unless it was sent by email. */
  onLink: (link: OnceLink) => void;
}

/** Creates a password reset link for a member after a confirmation. For administrators of the organization. */
export function ResetLink({ of: member, onLink }: Props) {
  const { name, email } = member.user;
  const [issue, busy] = useAction(IssuePasswordResetDocument);
  async function confirmed() {
    const issued = await issue({ input: { memberId: member._id } });
    if (!issued) return false;
    const { link } = issued.issuePasswordReset;
    if (link) onLink({ to: name, link });
    else showDone(`Reset link sent to ${email}`);
    return true;
  }
  return (
    <ConfirmButton
      size="compact-sm"
      variant="default"
      label="Create reset link"
      aria-label={`Create a reset link for ${name}`}
      title={`Create a reset link for ${name}?`}
      text="The link can be used once within 24 hours to set a new password. Earlier reset links stop working."
      button="Create link"
      busy={busy}
      onConfirm={confirmed}
    />
  );
}
