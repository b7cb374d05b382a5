import {
  Anchor,
  Group,
  Paper,
  Progress,
  SegmentedControl,
  SimpleGrid,
  Stack,
  Table,
  Text,
  Tooltip,
} from "@mantine/core";
import { Activity } from "lucide-react";
import type { ReactNode } from "react";
import { Link, useSearchParams } from "react-router";
import { useQuery } from "urql";
import { Chart } from "../../components/Chart";
import { Dotted } from "../../components/cells";
import { EmptyState } from "../../components/EmptyState";
import { Loaded } from "../../components/Loaded";
import { address, narrowed } from "../../lib/address";
import { duration, outcomeLabel, percent, rateExplained, short, tookIt } from "./webhooks";
import {
  type ShareFieldsFragment,
  StatisticsDocument,
  type StatisticsPeriod,
  type StatisticsQuery,
} from "./webhooks.generated";

type Figures = NonNullable<StatisticsQuery["webhook"]["statistics"]>;

const timeOfDay = new Intl.DateTimeFormat(undefined, { timeStyle: "short" });

/** The periods, by their value in the address, with the format of their time steps. */
const periods: Record<string, { label: string; period: StatisticsPeriod; format: Intl.DateTimeFormat }> = {
  "1h": { label: "1 hour", period: "HOUR", format: timeOfDay },
  "24h": { label: "24 hours", period: "DAY", format: timeOfDay },
  "7d": {
    label: "7 days",
    period: "WEEK",
    format: new Intl.DateTimeFormat(undefined, { weekday: "short", hour: "numeric", minute: "2-digit" }),
  },
};

/** The statistics of a webhook's attempts. */
export function Statistics({ webhookId }: { webhookId: string }) {
  const [search, setSearch] = useSearchParams();
  const named = search.get("period") ?? "";
  const chosen = named in periods ? named : "24h";
  const { period = "DAY" as const, format = timeOfDay } = periods[chosen] ?? {};
  const [{ data, error }, again] = useQuery({ query: StatisticsDocument, variables: { id: webhookId, period } });
  return (
    <Stack gap="lg">
      <SegmentedControl
        aria-label="Period"
        data={Object.entries(periods).map(([value, { label }]) => ({ value, label }))}
        value={chosen}
        onChange={(value) =>
          setSearch(
            (before) => {
              const next = new URLSearchParams(before);
              next.set("period", value);
              return next;
            },
            { replace: true },
          )
        }
        style={{ alignSelf: "flex-start" }}
      />
      <Loaded data={data} error={error} onRetry={again}>
        {({ webhook: { statistics } }) => statistics && <Shown of={statistics} webhookId={webhookId} format={format} />}
      </Loaded>
    </Stack>
  );
}

function Shown({ of: figures, webhookId, format }: { of: Figures; webhookId: string; format: Intl.DateTimeFormat }) {
  if (figures.calls === 0) {
    return (
      <EmptyState
        icon={Activity}
        title="No attempts in this period"
        text="Select a longer period, or view the deliveries."
      />
    );
  }
  const steps = figures.series.map(({ from }) => format.format(new Date(from)));
  const link = (name: string, value: string) => narrowed(address("/webhooks", webhookId), name, value);
  return (
    <Stack gap="lg">
      <Tiles of={figures} />
      <SimpleGrid cols={{ base: 1, lg: 2 }}>
        <Paper withBorder p="md">
          <Chart
            label="Attempts"
            kind="bars"
            steps={steps}
            format={short}
            series={[
              { label: "Succeeded", tone: "good", values: figures.series.map(({ succeeded }) => succeeded) },
              { label: "Failed", tone: "bad", values: figures.series.map(({ calls, succeeded }) => calls - succeeded) },
            ]}
          />
        </Paper>
        <Paper withBorder p="md">
          <Chart
            label="Response time"
            kind="lines"
            steps={steps}
            format={duration}
            series={[
              { label: "Median", tone: "first", values: figures.series.map(({ p50Ms }) => p50Ms ?? null) },
              { label: "95th percentile", tone: "second", values: figures.series.map(({ p95Ms }) => p95Ms ?? null) },
            ]}
          />
        </Paper>
        <Shares
          label="By outcome"
          shares={figures.byOutcome}
          calls={figures.calls}
          name={outcomeLabel}
          bad={(value) => !tookIt(value)}
          link={(value) => link("outcome", value)}
        />
        <Shares
          label="By event type"
          shares={figures.byType}
          calls={figures.calls}
          name={(value) => value}
          bad={() => false}
          link={(value) => link("type", value)}
        />
      </SimpleGrid>
    </Stack>
  );
}

function Tiles({ of: figures }: { of: Figures }) {
  const rate = typeof figures.deliveryRate === "number" ? percent(figures.deliveryRate) : "–";
  return (
    <SimpleGrid cols={{ base: 2, md: 5 }} component="section" aria-label="Summary">
      <Tile label="Attempts" value={figures.calls.toLocaleString()} />
      <Tile
        label="Delivery rate"
        value={rate}
        explanation={`${rateExplained} ${figures.delivered.toLocaleString()} delivered, ${Math.max(0, figures.failed).toLocaleString()} failed.`}
      />
      <Tile label="Average response" value={figures.averageMs == null ? "–" : duration(figures.averageMs)} />
      <Tile label="Median response" value={figures.p50Ms == null ? "–" : duration(figures.p50Ms)} />
      <Tile label="95th percentile" value={figures.p95Ms == null ? "–" : duration(figures.p95Ms)} />
    </SimpleGrid>
  );
}

function Tile({ label, value, explanation }: { label: string; value: string; explanation?: string }) {
  const tile: ReactNode = (
    <Paper withBorder p="md" tabIndex={explanation ? 0 : undefined} role={explanation ? "note" : undefined}>
      <Text size="sm" c="dimmed">
        {label}
      </Text>
      <Text fz={24} fw={650} lh={1.3}>
        {value}
      </Text>
    </Paper>
  );
  if (!explanation) return tile;
  return (
    <Tooltip label={explanation} multiline maw={320} events={{ hover: true, focus: true, touch: true }}>
      {tile}
    </Tooltip>
  );
}

interface SharesProps {
  label: string;
  shares: ShareFieldsFragment[];
  calls: number;
  name: (value: string) => string;
  bad: (value: string) => boolean;
  /** Returns the address of the deliveries with a value. */
  link: (value: string) => string;
}

function Shares({ label, shares, calls, name, bad, link }: SharesProps) {
  return (
    <Paper withBorder p="md">
      <Table aria-label={label} verticalSpacing={6} horizontalSpacing={0} withRowBorders={false}>
        <Table.Thead>
          <Table.Tr>
            <Table.Th>{label}</Table.Th>
            <Table.Th ta="right">Attempts</Table.Th>
            <Table.Th ta="right" visibleFrom="xs">
              Average
            </Table.Th>
          </Table.Tr>
        </Table.Thead>
        <Table.Tbody>
          {shares.map((share) => (
            <Table.Tr key={share.value}>
              <Table.Td>
                <Anchor component={Link} to={link(share.value)} size="sm" style={{ overflowWrap: "anywhere" }}>
                  <Dotted>{name(share.value)}</Dotted>
                </Anchor>
                <Progress
                  value={(100 * share.calls) / calls}
                  size={4}
                  mt={2}
                  color={bad(share.value) ? "red" : "indigo"}
                  aria-label={`${name(share.value)}: ${percent(share.calls / calls)} of attempts`}
                />
              </Table.Td>
              <Table.Td ta="right" w={90}>
                {share.calls.toLocaleString()}
              </Table.Td>
              <Table.Td ta="right" w={90} visibleFrom="xs">
                {share.averageMs == null ? "–" : duration(share.averageMs)}
              </Table.Td>
            </Table.Tr>
          ))}
        </Table.Tbody>
      </Table>
      {shares.length === 0 && (
        <Group>
          <Text size="sm" c="dimmed">
            None
          </Text>
        </Group>
      )}
    </Paper>
  );
}
