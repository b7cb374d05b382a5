import { Group, Paper, Stack, Text } from "@mantine/core";
import { CodeView } from "../../components/CodeView";
import { CopyValue } from "../../components/CopyValue";
import { RelativeTime } from "../../components/RelativeTime";
import { StatusPill } from "../../components/StatusPill";
import { type Attempt, duration, outcomeLabel, succeeded } from "./webhooks";
import classes from "./webhooks.module.css";

/** The latest attempts, newest first. `made` is the number of all attempts. */
export function Attempts({ of: attempts, made = attempts.length }: { of: Attempt[]; made?: number }) {
  if (attempts.length === 0) {
    return (
      <Text size="sm" c="dimmed" role="status">
        No attempts yet. The first attempt starts within seconds.
      </Text>
    );
  }
  return (
    <Stack component="ol" gap="sm" p={0} m={0} style={{ listStyle: "none" }}>
      {attempts.map((attempt) => (
        <AttemptCard key={attempt.number} of={attempt} />
      ))}
      {made > attempts.length && (
        <Text component="li" size="sm" c="dimmed">
          {earlier(made - attempts.length)}
        </Text>
      )}
    </Stack>
  );
}

function earlier(count: number): string {
  return count === 1 ? "1 earlier attempt isn't shown." : `${count.toLocaleString()} earlier attempts aren't shown.`;
}

function AttemptCard({ of: attempt }: { of: Attempt }) {
  return (
    <Paper component="li" withBorder p="md">
      <Stack gap="sm" className={classes.response}>
        <Group justify="space-between" gap="xs">
          <Group gap="sm">
            <Text fw={550}>Attempt {attempt.number}</Text>
            <Result of={attempt} />
            <Text size="sm" c="dimmed">
              {attempt.byHand ? "Manual" : "Automatic"}
            </Text>
          </Group>
          <Text size="sm" c="dimmed">
            <RelativeTime at={attempt.startedAt} /> · {duration(attempt.durationMs)}
          </Text>
        </Group>
        <CopyValue value={attempt.url} label="Copy URL" />
        {attempt.detail && (
          <Text size="sm" style={{ overflowWrap: "anywhere" }}>
            {attempt.detail}
          </Text>
        )}
        {attempt.responseBody && (
          <CodeView
            label={attempt.responseBodyTruncated ? "Response (truncated)" : "Response"}
            value={attempt.responseBody}
            maxHeight={180}
          />
        )}
      </Stack>
    </Paper>
  );
}

function Result({ of: attempt }: { of: Attempt }) {
  if (succeeded(attempt)) {
    return <StatusPill tone="good" label={`HTTP ${attempt.status}`} explanation="The endpoint accepted the request." />;
  }
  const failure = attempt.failure && outcomeLabel(attempt.failure);
  const label = attempt.status ? `HTTP ${attempt.status}` : (failure ?? "Failed");
  const explanation = failure
    ? `No valid response: ${failure}.`
    : "The endpoint rejected the request. Only 2xx and 3xx count as success.";
  return <StatusPill tone="bad" label={label} explanation={explanation} />;
}
