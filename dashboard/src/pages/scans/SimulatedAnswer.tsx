import { Alert, Group, Stack, Text } from "@mantine/core";
import { CircleCheck, CircleDashed, CircleX } from "lucide-react";
import { nameOf, useEventChoices } from "../../components/choices";
import { Panel } from "../../components/Panel";
import { exactTime } from "../../components/RelativeTime";
import { reasons, requirements } from "./scans";
import type { ScanRuleOutcome, SimulateScanQuery } from "./scans.generated";

type Answer = SimulateScanQuery["simulateScan"];
type Rule = Answer["rules"][number];

/** The result of a simulated scan, with the rules that were checked. */
export function SimulatedAnswer({ of: answer }: { of: Answer }) {
  return (
    <Stack role="status">
      <Verdict of={answer} />
      <Panel title="Rules">
        <Stack component="ol" gap="md" p={0} m={0} style={{ listStyle: "none" }}>
          {answer.rules.map((rule) => (
            <RuleRow key={rule.rule} of={rule} />
          ))}
        </Stack>
      </Panel>
    </Stack>
  );
}

function Verdict({ of: { access, reason, ticket, eventId, time, checkins, inside } }: { of: Answer }) {
  const events = useEventChoices();
  const granted = access === "GRANTED";
  const Icon = granted ? CircleCheck : CircleX;
  return (
    <Alert
      variant="light"
      color={granted ? "green" : "red"}
      icon={<Icon aria-hidden />}
      title={granted ? "Approved" : `Declined: ${reason ? reasons[reason].toLowerCase() : "no reason"}`}
    >
      <Stack gap={2}>
        <Text size="sm">{exactTime(time)}</Text>
        {ticket && (
          <Text size="sm">
            {ticket.ticketName}, {ticket._id}
          </Text>
        )}
        {eventId && <Text size="sm">Event: {nameOf(events, eventId)}</Text>}
        <Text size="sm">
          Before this scan: {checkins === 1 ? "1 check-in" : `${checkins} check-ins`},{" "}
          {inside > 0 ? "inside" : "not inside"}
        </Text>
      </Stack>
    </Alert>
  );
}

// Each outcome has its own shape and label, so that color is never the only signal.
const outcomes: Record<ScanRuleOutcome, { icon: typeof CircleCheck; color: string; label: string }> = {
  PASSED: { icon: CircleCheck, color: "green", label: "Passed" },
  FAILED: { icon: CircleX, color: "red", label: "Failed" },
  NOT_CHECKED: { icon: CircleDashed, color: "dimmed", label: "Not checked" },
};

function RuleRow({ of: { rule, outcome, detail, window } }: { of: Rule }) {
  const { icon: Icon, color, label } = outcomes[outcome];
  return (
    <Group component="li" gap="sm" wrap="nowrap" align="flex-start">
      <Text c={color} lh={0} mt={2}>
        <Icon size={18} role="img" aria-label={label} />
      </Text>
      <Stack gap={0} miw={0}>
        <Text size="sm" fw={550} c={outcome === "NOT_CHECKED" ? "dimmed" : undefined}>
          {requirements[rule]}
        </Text>
        <Text size="sm" c="dimmed" style={{ overflowWrap: "anywhere" }}>
          {detail}
        </Text>
        {window && (
          <Text size="sm" c="dimmed">
            {exactTime(window.from)} to {exactTime(window.until)}
          </Text>
        )}
      </Stack>
    </Group>
  );
}
