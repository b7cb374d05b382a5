import { Group } from "@mantine/core";
import { StatusPill } from "../../components/StatusPill";
import type { Tone } from "../../lib/states";
import { reasons, type Scan } from "./scans";

export function ScanResultPill({ of: { scanResult, reason } }: { of: Scan }) {
  if (scanResult === "declined") {
    const explanation = reason
      ? `The ticket wasn't admitted: ${reasons[reason].toLowerCase()}.`
      : "The ticket wasn't admitted.";
    return <StatusPill tone="bad" label="Declined" explanation={explanation} />;
  }
  return <StatusPill tone="good" label="Approved" explanation="The ticket was admitted." />;
}

interface Mark {
  is: (scan: Scan) => boolean;
  tone: Tone;
  label: string;
  explanation: string;
}

/** Exceptional properties of scans. */
const marks: Mark[] = [
  {
    is: ({ annulledAt }) => Boolean(annulledAt),
    tone: "idle",
    label: "Annulled",
    explanation: "The scan was annulled and no longer counts.",
  },
  {
    is: ({ conflict }) => conflict,
    tone: "warning",
    label: "Conflict",
    explanation: "The device decided while offline. Considering all scans, the rules lead to a different decision.",
  },
  {
    is: ({ offline, reason }) => offline && reason === "EVENT_NOT_ASSIGNED",
    tone: "idle",
    label: "Not counted",
    explanation: "The event isn't assigned to the device. The scan is kept but not counted.",
  },
  {
    is: ({ late }) => late,
    tone: "warning",
    label: "Late",
    explanation: "A later scan of the same ticket was counted before this one arrived.",
  },
  {
    is: ({ offline }) => offline,
    tone: "info",
    label: "Offline",
    explanation: "The device decided while offline and uploaded the scan later.",
  },
  {
    is: ({ clockAhead }) => clockAhead,
    tone: "warning",
    label: "Clock ahead",
    explanation: "The device reported a time in the future because its clock was ahead.",
  },
];

export function ScanMarks({ of: scan }: { of: Scan }) {
  return (
    <Group gap={6}>
      {marks
        .filter(({ is }) => is(scan))
        .map(({ is, ...pill }) => (
          <StatusPill key={pill.label} {...pill} />
        ))}
    </Group>
  );
}
