import { StatusPill } from "../../components/StatusPill";
import type { States } from "../../lib/states";
import type { HandOverState, InvoiceItemType, InvoiceKind } from "./invoices.generated";

export const invoiceKinds: Record<InvoiceKind, string> = { invoice: "Invoice", cancellation: "Cancellation" };

export const handOverStates: States<HandOverState> = {
  pending: { tone: "info", label: "On its way", explanation: "An attempt to hand it over is to come." },
  delivered: { tone: "good", label: "Handed over", explanation: "The seller's invoicing has taken it." },
  failed: {
    tone: "bad",
    label: "Failed",
    explanation: "No attempt succeeded, and the retry schedule has run out. You can try again by hand.",
  },
  canceled: {
    tone: "idle",
    label: "Called off",
    explanation: "The seller's invoicing was taken away before the invoice was handed over.",
  },
};

export const itemKinds: Record<InvoiceItemType, string> = {
  ticket: "Ticket",
  product: "Product",
  fee: "Fee",
  discount: "Discount",
  fulfillment: "Fulfillment",
  insurance: "Insurance",
  bundle: "Bundle",
  cancellationFee: "Cancellation fee",
};

interface HandOver {
  state: HandOverState;
  retryRequested: boolean;
}

export function HandOverPill({ of: handOver }: { of: HandOver | null | undefined }) {
  if (!handOver) return <StatusPill tone="idle" label="Kept here" explanation="It never had to go anywhere else." />;
  if (handOver.retryRequested) {
    return (
      <StatusPill tone="info" label="Trying again" explanation="Somebody asked for an attempt that is not finished." />
    );
  }
  return <StatusPill {...handOverStates[handOver.state]} />;
}
