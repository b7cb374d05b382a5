import { ListChecks } from "lucide-react";
import { Lines, Quiet, RowLink } from "../../components/cells";
import type { Column } from "../../components/DataTable";
import { search } from "../../components/fields";
import { ListPage } from "../../components/ListPage";
import { defineList } from "../../components/list";
import { RelativeTime } from "../../components/RelativeTime";
import { StatusPill } from "../../components/StatusPill";
import { address } from "../../lib/address";
import { entryTypes, listTypes, type SizedList, sizeOf } from "./lists";
import { ListsDocument } from "./lists.generated";

const columns: Column<SizedList>[] = [
  {
    header: "Name",
    cell: (list) => (
      <Lines>
        <RowLink to={address("/lists", list._id)}>{list.name}</RowLink>
        {list.http && <Quiet lines={1}>{list.http.url}</Quiet>}
        {list.type === "static" && <Quiet hiddenFrom="xs">Entries: {sizeOf(list)}</Quiet>}
      </Lines>
    ),
  },
  { header: "Type", cell: (list) => <StatusPill {...listTypes[list.type]} /> },
  { header: "Entries", cell: sizeOf, align: "right", width: 110, visibleFrom: "xs" },
  { header: "Created", cell: (list) => <RelativeTime at={list.createdAt} />, visibleFrom: "md" },
  { header: "Updated", cell: (list) => <RelativeTime at={list.updatedAt} />, visibleFrom: "sm" },
];

const lists = defineList({
  document: ListsDocument,
  rows: (data) => data.accessLists,
  types: ["AccessList", ...entryTypes],
  fields: [search("name", "Search by name")],
  variables: (page, { name }) => ({ ...page, filter: { name } }),
});

export const { asks } = lists;

export default function ListsPage() {
  return (
    <ListPage
      title="Access lists"
      text="Codes of cards, wristbands and other media, which devices exchange for tickets."
      create={{ to: "/lists/new", label: "Create list", role: "MANAGER" }}
      list={lists}
      columns={columns}
      empty={{
        icon: ListChecks,
        title: "No access lists yet",
        text: "Create a list to admit people with a code other than their ticket's barcode, such as a season card.",
      }}
    />
  );
}
