import { DocumentPage } from "./GuidePage";

/** The table of who may call what, as it is printed from the server's own. */
export default function PermissionsPage() {
  return <DocumentPage slug="permissions" />;
}
