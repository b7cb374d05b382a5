import dayjs from "dayjs";
import relativeTime from "dayjs/plugin/relativeTime";
import { createContext, type ReactNode, use, useEffect, useReducer } from "react";
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

const Ticks = createContext(0);

/** The clock of all relative times below it. It ticks every 15 seconds. */
export function Clock({ children }: { children: ReactNode }) {
  const [ticks, tick] = useReducer((count: number) => count + 1, 0);
  useEffect(() => {
    const timer = setInterval(tick, 15_000);
    return () => clearInterval(timer);
  }, []);
  return <Ticks value={ticks}>{children}</Ticks>;
}

/** A relative time, with the exact time and its zone on hover. Shows `never` if there is no time. */
export function RelativeTime({ at, never = "Never" }: { at: string | null | undefined; never?: string }) {
  return at ? <Since at={at} /> : <span>{never}</span>;
}

function Since({ at }: { at: string }) {
  use(Ticks);
  return (
    <Hint label={<ExactTime at={at} />}>
      <time dateTime={at} style={{ whiteSpace: "nowrap" }}>
        {dayjs(at).fromNow()}
      </time>
    </Hint>
  );
}

/** A component, so that the exact time is formatted only when it is shown. */
function ExactTime({ at }: { at: string }) {
  return exactTime(at);
}
