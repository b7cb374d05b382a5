import type { States } from "../../lib/states";
import type {
  HistoryType,
  PaymentMethod,
  PaymentStatus,
  Risk,
  TransactionHistoryQuery,
  TransactionOrigin,
  TransactionQuery,
  TransactionStatus,
} from "./transactions.generated";

export type Transaction = TransactionQuery["transaction"];
type Recorded = TransactionHistoryQuery["transaction"];

export const transactionStates: States<TransactionStatus> = {
  NEW: { tone: "info", label: "New", explanation: "The sale was started but isn't complete." },
  RESERVED_BY_SYSTEM: { tone: "warning", label: "Reserved", explanation: "The platform has reserved the tickets." },
  ABORTED: { tone: "idle", label: "Aborted", explanation: "The sale was aborted before it was complete." },
  COMPLETE: { tone: "good", label: "Complete", explanation: "The sale is complete." },
  CANCELED: { tone: "bad", label: "Canceled", explanation: "The sale was completed and later canceled." },
};

export const paymentStates: States<PaymentStatus> = {
  AWAITING: { tone: "info", label: "Awaiting payment", explanation: "The buyer hasn't paid yet." },
  PENDING: { tone: "info", label: "Pending", explanation: "The payment was started but isn't settled." },
  RECEIVED: { tone: "good", label: "Received", explanation: "The payment was received." },
  REFUND: { tone: "idle", label: "Refunded", explanation: "The payment was refunded." },
  CANCELED: { tone: "idle", label: "Payment canceled", explanation: "The payment was canceled." },
  FAILED: { tone: "bad", label: "Failed", explanation: "The payment failed." },
  DISPUTE: { tone: "warning", label: "Disputed", explanation: "The buyer has disputed the payment." },
  CHARGEBACK: { tone: "bad", label: "Charged back", explanation: "The payment was charged back." },
  POS_RECEIVED: { tone: "good", label: "Received (point of sale)", explanation: "The buyer paid at a point of sale." },
  POS_CANCELED: {
    tone: "idle",
    label: "Canceled (point of sale)",
    explanation: "The payment was canceled at a point of sale.",
  },
  LOCAL_PENDING: { tone: "info", label: "Pending (on site)", explanation: "The on-site payment isn't settled." },
  LOCAL_AWAITING: {
    tone: "info",
    label: "Awaiting payment (on site)",
    explanation: "The buyer hasn't paid on site yet.",
  },
  LOCAL_RECEIVED: { tone: "good", label: "Received (on site)", explanation: "The buyer paid on site." },
  EXTERNAL: { tone: "idle", label: "External", explanation: "The buyer paid outside the platform." },
};

export const paymentMethods: Record<PaymentMethod, string> = {
  paypal: "PayPal",
  stripe: "Stripe",
  local: "On site",
  external: "External",
  service_payments: "Service payments",
};

export const origins: Record<TransactionOrigin, string> = {
  yourticket: "Online shop",
  pos: "Point of sale",
  rebooking: "Rebooking",
  upgrade: "Upgrade",
  subscription: "Subscription",
};

/** The titles of history entries, by type. */
export const historyTitles: Record<HistoryType, string> = {
  created: "Sale started",
  reserved: "Tickets reserved",
  completed: "Sale completed",
  completed_manually: "Sale completed manually",
  aborted: "Sale aborted",
  canceled: "Sale canceled",
  partial_canceled: "Sale partially canceled",
  pos_created: "Sale started at a point of sale",
  pos_canceled: "Sale canceled at a point of sale",
  pos_payment_method_changed: "Payment method changed at a point of sale",
  payment_canceled: "Payment canceled",
  payment_authorized: "Payment authorized",
  payment_failed: "Payment failed",
  payment_succeeded: "Payment succeeded",
  payment_chargeback: "Payment charged back",
  payment_localReceived: "On-site payment received",
  dispute_created: "Payment disputed by the buyer",
  dispute_countered: "Dispute contested",
  dispute_won: "Dispute won",
  dispute_lost: "Dispute lost",
  refunded: "Payment refunded",
  partial_refunded: "Payment partially refunded",
  refund_failed: "Refund failed",
  partial_refunded_voucher: "Partially refunded as a voucher",
  refunded_voucher: "Refunded as a voucher",
  partial_refunded_balance: "Partially refunded to the buyer's balance",
  refunded_balance: "Refunded to the buyer's balance",
  payment_local_added: "On-site payment added",
  payment_correction_refund_missing_in_core: "Accounting corrected: missing refund",
  payment_correction_refund_failed: "Accounting corrected: failed refund",
  payment_correction_payment_failed: "Accounting corrected: failed payment",
  price_recalculated: "Price recalculated",
  invitation_reserved_mail: "Payment invitation sent",
  transaction_resent_mail: "Order email resent",
  transaction_resent_ticket_mail: "Ticket email resent",
  transaction_resent_voucher_mail: "Voucher email resent",
  tickets_booked: "Tickets booked",
  transaction_sent_sms: "Text message sent",
  commented: "Comment added",
};

/** An entry of the history. */
export interface HistoryItem {
  id: string;
  date?: string | null;
  title: string;
  text?: string | null;
  by?: string | null;
  risk?: Risk | null;
  data?: unknown;
}

/** Returns the history and the older notes in chronological order. Entries without a date come first. */
export function historyOf({ history, historyEntries }: Pick<Recorded, "history" | "historyEntries">): HistoryItem[] {
  const notes = (history ?? []).map(({ _id, date, title, message, risk }) => ({
    id: _id,
    date,
    title: title || "Note",
    text: message,
    risk,
  }));
  const entries = (historyEntries ?? []).map(({ _id, date, type, userId, risk, data }) => ({
    id: _id,
    date,
    title: type ? historyTitles[type] : "Unknown entry",
    by: userId,
    risk,
    data,
  }));
  return [...notes, ...entries].sort((a, b) => timeOf(a) - timeOf(b));
}

function timeOf({ date }: HistoryItem): number {
  return date ? Date.parse(date) : 0;
}
