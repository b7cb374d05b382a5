import { StatusPill } from "../../components/StatusPill";
import type { States } from "../../lib/states";
import type { HandOverState, InvoiceItemType, InvoiceKind } from "./invoices.generated";

export const invoiceKinds: Record<InvoiceKind, string> = { invoice: "Invoice", cancellation: "Cancellation" };

export const handOverStates: States<HandOverState> = {
  pending: { tone: "info", label: "Pending", explanation: "Another attempt is scheduled." },
  delivered: { tone: "good", label: "Sent", explanation: "The invoice endpoint accepted the invoice." },
  failed: {
    tone: "bad",
    label: "Failed",
    explanation: "All scheduled attempts failed. You can retry manually.",
  },
  canceled: {
    tone: "idle",
    label: "Canceled",
    explanation: "The invoice endpoint was removed before the invoice was sent.",
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
  if (!handOver)
    return (
      <StatusPill tone="idle" label="Not sent" explanation="No invoice endpoint was set when the invoice was issued." />
    );
  if (handOver.retryRequested) {
    return <StatusPill tone="info" label="Retry queued" explanation="A manual retry is queued or in progress." />;
  }
  return <StatusPill {...handOverStates[handOver.state]} />;
}
