import dayjs from "dayjs";
import relativeTime from "dayjs/plugin/relativeTime";
import { useSyncExternalStore } from "react";
import { Hint } from "./Hint";

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

const shown = new Set<() => void>();
let clock: ReturnType<typeof setInterval> | undefined;

/** One clock for all of a page's times. */
function everyQuarterMinute(changed: () => void) {
  shown.add(changed);
  clock ??= setInterval(() => {
    for (const tell of shown) tell();
  }, 15_000);
  return () => {
    shown.delete(changed);
    if (shown.size > 0) return;
    clearInterval(clock);
    clock = undefined;
  };
}

/** How long ago or ahead, with the exact time and its zone on hover; `never` where there is none. */
export function RelativeTime({ at, never = "never" }: { at: string | null | undefined; never?: string }) {
  return at ? <Since at={at} /> : <span>{never}</span>;
}

function Since({ at }: { at: string }) {
  useSyncExternalStore(everyQuarterMinute, () => Math.floor(Date.now() / 15_000));
  return (
    <Hint label={<ExactTime at={at} />}>
      <time dateTime={at} style={{ whiteSpace: "nowrap" }}>
        {dayjs(at).fromNow()}
      </time>
    </Hint>
  );
}

/** A component, so that it is only written out when it is looked at. */
function ExactTime({ at }: { at: string }) {
  return exactTime(at);
}
