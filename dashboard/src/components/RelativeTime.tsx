import { Tooltip } from "@mantine/core";
import dayjs from "dayjs";
import relativeTime from "dayjs/plugin/relativeTime";
import { useSyncExternalStore } from "react";

dayjs.extend(relativeTime);

const exact = new Intl.DateTimeFormat(undefined, {
  year: "numeric",
  month: "short",
  day: "numeric",
  hour: "2-digit",
  minute: "2-digit",
  second: "2-digit",
  timeZoneName: "short",
});

export function exactTime(at: string): string {
  return exact.format(new Date(at));
}

/** One clock for all of a page's times. */
function everyQuarterMinute(changed: () => void) {
  const timer = setInterval(changed, 15_000);
  return () => clearInterval(timer);
}

/** How long ago or ahead, with the exact time and its zone on hover; `never` where there is none. */
export function RelativeTime({ at, never = "never" }: { at: string | null | undefined; never?: string }) {
  useSyncExternalStore(everyQuarterMinute, () => Math.floor(Date.now() / 15_000));
  if (!at) return <span>{never}</span>;
  return (
    <Tooltip label={exactTime(at)} withArrow>
      <time dateTime={at} style={{ whiteSpace: "nowrap" }}>
        {dayjs(at).fromNow()}
      </time>
    </Tooltip>
  );
}
