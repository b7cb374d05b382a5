import dayjs from "dayjs";

/** The day if it is one: addresses can be typed by hand. No clock makes another year of one between these bounds. */
export function realDay(text: string | null | undefined): string | undefined {
  if (!text || !/^\d{4}-\d\d-\d\d$/.test(text) || text < "1970" || text >= "9999") return undefined;
  const at = new Date(`${text}T00:00Z`);
  return !Number.isNaN(at.getTime()) && at.toISOString().startsWith(text) ? text : undefined;
}

/** The instant that a text says, if it says one whose year is within the same bounds. */
export function realInstant(text: string | undefined): string | undefined {
  const at = new Date(text ?? "");
  const instant = Number.isNaN(at.getTime()) ? "" : at.toISOString();
  return realDay(instant.slice(0, 10)) && instant;
}

/** The filters of a time from the beginning of one day to the end of another, in the browser's time zone. */
export function daySpan<Time extends string>(time: Time, from: string | undefined, until: string | undefined) {
  return {
    [`${time}From`]: day(from)?.toISOString(),
    [`${time}Until`]: day(until)?.add(1, "day").toISOString(),
  } as Record<`${Time}From` | `${Time}Until`, string | undefined>;
}

/** The time so many minutes ago, to the minute, so that the same question is asked until it is over. */
export function minutesAgo(minutes: number, now = Date.now()): string {
  const minute = 60_000;
  return new Date((Math.floor(now / minute) - minutes) * minute).toISOString();
}

function day(text: string | undefined) {
  return realDay(text) ? dayjs(text) : undefined;
}
