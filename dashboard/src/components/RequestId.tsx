import type { Failure } from "../lib/failure";
import { CopyButton } from "./CopyButton";

/** The request ID of a failure, as in the server's log, with a copy button. */
export function RequestId({ of: { requestId } }: { of: Failure }) {
  return requestId && <CopyButton value={requestId} label="Copy request ID" text={`Request ${requestId}`} />;
}
