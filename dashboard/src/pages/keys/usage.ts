import type { KeyUsageQuery } from "./keys.generated";

export type Usage = NonNullable<KeyUsageQuery["apiKey"]["usage"]>;
type DayCalls = Usage["calls"][number];

/** The outcome of a request, for the chart. */
export type Answer = "accepted" | "refused" | "failed";

export function answerOf(status: number): Answer {
  if (status < 400) return "accepted";
  return status < 500 ? "refused" : "failed";
}

export interface DayBar {
  /** A day in UTC, such as 2026-11-28. */
  day: string;
  accepted: number;
  refused: number;
  failed: number;
}

const usageDays = 30;

/** Returns a bar for each of the last days, oldest first, including days without requests. */
export function dayBars(calls: DayCalls[], now = Date.now()): DayBar[] {
  const bars = new Map<string, DayBar>();
  for (let ago = usageDays - 1; ago >= 0; ago--) {
    const day = new Date(now - ago * 24 * 60 * 60 * 1000).toISOString().slice(0, 10);
    bars.set(day, { day, accepted: 0, refused: 0, failed: 0 });
  }
  for (const { day, status, calls: count } of calls) {
    const bar = bars.get(day.slice(0, 10));
    if (bar) bar[answerOf(status)] += count;
  }
  return [...bars.values()];
}

/** Returns the number of requests by status over all days, in ascending order of status. */
export function byStatus(calls: DayCalls[]): { status: number; calls: number }[] {
  const sums = new Map<number, number>();
  for (const { status, calls: count } of calls) sums.set(status, (sums.get(status) ?? 0) + count);
  return [...sums].map(([status, count]) => ({ status, calls: count })).sort((a, b) => a.status - b.status);
}
