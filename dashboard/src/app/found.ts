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
import { address } from "./address";
import type { SearchKind, SearchQuery } from "./search.generated";

export type Found = SearchQuery["search"][number];

/** What each kind is called, and where its page is. */
export const foundKinds: Record<SearchKind, { label: string; icon: LucideIcon; to: (found: Found) => string }> = {
  TICKET: { label: "Ticket", icon: Ticket, to: ({ _id }) => address("/tickets", _id) },
  ACCESS_LIST_ENTRY: {
    label: "Entry of an access list",
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

/** The row that an arrow key leads to, around both ends. */
export function moved(active: number, key: string, count: number): number {
  if (count === 0) return 0;
  return (active + (key === "ArrowDown" ? 1 : count - 1)) % count;
}
