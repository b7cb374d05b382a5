import { Users } from "lucide-react";
import { Lines, Quiet, RowLink } from "../../components/cells";
import type { Column } from "../../components/DataTable";
import { days } from "../../components/DayFilter";
import { search } from "../../components/fields";
import { ListPage } from "../../components/ListPage";
import { defineList } from "../../components/list";
import { RelativeTime } from "../../components/RelativeTime";
import { address } from "../../lib/address";
import { daySpan } from "../../lib/days";
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
  { header: "Email", cell: (customer) => customer.email || "–", visibleFrom: "sm" },
  {
    header: "Location",
    cell: (customer) => [customer.city, customer.country].filter(Boolean).join(", ") || "–",
    visibleFrom: "md",
  },
  { header: "Created", cell: (customer) => <RelativeTime at={customer.createdAt} /> },
];

const customers = defineList({
  document: CustomersDocument,
  rows: (data) => data.customers,
  types: ["Customer"],
  fields: [search("q", "Name or company")],
  more: [search("email", "Exact email"), days("Created")],
  variables(page, { q, email, from, until }) {
    return { ...page, filter: { name: q, email, ...daySpan("created", from, until) } };
  },
});

export const { asks } = customers;

export default function CustomersPage() {
  return (
    <ListPage
      title="Customers"
      text="Ticket buyers and holders, newest first."
      list={customers}
      columns={columns}
      empty={{
        icon: Users,
        title: "No customers yet",
        text: "Customers appear here when a program creates them with createCustomer.",
      }}
    />
  );
}
