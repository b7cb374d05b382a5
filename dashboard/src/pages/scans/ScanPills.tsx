import { Group } from "@mantine/core";
import { StatusPill } from "../../components/StatusPill";
import type { Tone } from "../../lib/states";
import { reasons, type Scan } from "./scans";

export function ScanResultPill({ of: { scanResult, reason } }: { of: Scan }) {
  if (scanResult === "declined") {
    const explanation = reason
      ? `The ticket did not pass: ${reasons[reason].toLowerCase()}.`
      : "The ticket did not pass.";
    return <StatusPill tone="bad" label="Declined" explanation={explanation} />;
  }
  return <StatusPill tone="good" label="Approved" explanation="The ticket passed." />;
}

interface Mark {
  is: (scan: Scan) => boolean;
  tone: Tone;
  label: string;
  explanation: string;
}

/** What is unusual about a scan. */
const marks: Mark[] = [
  {
    is: ({ annulledAt }) => Boolean(annulledAt),
    tone: "idle",
    label: "Annulled",
    explanation: "It was taken back: the ticket counts as if it had not been scanned.",
  },
  {
    is: ({ conflict }) => conflict,
    tone: "warning",
    label: "Conflict",
    explanation: "The device decided while it was offline. By all scans known now, the rules decide otherwise.",
  },
  {
    is: ({ offline, reason }) => offline && reason === "EVENT_NOT_ASSIGNED",
    tone: "idle",
    label: "Not counted",
    explanation: "The device has no access to this event. The scan is kept and counts towards nothing.",
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
    explanation: "Decided by the device while it was offline, and handed in later.",
  },
  {
    is: ({ clockAhead }) => clockAhead,
    tone: "warning",
    label: "Clock ahead",
    explanation: "The device's clock was ahead: the time that it said lay in the future.",
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
