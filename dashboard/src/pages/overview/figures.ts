import type { OverviewScansQuery } from "./overview.generated";

/** The part of the deliveries that arrived, in words, and how many are left out of it because they are pending. */
export function deliveryRate(delivered: number, failed: number, pending: number): string {
  const waiting = pending > 0 ? `; ${pending.toLocaleString()} pending, not counted` : "";
  return partOf(delivered, failed) + waiting;
}

function partOf(delivered: number, failed: number): string {
  const ended = delivered + failed;
  if (ended === 0) return "nothing was delivered";
  const rate = (delivered / ended) * 100;
  // Never rounded up to 100 %: then nothing would have failed.
  const shown = failed > 0 ? Math.min(rate, 99.9) : rate;
  return `${shown.toLocaleString(undefined, { maximumFractionDigits: 1 })} % of ${ended.toLocaleString()} arrived`;
}

type Minute = OverviewScansQuery["scansPerMinute"][number];

export interface MinuteBar {
  label: string;
  counts: { approved: number; declined: number };
}

const minutes = 60;

/** A bar for each minute of the last hour, those without a scan included, oldest first. */
export function minuteBars(counted: Minute[], now = Date.now()): MinuteBar[] {
  const found = new Map(counted.map((minute) => [new Date(minute.at).getTime(), minute]));
  const last = Math.floor(now / 60_000) * 60_000;
  return Array.from({ length: minutes }, (_, index) => {
    const at = last - (minutes - 1 - index) * 60_000;
    const { approved = 0, declined = 0 } = found.get(at) ?? {};
    const label = new Date(at).toLocaleTimeString(undefined, { hour: "2-digit", minute: "2-digit" });
    return { label, counts: { approved, declined } };
  });
}

/** Scans a minute on average, as people say it. */
export function perMinute(bars: MinuteBar[]): string {
  const sum = bars.reduce((all, { counts }) => all + counts.approved + counts.declined, 0);
  return (sum / bars.length).toLocaleString(undefined, { maximumFractionDigits: 1 });
}
