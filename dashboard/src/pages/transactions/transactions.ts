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
  NEW: { tone: "info", label: "New", explanation: "The sale was begun and is not complete." },
  RESERVED_BY_SYSTEM: { tone: "warning", label: "Reserved", explanation: "The platform holds the tickets back." },
  ABORTED: { tone: "idle", label: "Aborted", explanation: "The sale was given up before it was complete." },
  COMPLETE: { tone: "good", label: "Complete", explanation: "The sale is made." },
  CANCELED: { tone: "bad", label: "Canceled", explanation: "The sale was made and taken back." },
};

export const paymentStates: States<PaymentStatus> = {
  AWAITING: { tone: "info", label: "Awaiting", explanation: "The buyer has yet to pay." },
  PENDING: { tone: "info", label: "Pending", explanation: "The payment was begun and is not settled." },
  RECEIVED: { tone: "good", label: "Received", explanation: "The money is there." },
  REFUND: { tone: "idle", label: "Refunded", explanation: "The money was paid back." },
  CANCELED: { tone: "idle", label: "Payment canceled", explanation: "The payment was called off." },
  FAILED: { tone: "bad", label: "Failed", explanation: "The payment did not succeed." },
  DISPUTE: { tone: "warning", label: "Disputed", explanation: "The buyer has objected to the payment." },
  CHARGEBACK: { tone: "bad", label: "Charged back", explanation: "The payment was taken back from the seller." },
  POS_RECEIVED: { tone: "good", label: "Received at a till", explanation: "Paid at a point of sale." },
  POS_CANCELED: { tone: "idle", label: "Canceled at a till", explanation: "Called off at a point of sale." },
  LOCAL_PENDING: { tone: "info", label: "Pending on site", explanation: "The payment on site is not settled." },
  LOCAL_AWAITING: { tone: "info", label: "Awaiting on site", explanation: "The buyer has yet to pay on site." },
  LOCAL_RECEIVED: { tone: "good", label: "Received on site", explanation: "Paid on site." },
  EXTERNAL: { tone: "idle", label: "External", explanation: "Paid outside of the platform." },
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

/** What happened to a transaction, in words. */
export const happenings: Record<HistoryType, string> = {
  created: "The sale was begun",
  reserved: "The tickets were reserved",
  completed: "The sale was completed",
  completed_manually: "The sale was completed by hand",
  aborted: "The sale was given up",
  canceled: "The sale was canceled",
  partial_canceled: "A part of the sale was canceled",
  pos_created: "The sale was begun at a point of sale",
  pos_canceled: "The sale was canceled at a point of sale",
  pos_payment_method_changed: "The payment method was changed at a point of sale",
  payment_canceled: "The payment was canceled",
  payment_authorized: "The payment was authorized",
  payment_failed: "The payment failed",
  payment_succeeded: "The payment succeeded",
  payment_chargeback: "The payment was charged back",
  payment_localReceived: "The payment on site was received",
  dispute_created: "The buyer disputed the payment",
  dispute_countered: "The dispute was answered",
  dispute_won: "The dispute was won",
  dispute_lost: "The dispute was lost",
  refunded: "The money was paid back",
  partial_refunded: "A part of the money was paid back",
  refund_failed: "Paying back failed",
  partial_refunded_voucher: "A part was paid back as a voucher",
  refunded_voucher: "It was paid back as a voucher",
  partial_refunded_balance: "A part was paid back to the buyer's balance",
  refunded_balance: "It was paid back to the buyer's balance",
  payment_local_added: "A payment on site was added",
  payment_correction_refund_missing_in_core: "The books were corrected: a refund was missing",
  payment_correction_refund_failed: "The books were corrected: a refund had failed",
  payment_correction_payment_failed: "The books were corrected: a payment had failed",
  price_recalculated: "The price was reckoned anew",
  invitation_reserved_mail: "An invitation to the reserved tickets was sent",
  transaction_resent_mail: "The order mail was sent again",
  transaction_resent_ticket_mail: "The ticket mail was sent again",
  transaction_resent_voucher_mail: "The voucher mail was sent again",
  tickets_booked: "The tickets were booked",
  transaction_sent_sms: "A text message was sent",
  commented: "A comment was left",
};

/** One line of what happened. */
export interface Happening {
  id: string;
  date?: string | null;
  title: string;
  text?: string | null;
  by?: string | null;
  risk?: Risk | null;
  data?: unknown;
}

/** The history and the notes of the older kind, as one list in the order of time; what has no date comes first. */
export function historyOf({ history, historyEntries }: Pick<Recorded, "history" | "historyEntries">): Happening[] {
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
    title: type ? happenings[type] : "Something happened",
    by: userId,
    risk,
    data,
  }));
  return [...notes, ...entries].sort((a, b) => timeOf(a) - timeOf(b));
}

function timeOf({ date }: Happening): number {
  return date ? Date.parse(date) : 0;
}
