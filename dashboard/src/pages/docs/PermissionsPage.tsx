import { DocumentPage } from "./GuidePage";

/** The table of operations and their callers, generated from the server's own. */
export default function PermissionsPage() {
  return <DocumentPage slug="permissions" />;
}
