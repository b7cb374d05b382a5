import { Group, Paper, Select, Stack, Switch, TextInput, type TextInputProps } from "@mantine/core";
import { useForm } from "@mantine/form";
import { type ReactNode, useMemo } from "react";
import type { Fields } from "../../lib/conflict";
import { optionsOf } from "../../lib/states";
import { nameError } from "../../lib/validation";
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

/** Times are wall-clock times in the event's time zone. */
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
  codeDisplay: { label: "Code display", show: (display) => codeDisplays[display] },
  skipAddressInfo: "Address optional",
};

/** Returns the form values of an event; the defaults if there is none. */
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
      name: nameError,
      start: (start) => (start ? null : "Enter a start time"),
      end: (_, values) => {
        const { start, end } = instantsOf(values, event);
        return start && end && Date.parse(end) < Date.parse(start) ? "The end must not be before the start" : null;
      },
    },
  });
}

/** Returns the times that the form denotes; null if empty. */
function instantsOf({ start, end, timeZone }: EventValues, event?: TicketedEvent) {
  const instant = (clock: string | null, loaded: string | null | undefined) =>
    clock &&
    instantOf({ clock, timeZone }, event && loaded ? { instant: loaded, timeZone: event.timeZone } : undefined);
  return { start: instant(start, event?.start), end: instant(end, event?.end) };
}

/** Returns the API input for the form values, without the type, which can't be changed. */
export function eventInput(values: EventValues, event?: TicketedEvent) {
  const { name, timeZone, codeDisplay, skipAddressInfo } = values;
  const { start, end } = instantsOf(values, event);
  return { name: name.trim(), start: start ?? "", end, timeZone, codeDisplay, skipAddressInfo };
}

interface Props {
  /** The event to edit; undefined to create one. */
  event?: TicketedEvent;
  form: ReturnType<typeof useEventForm>;
  onSubmit: (values: EventValues) => Promise<void>;
  /** The buttons of the form. */
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
              description="Can't be changed later."
              data={optionsOf(eventTypes)}
              allowDeselect={false}
              {...form.getInputProps("type")}
            />
          )}
          <Select
            label="Time zone"
            description="Venue time zone. Times below are local to the venue."
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
            label="Code display"
            description="How the ticket shows its code to the holder."
            data={optionsOf(codeDisplays)}
            allowDeselect={false}
            {...form.getInputProps("codeDisplay")}
          />
          <Switch
            label="Address optional"
            description="Buyers can check out without an address, unless company identification requires one."
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
 * An input for a wall-clock time such as `2026-05-01 20:00:00`. The browser's input has no time zone. A picker in the browser's
 * zone would change times that the browser's clock skips (DASH-20).
 */
function ClockInput({ value, onChange, ...props }: ClockInputProps) {
  return (
    <TextInput
      type="datetime-local"
      miw={220}
      max="9999-12-31T23:59:59"
      step={!value || value.endsWith(":00") ? 60 : 1}
      // In the browser's own format. Another format would set the value again on each key and restart the number being typed.
      value={value?.replace(" ", "T").replace(/:00$/, "") ?? ""}
      onChange={({ currentTarget }) => onChange?.(clockOf(currentTarget.value))}
      {...props}
    />
  );
}

/** Describes which time is meant if the clock shows it twice or skips it. */
function whichOf(clock: string | null, instant: string | null, timeZone: string): string | undefined {
  if (!clock || !instant) return undefined;
  if (isSkipped(clock, timeZone)) return `Clocks go forward and skip this time. ${timeAt(instant, timeZone)} is used.`;
  if (isShownTwice(instant, timeZone))
    return `Clocks go back, so this time occurs twice. ${timeAt(instant, timeZone)} is used.`;
  return undefined;
}
