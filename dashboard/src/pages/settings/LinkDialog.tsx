import { SecretDialog } from "../../components/SecretDialog";

/** A link that the server shows once. */
export interface OnceLink {
  /** The person to send it to. */
  to: string;
  link: string;
}

interface Props {
  of: OnceLink | undefined;
  onClose: () => void;
}

/** Shows a link once. A server that doesn't know its own address gives a path. */
export function LinkDialog({ of: shown, onClose }: Props) {
  return (
    <SecretDialog
      title={`Send this link to ${shown?.to ?? ""}`}
      text="This link is shown once. Copy it now and send it to this person only."
      secret={shown && new URL(shown.link, window.location.origin).href}
      onClose={onClose}
    />
  );
}
