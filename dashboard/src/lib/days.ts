import dayjs from "dayjs";

const dayFormat = new Intl.DateTimeFormat(undefined, { dateStyle: "medium" });
const minuteFormat = new Intl.DateTimeFormat(undefined, { dateStyle: "medium", timeStyle: "short" });

/** Formats a day such as 2026-11-28, or the day of a time, as the browser's locale does. */
export const shownDay = (day: string) => dayFormat.format(dayjs(day).toDate());

/** Formats a day and time to the minute, as the browser's locale does. */
export const shownMinute = (time: string) => minuteFormat.format(dayjs(time).toDate());

/** Returns the text if it is a valid day. Addresses can be edited. Within these bounds, no time zone changes the year format. */
export function realDay(text: string | null | undefined): string | undefined {
  if (!text || !/^\d{4}-\d\d-\d\d$/.test(text) || text < "1970" || text >= "9999") return undefined;
  const at = new Date(`${text}T00:00Z`);
  return !Number.isNaN(at.getTime()) && at.toISOString().startsWith(text) ? text : undefined;
}

/** Returns the time that a text denotes, if it is valid and its year is within the same bounds. */
export function realInstant(text: string | undefined): string | undefined {
  const at = new Date(text ?? "");
  const instant = Number.isNaN(at.getTime()) ? "" : at.toISOString();
  return realDay(instant.slice(0, 10)) && instant;
}

/** Returns filters from the start of one day to the end of another, in the browser's time zone. */
export function daySpan<Time extends string>(time: Time, from: string | undefined, until: string | undefined) {
  return {
    [`${time}From`]: day(from)?.toISOString(),
    [`${time}Until`]: day(until)?.add(1, "day").toISOString(),
  } as Record<`${Time}From` | `${Time}Until`, string | undefined>;
}

/** Returns the time some minutes ago, rounded to the minute, so that repeated queries are identical. */
export function minutesAgo(minutes: number, now = Date.now()): string {
  const minute = 60_000;
  return new Date((Math.floor(now / minute) - minutes) * minute).toISOString();
}

function day(text: string | undefined) {
  return realDay(text) ? dayjs(text) : undefined;
}
