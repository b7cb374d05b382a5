import { Stack, Text } from "@mantine/core";
import { type EventTimes, useEventTimes } from "../../components/choices";
import { exactTime } from "../../components/RelativeTime";
import { placeOf, windowOf } from "./preview";
import classes from "./preview.module.css";
import type { GroupValues } from "./scangroups";

/** When tickets are admitted, for each event that is limited to its time. */
export function ValidTimes({ values: { events } }: { values: GroupValues }) {
  const times = useEventTimes();
  const shown = events.flatMap((event) => {
    const of = times.find(({ _id }) => _id === event.eventId);
    const window = of && windowOf(event, of);
    return window ? [{ of, ...window }] : [];
  });
  if (shown.length === 0) return null;
  return (
    <Stack gap="sm">
      <Text size="sm" fw={500}>
        Admission times
      </Text>
      {shown.map((one) => (
        <Timeline key={one.of._id} {...one} />
      ))}
    </Stack>
  );
}

function Timeline({ of: { name, start, end }, from, until }: { of: EventTimes; from: Date; until: Date }) {
  const begins = placeOf(new Date(start), from, until);
  const ends = placeOf(new Date(end ?? start), from, until);
  return (
    <Stack gap={4}>
      <Text size="xs" fw={500} className={classes.breakable}>
        {name}
      </Text>
      <svg viewBox="0 0 100 8" preserveAspectRatio="none" className={classes.timeline} aria-hidden>
        <rect x={0} y={2} width={100} height={4} className={classes.open} />
        <rect x={begins} y={0} width={Math.max(1.5, ends - begins)} height={8} className={classes.event} />
      </svg>
      <Text size="xs" c="dimmed">
        From {exactTime(from.toISOString())} until {exactTime(until.toISOString())}
      </Text>
    </Stack>
  );
}
