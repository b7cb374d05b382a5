import { SecretDialog } from "../../components/SecretDialog";

interface Props {
  link: string | undefined;
  onClose: () => void;
}

/** Shows the link of an invitation once. A server that doesn't know its own address gives a path. */
export function InvitationLink({ link, onClose }: Props) {
  const url = link && new URL(link, window.location.origin).href;
  return <SecretDialog title="Send this link to the person you invited" secret={url} onClose={onClose} />;
}
