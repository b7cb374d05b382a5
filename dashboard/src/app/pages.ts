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
import type { Asks } from "../session/early";
import type { Role } from "../session/session";

/** A page and the role its data requires. `load` puts it into a chunk of its own, loaded when the page is first opened. */
export interface PageRoute {
  path: string;
  role?: Role;
  /** Whether the page requires no session. Such a page shows no data of a seller. */
  open?: boolean;
  load: () => Promise<{ default: ComponentType; asks?: Asks }>;
}

/** A page that the navigation lists. */
export interface NavigationEntry extends PageRoute {
  label: string;
  icon: LucideIcon;
}

/** The navigation, by section. */
export const navigation: { section: string; entries: NavigationEntry[] }[] = [
  {
    section: "",
    entries: [{ path: "/", label: "Overview", icon: House, load: () => import("../pages/overview/OverviewPage") }],
  },
  {
    section: "Sales",
    entries: [
      {
        path: "/transactions",
        label: "Transactions",
        icon: ReceiptText,
        role: "VIEWER",
        load: () => import("../pages/transactions/TransactionsPage"),
      },
      {
        path: "/tickets",
        label: "Tickets",
        icon: Ticket,
        role: "VIEWER",
        load: () => import("../pages/tickets/TicketsPage"),
      },
      {
        path: "/events",
        label: "Events",
        icon: CalendarDays,
        role: "VIEWER",
        load: () => import("../pages/events/EventsPage"),
      },
      {
        path: "/customers",
        label: "Customers",
        icon: Users,
        role: "VIEWER",
        load: () => import("../pages/customers/CustomersPage"),
      },
      {
        path: "/checkouts",
        label: "Checkouts",
        icon: ShoppingCart,
        role: "VIEWER",
        load: () => import("../pages/checkouts/CheckoutsPage"),
      },
      {
        path: "/invoices",
        label: "Invoices",
        icon: FileText,
        role: "VIEWER",
        load: () => import("../pages/invoices/InvoicesPage"),
      },
    ],
  },
  {
    section: "Gate",
    entries: [
      {
        path: "/scans",
        label: "Scan log",
        icon: ScanLine,
        role: "VIEWER",
        load: () => import("../pages/scans/ScansPage"),
      },
      {
        path: "/simulator",
        label: "Simulator",
        icon: FlaskConical,
        role: "VIEWER",
        load: () => import("../pages/scans/SimulatorPage"),
      },
      {
        path: "/devices",
        label: "Devices",
        icon: Smartphone,
        role: "VIEWER",
        load: () => import("../pages/devices/DevicesPage"),
      },
      {
        path: "/lists",
        label: "Access lists",
        icon: ListChecks,
        role: "VIEWER",
        load: () => import("../pages/lists/ListsPage"),
      },
      {
        path: "/scan-groups",
        label: "Scan groups",
        icon: DoorOpen,
        role: "VIEWER",
        load: () => import("../pages/scangroups/ScanGroupsPage"),
      },
    ],
  },
  {
    section: "Developers",
    entries: [
      {
        path: "/keys",
        label: "API keys",
        icon: KeyRound,
        role: "DEVELOPER",
        load: () => import("../pages/keys/KeysPage"),
      },
      {
        path: "/webhooks",
        label: "Webhooks",
        icon: Webhook,
        role: "DEVELOPER",
        load: () => import("../pages/webhooks/WebhooksPage"),
      },
      {
        path: "/playground",
        label: "Playground",
        icon: SquareTerminal,
        load: () => import("../pages/playground/PlaygroundPage"),
      },
      {
        path: "/docs",
        label: "Reference",
        icon: BookOpen,
        open: true,
        load: () => import("../pages/docs/ReferencePage"),
      },
    ],
  },
  {
    section: "Account",
    entries: [
      {
        path: "/audit",
        label: "Audit log",
        icon: ScrollText,
        role: "ADMIN",
        load: () => import("../pages/audit/AuditPage"),
      },
      {
        path: "/checkout",
        label: "Checkout settings",
        icon: ShoppingCart,
        role: "VIEWER",
        load: () => import("../pages/identification/IdentificationPage"),
      },
      { path: "/settings", label: "Settings", icon: Settings, load: () => import("../pages/settings/SettingsPage") },
    ],
  },
];

/** Pages that are reached from other pages, such as those of a single record. */
const recordPages: PageRoute[] = [
  { path: "/transactions/:id", role: "VIEWER", load: () => import("../pages/transactions/TransactionPage") },
  { path: "/tickets/:id", role: "VIEWER", load: () => import("../pages/tickets/TicketPage") },
  { path: "/customers/:id", role: "VIEWER", load: () => import("../pages/customers/CustomerPage") },
  { path: "/checkouts/:id", role: "VIEWER", load: () => import("../pages/checkouts/CheckoutPage") },
  { path: "/invoices/:id", role: "VIEWER", load: () => import("../pages/invoices/InvoicePage") },
  { path: "/sellers/new", load: () => import("../pages/sellers/NewSellerPage") },
  { path: "/events/new", role: "MANAGER", load: () => import("../pages/events/NewEventPage") },
  { path: "/events/:id", role: "VIEWER", load: () => import("../pages/events/EventPage") },
  { path: "/devices/new", role: "MANAGER", load: () => import("../pages/devices/NewDevicePage") },
  { path: "/scan-groups/new", role: "MANAGER", load: () => import("../pages/scangroups/NewScanGroupPage") },
  { path: "/scan-groups/:id", role: "VIEWER", load: () => import("../pages/scangroups/ScanGroupPage") },
  { path: "/devices/:id", role: "VIEWER", load: () => import("../pages/devices/DevicePage") },
  { path: "/keys/new", role: "DEVELOPER", load: () => import("../pages/keys/NewKeyPage") },
  { path: "/keys/:id", role: "DEVELOPER", load: () => import("../pages/keys/KeyPage") },
  { path: "/webhooks/new", role: "DEVELOPER", load: () => import("../pages/webhooks/NewWebhookPage") },
  { path: "/webhooks/:id", role: "DEVELOPER", load: () => import("../pages/webhooks/WebhookPage") },
  { path: "/deliveries", role: "DEVELOPER", load: () => import("../pages/webhooks/DeliveriesPage") },
  { path: "/deliveries/:id", role: "DEVELOPER", load: () => import("../pages/webhooks/DeliveryPage") },
  { path: "/lists/new", role: "MANAGER", load: () => import("../pages/lists/NewListPage") },
  { path: "/lists/:id", role: "VIEWER", load: () => import("../pages/lists/ListPage") },
  { path: "/docs/api", open: true, load: () => import("../pages/docs/ApiPage") },
  { path: "/docs/api/:operation", open: true, load: () => import("../pages/docs/ApiPage") },
  { path: "/docs/events", open: true, load: () => import("../pages/docs/EventTypesPage") },
  { path: "/docs/permissions", open: true, load: () => import("../pages/docs/PermissionsPage") },
  { path: "/docs/guides/:guide", open: true, load: () => import("../pages/docs/GuidePage") },
  { path: "/account", load: () => import("../pages/account/AccountPage") },
  { path: "*", load: () => import("../pages/NotFoundPage") },
];

export const pages: PageRoute[] = [...navigation.flatMap(({ entries }) => entries), ...recordPages];

/** Reports whether a path requires no session. */
export function isOpen(pathname: string): boolean {
  return pages.some(({ path, open }) => open && matchPath(path, pathname));
}
