import { once } from "../../session/store";
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

/** Whether the clock at a place shows the same again, having been put back. */
export function isShownTwice(instant: string, timeZone: string): boolean {
  return shownAt(wallClock(instant, timeZone), timeZone).length > 1;
}

/** Whether the clock at a place never shows a time, having been put forward. */
export function isSkipped(clock: string, timeZone: string): boolean {
  return shownAt(clock, timeZone).length === 0;
}

/** What tells the parts of a time at a place; it takes long to make. */
function formatOf(timeZone: string): Intl.DateTimeFormat {
  const make = () =>
    new Intl.DateTimeFormat("en-GB", {
      timeZone,
      year: "numeric",
      month: "2-digit",
      day: "2-digit",
      hour: "2-digit",
      minute: "2-digit",
      second: "2-digit",
      hourCycle: "h23",
    });
  return once(`clock of ${timeZone}`, make);
}

/** An instant as the clock at a place shows it: `2026-05-01 20:00:00`, which is what forms take. */
export function wallClock(instant: string, timeZone: string): string {
  const parts = formatOf(timeZone).formatToParts(new Date(instant));
  const part = (type: string) => parts.find((one) => one.type === type)?.value ?? "";
  return `${part("year").padStart(4, "0")}-${part("month")}-${part("day")} ${part("hour")}:${part("minute")}:${part("second")}`;
}

const day = 86_400_000;

const utc = (clock: string) => Date.parse(`${clock.replace(" ", "T")}Z`);

/** How far the clock at a place is ahead of UTC, in milliseconds. */
const offsetAt = (instant: number, timeZone: string) =>
  utc(wallClock(new Date(instant).toISOString(), timeZone)) - Math.floor(instant / 1000) * 1000;

/** The instants that the clock at a place would show a time at, by the offsets of the day before and the day after. */
const meantBy = (clock: string, timeZone: string) =>
  [-day, day].map((away) => utc(clock) - offsetAt(utc(clock) + away, timeZone));

/** The instants at which the clock at a place shows a time, the earlier one first: none, one or two. */
function shownAt(clock: string, timeZone: string): number[] {
  const instants = [...new Set(meantBy(clock, timeZone))].sort((a, b) => a - b);
  return instants.filter((instant) => wallClock(new Date(instant).toISOString(), timeZone) === clock);
}

/**
 * The instant at which the clock at a place shows a time: the earlier one of two. A time that the clock skips is as far
 * after the change as it is behind the last time before it: with an hour skipped, 02:30 becomes 03:30 (DASH-20).
 */
export function instantAt(clock: string, timeZone: string): string {
  const [instant = Math.max(...meantBy(clock, timeZone))] = shownAt(clock, timeZone);
  return new Date(instant).toISOString();
}

/** The time of a browser's input, in which seconds may be left out; null for none, and for a year of more than four digits. */
export function clockOf(value: string): string | null {
  if (!/^\d{4}-\d\d-\d\dT\d\d:\d\d/.test(value)) return null;
  return `${value.replace("T", " ")}:00`.slice(0, "2026-05-01 20:00:00".length);
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

/** The current names of zones that browsers built on ICU, such as Chromium, list by their former names alone. */
const renamedZones = [
  "Africa/Asmara",
  "America/Argentina/Buenos_Aires",
  "America/Argentina/Catamarca",
  "America/Argentina/Cordoba",
  "America/Argentina/Jujuy",
  "America/Argentina/Mendoza",
  "America/Atikokan",
  "America/Indiana/Indianapolis",
  "America/Kentucky/Louisville",
  "America/Nuuk",
  "Asia/Ho_Chi_Minh",
  "Asia/Kathmandu",
  "Asia/Kolkata",
  "Asia/Yangon",
  "Atlantic/Faroe",
  "Europe/Kyiv",
  "Pacific/Chuuk",
  "Pacific/Kanton",
  "Pacific/Pohnpei",
];

/** The time zones to choose from, UTC first: the browser's list, renamed zones, and zones in use (DASH-26). */
export function timeZones(...inUse: string[]): string[] {
  const zones = new Set([...Intl.supportedValuesOf("timeZone"), ...renamedZones.filter(isKnown), ...inUse]);
  zones.delete("UTC");
  return ["UTC", ...[...zones].sort()];
}

/** Whether the browser can tell the time in a zone: older ones lack recent names. */
function isKnown(timeZone: string): boolean {
  try {
    return Boolean(new Intl.DateTimeFormat("en", { timeZone }));
  } catch {
    return false;
  }
}

/** The zone of the browser, which an event starts with. */
export const ownTimeZone = () => Intl.DateTimeFormat().resolvedOptions().timeZone;
