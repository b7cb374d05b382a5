import { Users } from "lucide-react";
import { useQuery } from "urql";
import { Lines, Quiet, RowLink } from "../../components/cells";
import { type Column, DataTable, nextPage } from "../../components/DataTable";
import { DayFilter } from "../../components/DayFilter";
import { FilterBar, SearchFilter } from "../../components/Filters";
import { MoreFilters } from "../../components/MoreFilters";
import { Page } from "../../components/Page";
import { RelativeTime } from "../../components/RelativeTime";
import { filtersIn, type Narrowed, useFilters } from "../../components/useFilters";
import { address } from "../../lib/address";
import { daySpan } from "../../lib/days";
import type { Asks } from "../../session/early";
import { personName } from "../sales/sales";
import { CustomersDocument, type CustomersQuery } from "./customers.generated";

type Row = CustomersQuery["customers"]["nodes"][number];

const columns: Column<Row>[] = [
  {
    header: "Name",
    cell: (customer) => (
      <Lines>
        <RowLink to={address("/customers", customer._id)}>{personName(customer) ?? customer._id}</RowLink>
        <Quiet hiddenFrom="sm">{customer.email}</Quiet>
      </Lines>
    ),
  },
  { header: "Company", cell: (customer) => customer.company || "–", visibleFrom: "md" },
  { header: "E-mail", cell: (customer) => customer.email || "–", visibleFrom: "sm" },
  {
    header: "Place",
    cell: (customer) => [customer.city, customer.country].filter(Boolean).join(", ") || "–",
    visibleFrom: "md",
  },
  { header: "Created", cell: (customer) => <RelativeTime at={customer.createdAt} /> },
];

const context = { additionalTypenames: ["Customer"] };

const names = ["q", "email", "from", "until"] as const;

/** The question for what an address shows. */
function customersAt({ values, after }: Narrowed<typeof names>) {
  const { q, email, from, until } = values;
  const span = daySpan(from, until);
  const filter = { name: q, email, createdFrom: span.from, createdUntil: span.until };
  return { query: CustomersDocument, variables: { first: 50, after, filter }, context };
}

export const asks: Asks = ({ search }) => [customersAt(filtersIn(search, names))];

export default function CustomersPage() {
  const filters = useFilters(...names);
  const { q, email, from, until } = filters.values;
  const [{ data, error }, again] = useQuery(customersAt(filters));
  return (
    <Page title="Customers" text="Who buys or holds tickets. Newest first.">
      <FilterBar>
        <SearchFilter label="Name or company" value={q} onChange={(value) => filters.set({ q: value })} />
        <MoreFilters values={[email, from, until]}>
          <SearchFilter
            slash={false}
            label="Whole e-mail"
            value={email}
            onChange={(value) => filters.set({ email: value })}
          />
          <DayFilter
            label="Created between"
            from={from}
            until={until}
            onChange={(first, last) => filters.set({ from: first, until: last })}
          />
        </MoreFilters>
      </FilterBar>
      <DataTable
        label="Customers"
        columns={columns}
        rows={data?.customers.nodes}
        rowKey={(customer) => customer._id}
        error={error}
        onRetry={again}
        filtered={filters.filtered}
        onClearFilters={filters.clear}
        paging={{ ...filters, next: nextPage(data?.customers.pageInfo) }}
        empty={{
          icon: Users,
          title: "No customers yet",
          text: "They appear here when a program makes them by createCustomer.",
        }}
      />
    </Page>
  );
}
