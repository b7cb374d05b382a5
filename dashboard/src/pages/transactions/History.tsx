import { Paper, Text, Timeline } from "@mantine/core";
import { CircleCheck, CircleDot, TriangleAlert } from "lucide-react";
import { useQuery } from "urql";
import { CodeView } from "../../components/CodeView";
import { CopyValue } from "../../components/CopyValue";
import { Loaded } from "../../components/Loaded";
import { RelativeTime } from "../../components/RelativeTime";
import { type HistoryItem, historyOf } from "./transactions";
import { type Risk, TransactionHistoryDocument } from "./transactions.generated";

/** The history of a transaction. */
export function History({ id }: { id: string }) {
  const [{ data, error }, again] = useQuery({ query: TransactionHistoryDocument, variables: { id } });
  return (
    <Loaded data={data} error={error} onRetry={again}>
      {({ transaction }) => <Entries all={historyOf(transaction)} />}
    </Loaded>
  );
}

function Entries({ all }: { all: HistoryItem[] }) {
  if (all.length === 0) {
    return (
      <Text size="sm" c="dimmed" role="status">
        This transaction has no history.
      </Text>
    );
  }
  return (
    <Paper withBorder p="lg">
      <Timeline bulletSize={26} lineWidth={2} active={all.length}>
        {all.map((happening) => (
          <Timeline.Item key={happening.id} title={happening.title} {...bullets[happening.risk ?? "NEUTRAL"]}>
            <Details of={happening} />
          </Timeline.Item>
        ))}
      </Timeline>
    </Paper>
  );
}

// Successes and problems are shown by shape as well as color.
const bullets: Record<Risk, { bullet: React.ReactNode; color: string }> = {
  GOOD: { bullet: <CircleCheck size={15} aria-label="Success" />, color: "green.9" },
  NEUTRAL: { bullet: <CircleDot size={15} aria-hidden />, color: "gray.7" },
  DANGER: { bullet: <TriangleAlert size={15} aria-label="Problem" />, color: "red.9" },
};

function Details({ of: { date, text, by, data } }: { of: HistoryItem }) {
  return (
    <>
      <Text size="sm" c="dimmed">
        <RelativeTime at={date} never="Unknown time" />
      </Text>
      {text && (
        <Text size="sm" style={{ overflowWrap: "anywhere" }}>
          {text}
        </Text>
      )}
      {by && <CopyValue value={by} label="Copy actor ID" />}
      {hasFields(data) && <CodeView label="Details" value={data} maxHeight={180} />}
    </>
  );
}

function hasFields(data: unknown): boolean {
  return typeof data === "object" && data !== null && Object.keys(data).length > 0;
}
