import type { OverviewScansQuery } from "./overview.generated";

/** Returns the delivery rate in words, with the number of pending deliveries that it leaves out. */
export function deliveryRate(delivered: number, failed: number, pending: number): string {
  const waiting = pending > 0 ? ` · ${pending.toLocaleString()} pending` : "";
  return partOf(delivered, failed) + waiting;
}

function partOf(delivered: number, failed: number): string {
  const ended = delivered + failed;
  if (ended === 0) return "No finished deliveries, last 24 h";
  const rate = (delivered / ended) * 100;
  // Never rounded up to 100 %, which would mean that no delivery failed.
  const shown = failed > 0 ? Math.min(rate, 99.9) : rate;
  return `${shown.toLocaleString(undefined, { maximumFractionDigits: 1 })} % delivered (${delivered.toLocaleString()} of ${ended.toLocaleString()}, last 24 h)`;
}

type Minute = OverviewScansQuery["scansPerMinute"][number];

export interface MinuteBar {
  label: string;
  counts: { approved: number; declined: number };
}

const minutes = 60;

/** Returns a bar for each minute of the last hour, oldest first, including minutes without scans. */
export function minuteBars(counted: Minute[], now = Date.now()): MinuteBar[] {
  const found = new Map(counted.map((minute) => [new Date(minute.at).getTime(), minute]));
  const last = Math.floor(now / 60_000) * 60_000;
  return Array.from({ length: minutes }, (_, index) => {
    const at = last - (minutes - 1 - index) * 60_000;
    const { approved = 0, declined = 0 } = found.get(at) ?? {};
    const label = new Date(at).toLocaleTimeString(undefined, { timeStyle: "short" });
    return { label, counts: { approved, declined } };
  });
}

/** Returns the average number of scans per minute as text. */
export function perMinute(bars: MinuteBar[]): string {
  const sum = bars.reduce((all, { counts }) => all + counts.approved + counts.declined, 0);
  return (sum / bars.length).toLocaleString(undefined, { maximumFractionDigits: 1 });
}
