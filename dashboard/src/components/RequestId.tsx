import type { Failure } from "../lib/failure";
import { CopyButton } from "./CopyButton";

/** Under what the server's log has a failure, to be copied. */
export function RequestId({ of: { requestId } }: { of: Failure }) {
  return requestId && <CopyButton value={requestId} label="Copy the request id" text={`Request ${requestId}`} />;
}
