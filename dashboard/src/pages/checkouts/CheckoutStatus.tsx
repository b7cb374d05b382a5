import { StatusPill } from "../../components/StatusPill";
import type { States } from "../../lib/states";
import type { CheckoutStatus } from "./checkouts.generated";

export const checkoutStates: States<CheckoutStatus> = {
  NEW: { tone: "info", label: "New", explanation: "The checkout has items but no buyer details yet." },
  DETAILS: {
    tone: "info",
    label: "Details added",
    explanation: "The checkout has buyer details and can be completed.",
  },
  COMPLETE: { tone: "good", label: "Complete", explanation: "The checkout is complete and has a transaction." },
  ABORTED: { tone: "idle", label: "Aborted", explanation: "The checkout was aborted or has expired." },
};

export function CheckoutPill({ status }: { status: CheckoutStatus }) {
  return <StatusPill {...checkoutStates[status]} />;
}

/** Returns when a checkout expires. Completed and aborted ones don't. */
export function expiryOf({ status, expiresAt }: { status: CheckoutStatus; expiresAt: string }): string | undefined {
  return status === "NEW" || status === "DETAILS" ? expiresAt : undefined;
}
