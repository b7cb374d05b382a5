import {
  CalendarDays,
  CreditCard,
  DoorOpen,
  FileText,
  KeyRound,
  ListChecks,
  type LucideIcon,
  ReceiptText,
  Send,
  ShoppingCart,
  Smartphone,
  Ticket,
  Users,
  Webhook,
} from "lucide-react";
import { address } from "../lib/address";
import { checkoutStates } from "../pages/checkouts/CheckoutStatus";
import { invoiceKinds } from "../pages/invoices/InvoiceStatus";
import { listTypes } from "../pages/lists/lists";
import { ticketStates } from "../pages/tickets/tickets";
import { transactionStates } from "../pages/transactions/transactions";
import { deliveryStates } from "../pages/webhooks/webhooks";
import type { SearchKind, SearchQuery } from "./search.generated";

export type Found = SearchQuery["search"][number];

/** The label, icon and page of each kind of result. */
export const foundKinds: Record<SearchKind, { label: string; icon: LucideIcon; to: (found: Found) => string }> = {
  TICKET: { label: "Ticket", icon: Ticket, to: ({ _id }) => address("/tickets", _id) },
  ACCESS_LIST_ENTRY: {
    label: "Access list entry",
    icon: CreditCard,
    to: ({ title, parentId }) => `${address("/lists", parentId ?? "")}?code=${encodeURIComponent(title)}`,
  },
  TRANSACTION: { label: "Transaction", icon: ReceiptText, to: ({ _id }) => address("/transactions", _id) },
  CUSTOMER: { label: "Customer", icon: Users, to: ({ _id }) => address("/customers", _id) },
  CHECKOUT: { label: "Checkout", icon: ShoppingCart, to: ({ _id }) => address("/checkouts", _id) },
  INVOICE: { label: "Invoice", icon: FileText, to: ({ _id }) => address("/invoices", _id) },
  EVENT: { label: "Event", icon: CalendarDays, to: ({ _id }) => address("/events", _id) },
  ACCESS_LIST: { label: "Access list", icon: ListChecks, to: ({ _id }) => address("/lists", _id) },
  SCAN_GROUP: { label: "Scan group", icon: DoorOpen, to: ({ _id }) => address("/scan-groups", _id) },
  ACCESS_USER: { label: "Device", icon: Smartphone, to: ({ _id }) => address("/devices", _id) },
  WEBHOOK: { label: "Webhook", icon: Webhook, to: ({ _id }) => address("/webhooks", _id) },
  DELIVERY: { label: "Delivery", icon: Send, to: ({ _id }) => address("/deliveries", _id) },
  API_KEY: { label: "API key", icon: KeyRound, to: ({ _id }) => address("/keys", _id) },
};

/** Reports whether a text is too short to search for. The server counts code points, not UTF-16 code units. */
export function isTooShort(text: string): boolean {
  return [...text].length < 2;
}

/** The labels of values that occur in the details, by kind. */
const words: Partial<Record<SearchKind, Record<string, string | { label: string }>>> = {
  TICKET: ticketStates,
  TRANSACTION: transactionStates,
  CHECKOUT: checkoutStates,
  INVOICE: invoiceKinds,
  ACCESS_LIST: listTypes,
  DELIVERY: deliveryStates,
};

/** Returns the details of a result with the labels that the pages use. The parts are separated by " · ". */
export function detailOf({ kind, detail }: Pick<Found, "kind" | "detail">): string {
  const known = words[kind] ?? {};
  return detail
    .split(" · ")
    .map((part) => {
      const said = Object.hasOwn(known, part) ? known[part] : undefined;
      return typeof said === "object" ? said.label : (said ?? part);
    })
    .join(" · ");
}

/** Returns the index that an arrow key moves to, wrapping at both ends. */
export function moved(active: number, key: string, count: number): number {
  if (count === 0) return 0;
  return (active + (key === "ArrowDown" ? 1 : count - 1)) % count;
}
