import { CalendarDays } from "lucide-react";
import { Lines, Quiet, RowLink } from "../../components/cells";
import type { Column } from "../../components/DataTable";
import { days } from "../../components/DayFilter";
import { search, select } from "../../components/fields";
import { ListPage } from "../../components/ListPage";
import { defineList } from "../../components/list";
import { RelativeTime } from "../../components/RelativeTime";
import { address } from "../../lib/address";
import { daySpan } from "../../lib/days";
import { oneOf } from "../../lib/states";
import { eventTypes, type TicketedEvent, timeAt } from "./events";
import { EventsDocument } from "./events.generated";

const columns: Column<TicketedEvent>[] = [
  {
    header: "Name",
    cell: (event) => (
      <Lines>
        <RowLink to={address("/events", event._id)}>{event.name}</RowLink>
        <Quiet>{eventTypes[event.type]}</Quiet>
      </Lines>
    ),
  },
  {
    header: "Start",
    cell: (event) => (
      <Lines>
        {/* A date and a time take at most two lines, even next to a long name. */}
        <div style={{ minWidth: "8.5rem" }}>{timeAt(event.start, event.timeZone)}</div>
        <Quiet>{event.timeZone}</Quiet>
        <Quiet>
          <RelativeTime at={event.start} />
        </Quiet>
      </Lines>
    ),
  },
  { header: "Updated", cell: (event) => <RelativeTime at={event.updatedAt} />, visibleFrom: "md" },
];

const events = defineList({
  document: EventsDocument,
  rows: (data) => data.events,
  types: ["Event"],
  fields: [search("q", "Search by name")],
  more: [select({ name: "type", label: "Type", of: eventTypes }), days("Start")],
  linked: ["root", "parent"],
  variables(page, { q, type, root, parent, from, until }) {
    const filter = {
      name: q,
      type: oneOf(eventTypes, type),
      rootEventId: root,
      parentEventId: parent,
      ...daySpan("start", from, until),
    };
    return { ...page, filter };
  },
});

export const { asks } = events;

export default function EventsPage() {
  return (
    <ListPage
      title="Events"
      text="Events you sell tickets for, oldest first."
      create={{ to: "/events/new", label: "Create event", role: "MANAGER" }}
      list={events}
      columns={columns}
      empty={{
        icon: CalendarDays,
        title: "No events yet",
        text: "Create an event, then add its ticket types.",
      }}
    />
  );
}
