import { ShoppingCart } from "lucide-react";
import { useQuery } from "urql";
import { Lines, Quiet, RowLink } from "../../components/cells";
import { type Column, DataTable, nextPage } from "../../components/DataTable";
import { DayFilter } from "../../components/DayFilter";
import { FilterBar, LiveSwitch, SearchFilter, SelectFilter } from "../../components/Filters";
import { MoreFilters } from "../../components/MoreFilters";
import { Page } from "../../components/Page";
import { RelativeTime } from "../../components/RelativeTime";
import { choice, type Filters, filtersIn, type Narrowed, useFilters } from "../../components/useFilters";
import { address } from "../../lib/address";
import { daySpan } from "../../lib/days";
import { oneOf, optionsOf } from "../../lib/states";
import type { Asks } from "../../session/early";
import { EventFilter } from "../sales/EventFilter";
import { money, personName } from "../sales/sales";
import { CheckoutPill, checkoutStates } from "./CheckoutStatus";
import { CheckoutsDocument, type CheckoutsQuery } from "./checkouts.generated";

type Row = CheckoutsQuery["checkouts"]["nodes"][number];

const columns: Column<Row>[] = [
  {
    header: "Buyer",
    cell: (checkout) => (
      <Lines>
        <RowLink to={address("/checkouts", checkout._id)}>{personName(checkout) ?? "Not known yet"}</RowLink>
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
  { header: "Expires", cell: (checkout) => <RelativeTime at={checkout.expiresAt} />, visibleFrom: "sm" },
];

const context = { additionalTypenames: ["Checkout"] };

const names = ["q", "email", choice("status", Object.keys(checkoutStates)), "event", "from", "until"] as const;

/** The question for what an address shows. */
function checkoutsAt({ values, after }: Narrowed<typeof names>) {
  const { q, email, status, event, from, until } = values;
  const span = daySpan(from, until);
  const filter = {
    text: q,
    email,
    status: oneOf(checkoutStates, status),
    eventId: event,
    createdFrom: span.from,
    createdUntil: span.until,
  };
  return { query: CheckoutsDocument, variables: { first: 50, after, filter }, context };
}

export const asks: Asks = ({ search }) => [checkoutsAt(filtersIn(search, names))];

export default function CheckoutsPage() {
  const filters = useFilters(...names);
  const [{ data, error }, again] = useQuery(checkoutsAt(filters));
  return (
    <Page title="Checkouts" text="Sales that buyers have begun. A completed one becomes a transaction. Newest first.">
      <CheckoutFilters filters={filters} refresh={() => again({ requestPolicy: "network-only" })} />
      <DataTable
        label="Checkouts"
        columns={columns}
        rows={data?.checkouts.nodes}
        rowKey={(checkout) => checkout._id}
        error={error}
        onRetry={again}
        filtered={filters.filtered}
        onClearFilters={filters.clear}
        paging={{ ...filters, next: nextPage(data?.checkouts.pageInfo) }}
        empty={{
          icon: ShoppingCart,
          title: "No checkouts yet",
          text: "They appear here as soon as a shop begins one by POST /api/checkout.",
        }}
      />
    </Page>
  );
}

function CheckoutFilters({ filters, refresh }: { filters: Filters; refresh: () => void }) {
  const { values, set } = filters;
  return (
    <FilterBar>
      <SearchFilter label="Name, e-mail, phone or id" value={values.q} onChange={(q) => set({ q })} />
      <MoreFilters values={[values.email, values.status, values.event, values.from, values.until]}>
        <SearchFilter slash={false} label="Whole e-mail" value={values.email} onChange={(email) => set({ email })} />
        <SelectFilter
          label="Status"
          any="Any status"
          options={optionsOf(checkoutStates)}
          value={values.status}
          onChange={(status) => set({ status })}
        />
        <EventFilter value={values.event} onChange={(event) => set({ event })} />
        <DayFilter
          label="Created between"
          from={values.from}
          until={values.until}
          onChange={(from, until) => set({ from, until })}
        />
      </MoreFilters>
      <LiveSwitch refresh={refresh} />
    </FilterBar>
  );
}
