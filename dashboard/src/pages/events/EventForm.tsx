import { Group, Paper, Select, Stack, Switch, TextInput, type TextInputProps } from "@mantine/core";
import { useForm } from "@mantine/form";
import { type ReactNode, useMemo } from "react";
import type { Fields } from "../../lib/conflict";
import { optionsOf } from "../../lib/states";
import {
  clockOf,
  codeDisplays,
  eventTypes,
  instantOf,
  isShownTwice,
  isSkipped,
  ownTimeZone,
  type TicketedEvent,
  timeAt,
  timeZones,
  wallClock,
} from "./events";
import type { CodeDisplay, TicketedEventType } from "./events.generated";

/** Times are those of the clock at the event's place. */
export interface EventValues {
  name: string;
  type: TicketedEventType;
  start: string | null;
  end: string | null;
  timeZone: string;
  codeDisplay: CodeDisplay;
  skipAddressInfo: boolean;
}

export const eventFields: Fields<EventValues> = {
  name: "Name",
  type: { label: "Type", show: (type) => eventTypes[type] },
  timeZone: "Time zone",
  start: "Start",
  end: "End",
  codeDisplay: { label: "Code", show: (display) => codeDisplays[display] },
  skipAddressInfo: "Without address",
};

/** The form's values; those of a new event when there is none. */
export function eventValues(event?: TicketedEvent): EventValues {
  const timeZone = event?.timeZone ?? ownTimeZone();
  return {
    name: event?.name ?? "",
    type: event?.type ?? "SINGLE",
    start: event ? wallClock(event.start, timeZone) : null,
    end: event?.end ? wallClock(event.end, timeZone) : null,
    timeZone,
    codeDisplay: event?.codeDisplay ?? "QR",
    skipAddressInfo: event?.skipAddressInfo ?? false,
  };
}

export function useEventForm(event?: TicketedEvent) {
  return useForm<EventValues>({
    initialValues: eventValues(event),
    validate: {
      name: (name) => (name.trim() ? null : "Give the event a name"),
      start: (start) => (start ? null : "Say when the event starts"),
      end: (_, values) => {
        const { start, end } = instantsOf(values, event);
        return start && end && Date.parse(end) < Date.parse(start) ? "The end is before the start" : null;
      },
    },
  });
}

/** What the times mean, null where there is none. */
function instantsOf({ start, end, timeZone }: EventValues, event?: TicketedEvent) {
  const instant = (clock: string | null, loaded: string | null | undefined) =>
    clock &&
    instantOf({ clock, timeZone }, event && loaded ? { instant: loaded, timeZone: event.timeZone } : undefined);
  return { start: instant(start, event?.start), end: instant(end, event?.end) };
}

/** What the API takes of the values: all but the type, which never changes. */
export function eventInput(values: EventValues, event?: TicketedEvent) {
  const { name, timeZone, codeDisplay, skipAddressInfo } = values;
  const { start, end } = instantsOf(values, event);
  return { name: name.trim(), start: start ?? "", end, timeZone, codeDisplay, skipAddressInfo };
}

interface Props {
  /** What is changed; absent when it is new. */
  event?: TicketedEvent;
  form: ReturnType<typeof useEventForm>;
  onSubmit: (values: EventValues) => Promise<void>;
  /** The buttons. */
  children: ReactNode;
}

export function EventForm({ event, form, onSubmit, children }: Props) {
  const zone = form.values.timeZone;
  const stored = event?.timeZone ?? ownTimeZone();
  const zones = useMemo(() => timeZones(stored, zone), [stored, zone]);
  const meant = instantsOf(form.values, event);
  return (
    <Paper withBorder p="lg" maw={760}>
      <form onSubmit={form.onSubmit(onSubmit)}>
        <Stack>
          <TextInput label="Name" required {...form.getInputProps("name")} />
          {!event && (
            <Select
              label="Type"
              description="It never changes."
              data={optionsOf(eventTypes)}
              allowDeselect={false}
              {...form.getInputProps("type")}
            />
          )}
          <Select
            label="Time zone"
            description="Of the place. The times below are what the clock shows there."
            data={zones}
            searchable
            allowDeselect={false}
            limit={100}
            {...form.getInputProps("timeZone")}
          />
          <Group grow preventGrowOverflow={false} align="flex-start">
            <ClockInput
              label="Start"
              withAsterisk
              aria-required
              description={whichOf(form.values.start, meant.start, zone)}
              {...form.getInputProps("start")}
            />
            <ClockInput
              label="End"
              description={whichOf(form.values.end, meant.end, zone)}
              {...form.getInputProps("end")}
            />
          </Group>
          <Select
            label="Code"
            description="How a ticket's code is shown to its holder."
            data={optionsOf(codeDisplays)}
            allowDeselect={false}
            {...form.getInputProps("codeDisplay")}
          />
          <Switch
            label="Without address"
            description="A checkout can do without the buyer's address, unless a rule asks for it."
            {...form.getInputProps("skipAddressInfo", { type: "checkbox" })}
          />
          <Group justify="flex-end">{children}</Group>
        </Stack>
      </form>
    </Paper>
  );
}

type ClockInputProps = Omit<TextInputProps, "value" | "onChange"> & {
  value?: string | null;
  onChange?: (clock: string | null) => void;
};

/**
 * A time as a clock shows it: `2026-05-01 20:00:00`. The browser's own input knows no time zone. A picker that goes by
 * the browser's would change the times that the clock skips there (DASH-20).
 */
function ClockInput({ value, onChange, ...props }: ClockInputProps) {
  return (
    <TextInput
      type="datetime-local"
      miw={220}
      max="9999-12-31T23:59:59"
      step={!value || value.endsWith(":00") ? 60 : 1}
      // As the browser writes it, or each key would set the value anew and begin the number again.
      value={value?.replace(" ", "T").replace(/:00$/, "") ?? ""}
      onChange={({ currentTarget }) => onChange?.(clockOf(currentTarget.value))}
      {...props}
    />
  );
}

/** Which time is meant, if the clock shows it twice or never. */
function whichOf(clock: string | null, instant: string | null, timeZone: string): string | undefined {
  if (!clock || !instant) return undefined;
  if (isSkipped(clock, timeZone)) return `The clock skips this time; ${timeAt(instant, timeZone)} is meant.`;
  if (isShownTwice(instant, timeZone)) return `The clock shows this time twice; ${timeAt(instant, timeZone)} is meant.`;
  return undefined;
}
