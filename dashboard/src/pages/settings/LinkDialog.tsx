import { SecretDialog } from "../../components/SecretDialog";

/** A link that the server returns once. */
export interface OnceLink {
  /** The recipient. */
  to: string;
  link: string;
}

interface Props {
  of: OnceLink | undefined;
  onClose: () => void;
}

/** Shows a link once. A server without a public URL returns a path. */
export function LinkDialog({ of: shown, onClose }: Props) {
  return (
    <SecretDialog
      title={`Send this link to ${shown?.to ?? ""}`}
      text="This link is shown only once. Copy it now and send it only to this person."
      noun="link"
      secret={shown && new URL(shown.link, window.location.origin).href}
      onClose={onClose}
    />
  );
}
