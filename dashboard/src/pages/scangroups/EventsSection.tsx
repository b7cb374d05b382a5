import { ActionIcon, Group, MultiSelect, NumberInput, Paper, Select, Stack, Switch, Text } from "@mantine/core";
import { Trash2 } from "lucide-react";
import { useQuery } from "urql";
import { nameOf, toChoices, useEventChoices, withChosen } from "../../components/choices";
import { Panel } from "../../components/Panel";
import { eventValues } from "./scangroups";
import { TicketTypeChoicesDocument } from "./scangroups.generated";
import type { GroupForm } from "./useScanGroupForm";

/** The events that may be scanned, with their settings. */
export function EventsSection({ form }: { form: GroupForm }) {
  const chosen = form.values.events.map(({ eventId }) => eventId);
  const events = withChosen(useEventChoices(), chosen);
  return (
    <Panel title="Events" text="Only tickets for these events are admitted.">
      {form.values.events.map(({ eventId }, index) => (
        <EventCard key={eventId} form={form} index={index} name={nameOf(events, eventId)} />
      ))}
      {chosen.length === 0 && (
        <Text size="sm" c="dimmed">
          No events yet. Every scan is declined.
        </Text>
      )}
      <Select
        key={chosen.join()}
        label="Add event"
        placeholder="Search by name"
        data={events.filter(({ value }) => !chosen.includes(value))}
        value={null}
        onChange={(eventId) => eventId && form.insertListItem("events", eventValues(eventId))}
        searchable
        nothingFoundMessage="No other events match"
      />
    </Panel>
  );
}

interface CardProps {
  form: GroupForm;
  index: number;
  name: string;
}

function EventCard({ form, index, name }: CardProps) {
  return (
    <Paper withBorder p="md" component="section" aria-label={name}>
      <Stack gap="sm">
        <Group justify="space-between" wrap="nowrap">
          <Text fw={550} style={{ overflowWrap: "anywhere" }} miw={0}>
            {name}
          </Text>
          <ActionIcon
            variant="subtle"
            color="gray"
            aria-label={`Remove ${name}`}
            onClick={() => form.removeListItem("events", index)}
          >
            <Trash2 size={16} aria-hidden />
          </ActionIcon>
        </Group>
        <TicketTypes form={form} index={index} />
        {form.values.checkTimeslots && <Slot form={form} index={index} />}
        <EventTime form={form} index={index} />
      </Stack>
    </Paper>
  );
}

type PartProps = Omit<CardProps, "name">;

function TicketTypes({ form, index }: PartProps) {
  const event = form.values.events[index];
  const variables = { eventId: event?.eventId ?? "" };
  const [{ data }] = useQuery({ query: TicketTypeChoicesDocument, variables });
  const types = withChosen(toChoices(data?.ticketTypes.nodes), event?.ticketTypeIds ?? []);
  return (
    <>
      <Switch label="All ticket types" {...form.getInputProps(`events.${index}.allTypes`, { type: "checkbox" })} />
      {!event?.allTypes && (
        <MultiSelect
          label="Ticket types"
          placeholder={event?.ticketTypeIds.length ? "" : "None – every ticket is declined"}
          data={types}
          searchable
          nothingFoundMessage="No ticket types match"
          {...form.getInputProps(`events.${index}.ticketTypeIds`)}
        />
      )}
    </>
  );
}

function Slot({ form, index }: PartProps) {
  return (
    <Group grow preventGrowOverflow={false} align="flex-end">
      <NumberInput
        label="Minutes before timeslot start"
        placeholder="0"
        min={0}
        max={525_600}
        miw={200}
        {...form.getInputProps(`events.${index}.beforeMinutes`)}
      />
      <NumberInput
        label="Minutes after timeslot start"
        placeholder="0"
        min={0}
        max={525_600}
        miw={200}
        {...form.getInputProps(`events.${index}.afterMinutes`)}
      />
    </Group>
  );
}

function EventTime({ form, index }: PartProps) {
  return (
    <>
      <Switch label="Limit to event time" {...form.getInputProps(`events.${index}.checkTime`, { type: "checkbox" })} />
      {form.values.events[index]?.checkTime && (
        <Group grow preventGrowOverflow={false} align="flex-end">
          <NumberInput
            label="Hours before event start"
            placeholder="0"
            min={0}
            max={8760}
            miw={200}
            {...form.getInputProps(`events.${index}.beforeHours`)}
          />
          <NumberInput
            label="Hours after event end"
            placeholder="0"
            min={0}
            max={8760}
            miw={200}
            {...form.getInputProps(`events.${index}.afterHours`)}
          />
        </Group>
      )}
    </>
  );
}
