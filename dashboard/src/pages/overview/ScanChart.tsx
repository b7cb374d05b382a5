import { Anchor, Group, Paper, Text, Title } from "@mantine/core";
import { Link } from "react-router";
import { Bars } from "../../components/Bars";
import { type MinuteBar, perMinute } from "./figures";

const series = [
  { name: "approved", label: "approved", tone: "good" },
  { name: "declined", label: "declined", tone: "bad" },
] as const;

/** The scans per minute in the last hour. */
export function ScanChart({ bars }: { bars: MinuteBar[] }) {
  return (
    <Paper withBorder p="lg" component="section" aria-labelledby="scan-rate">
      <Group justify="space-between" mb="md" gap="xs">
        <Title order={2} size="h4" id="scan-rate">
          Scans in the last hour
        </Title>
        <Text size="sm" c="dimmed">
          {perMinute(bars)} per minute ·{" "}
          <Anchor underline="always" component={Link} to="/scans?period=1h" inherit>
            View scan log
          </Anchor>
        </Text>
      </Group>
      {bars.some(({ counts }) => counts.approved + counts.declined > 0) ? (
        <Bars label="Scans per minute in the last hour" series={series} bars={bars} />
      ) : (
        <Text c="dimmed">No scans in the last hour.</Text>
      )}
    </Paper>
  );
}
