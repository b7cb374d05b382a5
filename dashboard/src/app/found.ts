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
import type { SearchKind, SearchQuery } from "./search.generated";

export type Found = SearchQuery["search"][number];

/** What each kind is called, and where its page is. */
export const foundKinds: Record<SearchKind, { label: string; icon: LucideIcon; to: (found: Found) => string }> = {
  TICKET: { label: "Ticket", icon: Ticket, to: ({ _id }) => page("/tickets", _id) },
  ACCESS_LIST_ENTRY: {
    label: "Entry of an access list",
    icon: CreditCard,
    to: ({ title, parentId }) => `${page("/lists", parentId ?? "")}?code=${encodeURIComponent(title)}`,
  },
  TRANSACTION: { label: "Transaction", icon: ReceiptText, to: ({ _id }) => page("/transactions", _id) },
  CUSTOMER: { label: "Customer", icon: Users, to: ({ _id }) => page("/customers", _id) },
  CHECKOUT: { label: "Checkout", icon: ShoppingCart, to: ({ _id }) => page("/checkouts", _id) },
  INVOICE: { label: "Invoice", icon: FileText, to: ({ _id }) => page("/invoices", _id) },
  EVENT: { label: "Event", icon: CalendarDays, to: ({ _id }) => page("/events", _id) },
  ACCESS_LIST: { label: "Access list", icon: ListChecks, to: ({ _id }) => page("/lists", _id) },
  SCAN_GROUP: { label: "Scan group", icon: DoorOpen, to: ({ _id }) => page("/scan-groups", _id) },
  ACCESS_USER: { label: "Device", icon: Smartphone, to: ({ _id }) => page("/devices", _id) },
  WEBHOOK: { label: "Webhook", icon: Webhook, to: ({ _id }) => page("/webhooks", _id) },
  DELIVERY: { label: "Delivery", icon: Send, to: ({ _id }) => page("/deliveries", _id) },
  API_KEY: { label: "API key", icon: KeyRound, to: ({ _id }) => page("/keys", _id) },
};

/** Ids of imported records may hold any character. */
const page = (list: string, id: string) => `${list}/${encodeURIComponent(id)}`;

/** The row that an arrow key leads to, around both ends. */
export function moved(active: number, key: string, count: number): number {
  if (count === 0) return 0;
  return (active + (key === "ArrowDown" ? 1 : count - 1)) % count;
}
