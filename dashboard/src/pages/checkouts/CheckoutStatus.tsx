import { StatusPill } from "../../components/StatusPill";
import type { States } from "../../lib/states";
import type { CheckoutStatus } from "./checkouts.generated";

export const checkoutStates: States<CheckoutStatus> = {
  NEW: { tone: "info", label: "New", explanation: "It has items and no details of the buyer yet." },
  DETAILS: { tone: "info", label: "Details", explanation: "It has the buyer's details, and can be completed." },
  COMPLETE: { tone: "good", label: "Complete", explanation: "It has become a transaction." },
  ABORTED: { tone: "idle", label: "Aborted", explanation: "It was given up, or has expired." },
};

export function CheckoutPill({ status }: { status: CheckoutStatus }) {
  return <StatusPill {...checkoutStates[status]} />;
}
