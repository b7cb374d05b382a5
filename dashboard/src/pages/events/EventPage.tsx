import { Anchor, Button, Group, Stack, Tabs } from "@mantine/core";
import { Link, useNavigate, useSearchParams } from "react-router";
import { useQuery } from "urql";
import { CopyValue } from "../../components/CopyValue";
import { DangerAction, DangerZone } from "../../components/DangerZone";
import { Editor } from "../../components/Editor";
import { Facts } from "../../components/Facts";
import { Loaded } from "../../components/Loaded";
import { Page } from "../../components/Page";
import { RelativeTime } from "../../components/RelativeTime";
import { useAction } from "../../components/useAction";
import { useEdit } from "../../components/useEdit";
import { useNow } from "../../components/useNow";
import { narrowed, useRecordId } from "../../lib/address";
import { changedOf } from "../../lib/changed";
import { useMay } from "../../session/session";
import { EventLink } from "../sales/Links";
import { RawJson } from "../sales/RawJson";
import { DeliveriesOf } from "../webhooks/DeliveriesOf";
import { EventForm, eventFields, eventInput, eventValues, SaveButton, useEventForm } from "./EventForm";
import { codeDisplays, eventTypes, type TicketedEvent, timeAt } from "./events";
import { DeleteEventDocument, EventDocument, type EventQuery, UpdateEventDocument } from "./events.generated";
import { TicketTypes } from "./TicketTypes";

export default function EventPage() {
  const id = useRecordId();
  const [search, setSearch] = useSearchParams();
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
            <Tabs
              value={search.get("tab") ?? "types"}
              onChange={(tab) => setSearch(tab === "types" ? {} : { tab: tab ?? "" })}
              keepMounted={false}
            >
              <Tabs.List mb="lg">
                <Tabs.Tab value="types">Ticket types</Tabs.Tab>
                {mayChange && <Tabs.Tab value="settings">Settings</Tabs.Tab>}
                {developer && <Tabs.Tab value="deliveries">Deliveries</Tabs.Tab>}
                <Tabs.Tab value="json">JSON</Tabs.Tab>
              </Tabs.List>
              <Tabs.Panel value="types">
                <TicketTypes eventId={id} />
              </Tabs.Panel>
              <Tabs.Panel value="settings">
                {mayChange && <Editor of={event}>{(opened) => <ChangeEvent of={opened} />}</Editor>}
              </Tabs.Panel>
              <Tabs.Panel value="deliveries">
                <DeliveriesOf objectId={id} />
              </Tabs.Panel>
              <Tabs.Panel value="json">
                <RawJson value={event} edges={["parent", "root"]} />
              </Tabs.Panel>
            </Tabs>
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
        Transactions
      </Button>
      <Button component={Link} to={narrowed("/tickets", "event", id)} variant="default">
        Tickets
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
        ["Id", <CopyValue key="id" value={event._id} label="Copy the id" />],
        ["Type", eventTypes[type]],
        ["Time zone", timeZone],
        ["Start", timeAt(event.start, timeZone)],
        ["End", event.end ? timeAt(event.end, timeZone) : "at its start"],
        ["Code", codeDisplays[event.codeDisplay]],
        ["Code shown", barcodeRevealDate ? `from ${timeAt(barcodeRevealDate, timeZone)}` : "at any time"],
        ["Address in a checkout", event.skipAddressInfo ? "may be left out" : "is asked for"],
        ...(rootEventId ? [["Series", <EventLink key="root" id={rootEventId} event={event.root} />] as Fact] : []),
        ...(parentEventId
          ? [["Part of", <EventLink key="parent" id={parentEventId} event={event.parent} />] as Fact]
          : []),
        ...(filter
          ? [
              [
                "Its events",
                <Anchor key="parts" component={Link} to={narrowed("/events", filter, event._id)} size="sm">
                  Show them
                </Anchor>,
              ] as Fact,
            ]
          : []),
        ["Created", <RelativeTime key="created" at={event.createdAt} />],
        ["Changed", <RelativeTime key="changed" at={event.updatedAt} />],
      ]}
    />
  );
}

type Fact = [label: string, value: React.ReactNode];

function ChangeEvent({ of: event }: { of: TicketedEvent }) {
  const navigate = useNavigate();
  const form = useEventForm(event);
  const load = useNow(EventDocument);
  const { save, busy, dialog } = useEdit(UpdateEventDocument, {
    of: event,
    form,
    values: eventValues,
    fields: eventFields,
    variables: (values, over) => ({
      id: over._id,
      input: { ...changedOf<object>(eventInput(values, over), over), expectedUpdatedAt: over.updatedAt },
    }),
    load: async () => (await load({ id: event._id }))?.event,
    done: "The event was changed",
  });
  const [remove] = useAction(DeleteEventDocument, { done: "The event was deleted" });
  return (
    <Stack gap="lg">
      <EventForm event={event} form={form} onSubmit={save}>
        <SaveButton busy={busy} changed={form.isDirty()} />
      </EventForm>
      {dialog}
      <DangerZone>
        <DangerAction
          title="Delete this event"
          text="Its ticket types and scan zones go with it. It stays while events, tickets or scan groups refer to it."
          button="Delete"
          typed={event.name}
          onConfirm={async () => {
            if (await remove({ id: event._id })) await navigate("/events", { replace: true });
          }}
        />
      </DangerZone>
    </Stack>
  );
}
