import { Anchor, Button, Group, Stack } from "@mantine/core";
import { Link } from "react-router";
import { useQuery } from "urql";
import { CopyValue } from "../../components/CopyValue";
import { DangerZone } from "../../components/DangerZone";
import { DeleteRecord } from "../../components/DeleteAction";
import { Editor } from "../../components/Editor";
import { Facts } from "../../components/Facts";
import { Loaded } from "../../components/Loaded";
import { Page } from "../../components/Page";
import { PageTabs } from "../../components/PageTabs";
import { RelativeTime } from "../../components/RelativeTime";
import { SaveButton } from "../../components/SaveButton";
import { useRecordEdit } from "../../components/useEdit";
import { narrowed, useRecordId } from "../../lib/address";
import { changedOf } from "../../lib/changed";
import { useMay } from "../../session/session";
import { EventLink } from "../sales/Links";
import { RawJson } from "../sales/RawJson";
import { DeliveriesOf } from "../webhooks/DeliveriesOf";
import { EventForm, eventFields, eventInput, eventValues, useEventForm } from "./EventForm";
import { codeDisplays, eventTypes, type TicketedEvent, timeAt } from "./events";
import { DeleteEventDocument, EventDocument, type EventQuery, UpdateEventDocument } from "./events.generated";
import { TicketTypes } from "./TicketTypes";

export default function EventPage() {
  const id = useRecordId();
  const developer = useMay("DEVELOPER");
  const mayChange = useMay("MANAGER");
  const [{ data, error }, again] = useQuery({ query: EventDocument, variables: { id } });
  return (
    <Page
      title={data?.event.name ?? "Event"}
      parents={[{ to: "/events", label: "Events" }]}
      actions={data && <Sold id={id} />}
    >
      <Loaded data={data} error={error} onRetry={again}>
        {({ event }) => (
          <Stack gap="lg">
            <EventFacts of={event} />
            <PageTabs
              tabs={[
                { name: "types", label: "Ticket types", panel: <TicketTypes eventId={id} /> },
                mayChange && {
                  name: "settings",
                  label: "Settings",
                  panel: <Editor of={event}>{(opened) => <ChangeEvent of={opened} />}</Editor>,
                },
                developer && { name: "deliveries", label: "Deliveries", panel: <DeliveriesOf objectId={id} /> },
                { name: "json", label: "JSON", panel: <RawJson value={event} edges={["parent", "root"]} /> },
              ]}
            />
          </Stack>
        )}
      </Loaded>
    </Page>
  );
}

function Sold({ id }: { id: string }) {
  return (
    <Group gap="sm">
      <Button component={Link} to={narrowed("/transactions", "event", id)} variant="default">
        View transactions
      </Button>
      <Button component={Link} to={narrowed("/tickets", "event", id)} variant="default">
        View tickets
      </Button>
    </Group>
  );
}

function EventFacts({ of: event }: { of: EventQuery["event"] }) {
  const { timeZone, barcodeRevealDate, rootEventId, parentEventId, type } = event;
  const filter = { ROOT: "root", GROUP: "parent", SINGLE: undefined, RECURRENCE: undefined }[type];
  return (
    <Facts
      facts={[
        ["ID", <CopyValue key="id" value={event._id} label="Copy ID" />],
        ["Type", eventTypes[type]],
        ["Time zone", timeZone],
        ["Start", timeAt(event.start, timeZone)],
        ["End", event.end ? timeAt(event.end, timeZone) : "None"],
        ["Code display", codeDisplays[event.codeDisplay]],
        ...(event.codeDisplay === "NONE" ? [] : [["Code visible", visibility(barcodeRevealDate, timeZone)] as Fact]),
        ["Buyer's address", event.skipAddressInfo ? "Optional" : "Required"],
        ...(rootEventId ? [["Series", <EventLink key="root" id={rootEventId} event={event.root} />] as Fact] : []),
        ...(parentEventId
          ? [["Part of", <EventLink key="parent" id={parentEventId} event={event.parent} />] as Fact]
          : []),
        ...(filter
          ? [
              [
                "Events",
                <Anchor key="parts" component={Link} to={narrowed("/events", filter, event._id)} size="sm">
                  View events
                </Anchor>,
              ] as Fact,
            ]
          : []),
        ["Created", <RelativeTime key="created" at={event.createdAt} />],
        ["Updated", <RelativeTime key="changed" at={event.updatedAt} />],
      ]}
    />
  );
}

type Fact = [label: string, value: React.ReactNode];

/** Describes when ticket holders can see their code. */
function visibility(from: string | null | undefined, timeZone: string): string {
  return from ? `From ${timeAt(from, timeZone)}` : "Always";
}

function ChangeEvent({ of: event }: { of: TicketedEvent }) {
  const form = useEventForm(event);
  const { save, busy, dialog } = useRecordEdit(UpdateEventDocument, {
    of: event,
    form,
    values: eventValues,
    fields: eventFields,
    input: (values, over) => changedOf<object>(eventInput(values, over), over),
    query: EventDocument,
    found: ({ event }) => event,
    done: "Event saved",
  });
  return (
    <Stack gap="lg">
      <EventForm event={event} form={form} onSubmit={save}>
        <SaveButton busy={busy} changed={form.isDirty()} />
      </EventForm>
      {dialog}
      <DangerZone>
        <DeleteRecord
          noun="event"
          of={event}
          text="Its ticket types and scan zones are deleted too. This can't be undone. An event can't be deleted while events, tickets or scan groups use it."
          document={DeleteEventDocument}
          after="/events"
        />
      </DangerZone>
    </Stack>
  );
}
