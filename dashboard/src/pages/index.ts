import {
  BookOpen,
  CalendarDays,
  DoorOpen,
  FileText,
  FlaskConical,
  House,
  KeyRound,
  ListChecks,
  type LucideIcon,
  ReceiptText,
  ScanLine,
  ScrollText,
  Settings,
  ShoppingCart,
  Smartphone,
  SquareTerminal,
  Ticket,
  Users,
  Webhook,
} from "lucide-react";
import type { ComponentType } from "react";
import { matchPath } from "react-router";
import type { Asks } from "../app/early";
import type { Role } from "../app/session";

/** A page and what its data needs; `load` makes it a file of its own, fetched when it is first opened. */
export interface PageRoute {
  path: string;
  role?: Role;
  /** Whether people who are not signed in may read it as well: it shows nothing of any seller. */
  open?: boolean;
  load: () => Promise<{ default: ComponentType; asks?: Asks }>;
}

/** A page in the navigation. */
export interface NavigationEntry extends PageRoute {
  label: string;
  icon: LucideIcon;
}

/** The navigation, section by section: one row a page. */
export const navigation: { section: string; entries: NavigationEntry[] }[] = [
  {
    section: "",
    entries: [{ path: "/", label: "Overview", icon: House, load: () => import("./overview/OverviewPage") }],
  },
  {
    section: "Sales",
    entries: [
      {
        path: "/transactions",
        label: "Transactions",
        icon: ReceiptText,
        role: "VIEWER",
        load: () => import("./transactions/TransactionsPage"),
      },
      { path: "/tickets", label: "Tickets", icon: Ticket, role: "VIEWER", load: () => import("./tickets/TicketsPage") },
      {
        path: "/events",
        label: "Events",
        icon: CalendarDays,
        role: "VIEWER",
        load: () => import("./events/EventsPage"),
      },
      {
        path: "/customers",
        label: "Customers",
        icon: Users,
        role: "VIEWER",
        load: () => import("./customers/CustomersPage"),
      },
      {
        path: "/checkouts",
        label: "Checkouts",
        icon: ShoppingCart,
        role: "VIEWER",
        load: () => import("./checkouts/CheckoutsPage"),
      },
      {
        path: "/invoices",
        label: "Invoices",
        icon: FileText,
        role: "VIEWER",
        load: () => import("./invoices/InvoicesPage"),
      },
    ],
  },
  {
    section: "At the door",
    entries: [
      { path: "/scans", label: "Scan log", icon: ScanLine, role: "VIEWER", load: () => import("./scans/ScansPage") },
      {
        path: "/simulator",
        label: "Simulator",
        icon: FlaskConical,
        role: "VIEWER",
        load: () => import("./scans/SimulatorPage"),
      },
      {
        path: "/devices",
        label: "Devices",
        icon: Smartphone,
        role: "VIEWER",
        load: () => import("./devices/DevicesPage"),
      },
      {
        path: "/lists",
        label: "Access lists",
        icon: ListChecks,
        role: "VIEWER",
        load: () => import("./lists/ListsPage"),
      },
      {
        path: "/scan-groups",
        label: "Scan groups",
        icon: DoorOpen,
        role: "VIEWER",
        load: () => import("./scangroups/ScanGroupsPage"),
      },
    ],
  },
  {
    section: "Developers",
    entries: [
      { path: "/keys", label: "API keys", icon: KeyRound, role: "DEVELOPER", load: () => import("./keys/KeysPage") },
      {
        path: "/webhooks",
        label: "Webhooks",
        icon: Webhook,
        role: "DEVELOPER",
        load: () => import("./webhooks/WebhooksPage"),
      },
      {
        path: "/playground",
        label: "Playground",
        icon: SquareTerminal,
        load: () => import("./playground/PlaygroundPage"),
      },
      { path: "/docs", label: "Reference", icon: BookOpen, open: true, load: () => import("./docs/ReferencePage") },
    ],
  },
  {
    section: "Account",
    entries: [
      { path: "/audit", label: "Audit log", icon: ScrollText, role: "ADMIN", load: () => import("./audit/AuditPage") },
      {
        path: "/checkout",
        label: "Checkout",
        icon: ShoppingCart,
        role: "VIEWER",
        load: () => import("./checkout/CheckoutPage"),
      },
      { path: "/settings", label: "Settings", icon: Settings, load: () => import("./settings/SettingsPage") },
    ],
  },
];

/** Pages that others link to: those of one thing. */
const further: PageRoute[] = [
  { path: "/transactions/:id", role: "VIEWER", load: () => import("./transactions/TransactionPage") },
  { path: "/tickets/:id", role: "VIEWER", load: () => import("./tickets/TicketPage") },
  { path: "/customers/:id", role: "VIEWER", load: () => import("./customers/CustomerPage") },
  { path: "/checkouts/:id", role: "VIEWER", load: () => import("./checkouts/CheckoutPage") },
  { path: "/invoices/:id", role: "VIEWER", load: () => import("./invoices/InvoicePage") },
  { path: "/sellers/new", load: () => import("./sellers/NewSellerPage") },
  { path: "/events/new", role: "MANAGER", load: () => import("./events/NewEventPage") },
  { path: "/events/:id", role: "VIEWER", load: () => import("./events/EventPage") },
  { path: "/devices/new", role: "MANAGER", load: () => import("./devices/NewDevicePage") },
  { path: "/scan-groups/new", role: "MANAGER", load: () => import("./scangroups/NewScanGroupPage") },
  { path: "/scan-groups/:id", role: "VIEWER", load: () => import("./scangroups/ScanGroupPage") },
  { path: "/devices/:id", role: "VIEWER", load: () => import("./devices/DevicePage") },
  { path: "/keys/new", role: "DEVELOPER", load: () => import("./keys/NewKeyPage") },
  { path: "/keys/:id", role: "DEVELOPER", load: () => import("./keys/KeyPage") },
  { path: "/webhooks/new", role: "DEVELOPER", load: () => import("./webhooks/NewWebhookPage") },
  { path: "/webhooks/:id", role: "DEVELOPER", load: () => import("./webhooks/WebhookPage") },
  { path: "/deliveries", role: "DEVELOPER", load: () => import("./webhooks/DeliveriesPage") },
  { path: "/deliveries/:id", role: "DEVELOPER", load: () => import("./webhooks/DeliveryPage") },
  { path: "/lists/new", role: "MANAGER", load: () => import("./lists/NewListPage") },
  { path: "/lists/:id", role: "VIEWER", load: () => import("./lists/ListPage") },
  { path: "/docs/api", open: true, load: () => import("./docs/ApiPage") },
  { path: "/docs/api/:operation", open: true, load: () => import("./docs/ApiPage") },
  { path: "/docs/events", open: true, load: () => import("./docs/EventTypesPage") },
  { path: "/docs/permissions", open: true, load: () => import("./docs/PermissionsPage") },
  { path: "/docs/guides/:guide", open: true, load: () => import("./docs/GuidePage") },
  { path: "/account", load: () => import("./account/AccountPage") },
  { path: "*", load: () => import("./NotFoundPage") },
];

export const pages: PageRoute[] = [...navigation.flatMap(({ entries }) => entries), ...further];

/** Whether an address may be read by people who are not signed in. */
export function isOpen(pathname: string): boolean {
  return pages.some(({ path, open }) => open && matchPath(path, pathname));
}
