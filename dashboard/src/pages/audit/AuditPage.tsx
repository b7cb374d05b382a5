import { ScrollText } from "lucide-react";
import { Lines, Quiet, RowButton } from "../../components/cells";
import type { Column } from "../../components/DataTable";
import { days } from "../../components/DayFilter";
import { search } from "../../components/fields";
import { ListPage } from "../../components/ListPage";
import { defineList } from "../../components/list";
import { RelativeTime } from "../../components/RelativeTime";
import { daySpan } from "../../lib/days";
import { AuditLogDocument } from "./audit.generated";
import { Actor, type Entry, EntryDetails, Identified, Named } from "./EntryDetails";
import { inWords } from "./words";

const audit = defineList({
  document: AuditLogDocument,
  rows: (data) => data.auditLog,
  types: ["AuditEntry"],
  fields: [search("action", "Action, such as updateApiKey")],
  more: [
    search("kind", "Object type, such as apiKey"),
    search("object", "Object ID"),
    search("actor", "Actor ID"),
    days("Date"),
  ],
  variables(page, { action, kind, object, actor, from, until }) {
    const filter = { action, object: kind, objectId: object, actorId: actor, ...daySpan("at", from, until) };
    return { ...page, filter };
  },
});

export const { asks } = audit;

export default function AuditPage() {
  return (
    <ListPage
      title="Audit log"
      text="All changes to this seller and its data, newest first."
      list={audit}
      columns={columns}
      empty={{ icon: ScrollText, title: "No changes yet", text: "Changes to this seller and its data appear here." }}
      details={{
        title: (entry) => inWords(entry.action),
        content: (entry, { filters, close }) => (
          <EntryDetails
            of={entry}
            onNarrow={(filter) => {
              close();
              filters.set({ action: null, kind: null, object: null, actor: null, from: null, until: null, ...filter });
            }}
          />
        ),
      }}
    />
  );
}

function columns(show: (entry: Entry) => void): Column<Entry>[] {
  return [
    {
      header: "Action",
      cell: (entry) => (
        <Lines>
          <RowButton onClick={() => show(entry)}>{inWords(entry.action)}</RowButton>
          <Identified>{entry.action}</Identified>
          <Quiet hiddenFrom="sm">
            {inWords(entry.object)} {entry.objectId}
          </Quiet>
          {entry.actorName && <Quiet hiddenFrom="sm">{entry.actorName}</Quiet>}
        </Lines>
      ),
    },
    {
      header: "Object",
      cell: (entry) => <Named name={inWords(entry.object)} id={entry.objectId} />,
      visibleFrom: "sm",
    },
    { header: "Actor", cell: (entry) => <Actor of={entry} />, visibleFrom: "md" },
    { header: "Time", cell: (entry) => <RelativeTime at={entry.at} /> },
    { header: "IP address", cell: (entry) => entry.address, visibleFrom: "lg" },
  ];
}
