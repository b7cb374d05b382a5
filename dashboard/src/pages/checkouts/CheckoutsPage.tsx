import { ShoppingCart } from "lucide-react";
import { Lines, Quiet, RowLink } from "../../components/cells";
import { useAllEvents } from "../../components/choices";
import type { Column } from "../../components/DataTable";
import { days } from "../../components/DayFilter";
import { choices, search, select } from "../../components/fields";
import { ListPage } from "../../components/ListPage";
import { defineList } from "../../components/list";
import { RelativeTime } from "../../components/RelativeTime";
import { address } from "../../lib/address";
import { daySpan } from "../../lib/days";
import { oneOf } from "../../lib/states";
import { money, personName } from "../sales/sales";
import { CheckoutPill, checkoutStates, expiryOf } from "./CheckoutStatus";
import { CheckoutsDocument, type CheckoutsQuery } from "./checkouts.generated";

type Row = CheckoutsQuery["checkouts"]["nodes"][number];

const columns: Column<Row>[] = [
  {
    header: "Buyer",
    cell: (checkout) => (
      <Lines>
        <RowLink to={address("/checkouts", checkout._id)}>{personName(checkout) ?? "Unknown"}</RowLink>
        <Quiet>
          <RelativeTime at={checkout.createdAt} />
        </Quiet>
      </Lines>
    ),
  },
  { header: "Status", cell: (checkout) => <CheckoutPill status={checkout.status} /> },
  {
    header: "Total",
    cell: (checkout) => money(checkout.realPrice, checkout.currency),
    visibleFrom: "sm",
    align: "right",
  },
  { header: "Expires", cell: (checkout) => <RelativeTime at={expiryOf(checkout)} />, visibleFrom: "sm" },
];

const checkouts = defineList({
  document: CheckoutsDocument,
  rows: (data) => data.checkouts,
  types: ["Checkout"],
  fields: [search("q", "Name, email, phone or ID")],
  more: [
    search("email", "Exact email"),
    select({ name: "status", label: "Status", of: checkoutStates }),
    choices({ name: "event", label: "Event", useOptions: useAllEvents }),
    days("Created"),
  ],
  variables(page, { q, email, status, event, from, until }) {
    const filter = {
      text: q,
      email,
      status: oneOf(checkoutStates, status),
      eventId: event,
      ...daySpan("created", from, until),
    };
    return { ...page, filter };
  },
});

export const { asks } = checkouts;

export default function CheckoutsPage() {
  return (
    <ListPage
      title="Checkouts"
      text="Started, completed and aborted checkouts, newest first. A completed checkout creates a transaction."
      list={checkouts}
      columns={columns}
      live
      empty={{
        icon: ShoppingCart,
        title: "No checkouts yet",
        text: "Checkouts appear here when a shop creates one with POST /api/checkout.",
      }}
    />
  );
}
