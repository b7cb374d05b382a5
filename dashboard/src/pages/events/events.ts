import type { CodeDisplay, EventFieldsFragment, TicketedEventType, TicketTypeFieldsFragment } from "./events.generated";

export type TicketedEvent = EventFieldsFragment;
export type TicketType = TicketTypeFieldsFragment;

export const eventTypes: Record<TicketedEventType, string> = {
  SINGLE: "Single event",
  GROUP: "Group of events",
  RECURRENCE: "Date of a series",
  ROOT: "Series",
};

export const codeDisplays: Record<CodeDisplay, string> = {
  QR: "QR code",
  BARCODE: "Barcode",
  NONE: "Not shown",
};

/** A time at the event's place, as people there read it; one that the clock shows twice is told by the zone's short name. */
export function timeAt(instant: string, timeZone: string): string {
  return new Intl.DateTimeFormat(undefined, {
    dateStyle: "medium",
    timeStyle: isShownTwice(instant, timeZone) ? "long" : "short",
    timeZone,
  }).format(new Date(instant));
}

/** Whether the clock at a place shows the same again, having been put back by half an hour or a whole one. */
export function isShownTwice(instant: string, timeZone: string): boolean {
  const clock = wallClock(instant, timeZone);
  return [-60, -30, 30, 60].some((minutes) => {
    const other = new Date(Date.parse(instant) + minutes * 60_000);
    return wallClock(other.toISOString(), timeZone) === clock;
  });
}

/** An instant as the clock at a place shows it: `2026-05-01 20:00:00`, which is what pickers take. */
export function wallClock(instant: string, timeZone: string): string {
  const parts = new Intl.DateTimeFormat("en-GB", {
    timeZone,
    year: "numeric",
    month: "2-digit",
    day: "2-digit",
    hour: "2-digit",
    minute: "2-digit",
    second: "2-digit",
    hourCycle: "h23",
  }).formatToParts(new Date(instant));
  const part = (type: string) => parts.find((one) => one.type === type)?.value ?? "";
  return `${part("year").padStart(4, "0")}-${part("month")}-${part("day")} ${part("hour")}:${part("minute")}:${part("second")}`;
}

/**
 * The instant at which the clock at a place shows a time. An hour that the clock leaves out in spring becomes the one
 * after it.
 */
export function instantAt(clock: string, timeZone: string): string {
  const wanted = Date.parse(`${clock.replace(" ", "T")}Z`);
  let instant = wanted;
  // The second round corrects for a change of the clock between the guess and the answer.
  for (let round = 0; round < 2; round++) {
    const shown = Date.parse(`${wallClock(new Date(instant).toISOString(), timeZone).replace(" ", "T")}Z`);
    instant += wanted - shown;
  }
  return new Date(instant).toISOString();
}

/** A time as a form has it. */
export interface FormTime {
  clock: string;
  timeZone: string;
}

/**
 * The instant that a form's time means. As long as it shows what it showed when it was loaded, that is what was loaded:
 * fractions of a second are not shown, and an hour may be shown twice. Another time zone alone means another instant,
 * that at which the clock there shows the same.
 */
export function instantOf({ clock, timeZone }: FormTime, loaded?: { instant: string; timeZone: string }): string {
  const untouched = loaded?.timeZone === timeZone && wallClock(loaded.instant, timeZone) === clock;
  return untouched ? loaded.instant : instantAt(clock, timeZone);
}

/** The time zones that the browser knows, UTC first. */
export function timeZones(): string[] {
  return ["UTC", ...Intl.supportedValuesOf("timeZone").filter((zone) => zone !== "UTC")];
}
