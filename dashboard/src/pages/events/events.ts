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

/** Formats a time in the event's zone. A time that the clock shows twice gets the zone's abbreviation. */
export function timeAt(instant: string, timeZone: string): string {
  return new Intl.DateTimeFormat(undefined, {
    dateStyle: "medium",
    timeStyle: isShownTwice(instant, timeZone) ? "long" : "short",
    timeZone,
  }).format(new Date(instant));
}

/** Reports whether the clock shows a time a second time, because it was set back. */
export function isShownTwice(instant: string, timeZone: string): boolean {
  return shownAt(wallClock(instant, timeZone), timeZone).length > 1;
}

/** Reports whether the clock never shows a time, because it was set forward. */
export function isSkipped(clock: string, timeZone: string): boolean {
  return shownAt(clock, timeZone).length === 0;
}

/** Returns the formatter for the parts of a time in a zone. It is cached, because creating it is slow. */
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

/** Returns the wall-clock time in a zone, in the format of forms: `2026-05-01 20:00:00`. */
export function wallClock(instant: string, timeZone: string): string {
  const parts = formatOf(timeZone).formatToParts(new Date(instant));
  const part = (type: string) => parts.find((one) => one.type === type)?.value ?? "";
  return `${part("year").padStart(4, "0")}-${part("month")}-${part("day")} ${part("hour")}:${part("minute")}:${part("second")}`;
}

const day = 86_400_000;

const utc = (clock: string) => Date.parse(`${clock.replace(" ", "T")}Z`);

/** Returns how far the clock in a zone is ahead of UTC, in milliseconds. */
const offsetAt = (instant: number, timeZone: string) =>
  utc(wallClock(new Date(instant).toISOString(), timeZone)) - Math.floor(instant / 1000) * 1000;

/** Returns the candidates for a wall-clock time, using the offsets of the day before and the day after. */
const meantBy = (clock: string, timeZone: string) =>
  [-day, day].map((away) => utc(clock) - offsetAt(utc(clock) + away, timeZone));

/** Returns the times at which the clock shows a wall-clock time, in ascending order: none, one or two. */
function shownAt(clock: string, timeZone: string): number[] {
  const instants = [...new Set(meantBy(clock, timeZone))].sort((a, b) => a - b);
  return instants.filter((instant) => wallClock(new Date(instant).toISOString(), timeZone) === clock);
}

/**
 * Returns the time at which the clock shows a wall-clock time, the earlier one of two. A skipped time is moved forward by the
 * length of the gap: with one hour skipped, 02:30 becomes 03:30 (DASH-20).
 */
export function instantAt(clock: string, timeZone: string): string {
  const [instant = Math.max(...meantBy(clock, timeZone))] = shownAt(clock, timeZone);
  return new Date(instant).toISOString();
}

/** Returns the value of the browser's input, which may omit seconds, as a wall-clock time; null if empty or beyond year 9999. */
export function clockOf(value: string): string | null {
  if (!/^\d{4}-\d\d-\d\dT\d\d:\d\d/.test(value)) return null;
  return `${value.replace("T", " ")}:00`.slice(0, "2026-05-01 20:00:00".length);
}

/** A time in a form. */
export interface FormTime {
  clock: string;
  timeZone: string;
}

/**
 * Returns the time that a form denotes. An unedited time stays exactly as loaded, because the form shows no fractions of a
 * second, and an hour may be shown twice. If only the zone is edited, the wall-clock time is kept.
 */
export function instantOf({ clock, timeZone }: FormTime, loaded?: { instant: string; timeZone: string }): string {
  const untouched = loaded?.timeZone === timeZone && wallClock(loaded.instant, timeZone) === clock;
  return untouched ? loaded.instant : instantAt(clock, timeZone);
}

/** Current names of zones that ICU-based browsers, such as Chromium, list only by their former names. */
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

/** Returns the time zone options, UTC first: the browser's list, renamed zones, and zones in use (DASH-26). */
export function timeZones(...inUse: string[]): string[] {
  const zones = new Set([...Intl.supportedValuesOf("timeZone"), ...renamedZones.filter(isKnown), ...inUse]);
  zones.delete("UTC");
  return ["UTC", ...[...zones].sort()];
}

/** Reports whether the browser supports a zone. Older ones lack recent names. */
function isKnown(timeZone: string): boolean {
  try {
    return Boolean(new Intl.DateTimeFormat("en", { timeZone }));
  } catch {
    return false;
  }
}

/** Returns the browser's zone, the default for new events. */
export const ownTimeZone = () => Intl.DateTimeFormat().resolvedOptions().timeZone;
