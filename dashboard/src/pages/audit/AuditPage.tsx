import { Anchor, Drawer, Stack, Text } from "@mantine/core";
import { ScrollText } from "lucide-react";
import { useState } from "react";
import { useQuery } from "urql";
import { CodeView } from "../../components/CodeView";
import { CopyValue } from "../../components/CopyValue";
import { type Column, DataTable, nextPage } from "../../components/DataTable";
import { Facts } from "../../components/Facts";
import { FilterBar, SearchFilter, SelectFilter } from "../../components/Filters";
import { Page } from "../../components/Page";
import { exactTime, RelativeTime } from "../../components/RelativeTime";
import { useFilters } from "../../components/useFilters";
import { AuditLogDocument, type AuditLogQuery } from "./audit.generated";

type Entry = AuditLogQuery["auditLog"]["nodes"][number];

const context = { additionalTypenames: ["AuditEntry"] };

/** From this long ago on, as the filter says it. */
const periods: Record<string, { label: string; hours: number }> = {
  hour: { label: "Last hour", hours: 1 },
  day: { label: "Last 24 hours", hours: 24 },
  week: { label: "Last 7 days", hours: 24 * 7 },
  month: { label: "Last 30 days", hours: 24 * 30 },
};

/** To the minute, so that the same question is asked until it is over. */
function since(period: string | undefined): string | undefined {
  const hours = periods[period ?? ""]?.hours;
  if (!hours) return undefined;
  const minute = 60_000;
  return new Date(Math.floor(Date.now() / minute) * minute - hours * 60 * minute).toISOString();
}

export default function AuditPage() {
  const filters = useFilters("action", "object", "actor", "period");
  const { action, object, actor, period } = filters.values;
  const [shown, setShown] = useState<Entry>();
  const filter = { action, objectId: object, actorId: actor, from: since(period) };
  const [{ data, error }, again] = useQuery({
    query: AuditLogDocument,
    variables: { first: 50, after: filters.after, filter },
    context,
  });
  return (
    <Page
      title="Audit log"
      text="Every change at this seller: who did what, when, and what was different afterwards. Oldest first."
    >
      <FilterBar>
        <SearchFilter
          label="Action, such as updateApiKey"
          value={action}
          onChange={(value) => filters.set({ action: value })}
        />
        <SearchFilter
          slash={false}
          label="Id of the object"
          value={object}
          onChange={(value) => filters.set({ object: value })}
        />
        <SearchFilter
          slash={false}
          label="Id of the actor"
          value={actor}
          onChange={(value) => filters.set({ actor: value })}
        />
        <SelectFilter
          label="Period"
          any="Any time"
          options={Object.entries(periods).map(([value, { label }]) => ({ value, label }))}
          value={period}
          onChange={(value) => filters.set({ period: value })}
        />
      </FilterBar>
      <DataTable
        label="Audit log"
        columns={columns(setShown)}
        rows={data?.auditLog.nodes}
        rowKey={(entry) => entry._id}
        error={error}
        onRetry={again}
        filtered={filters.filtered}
        onClearFilters={filters.clear}
        paging={{ ...filters, next: nextPage(data?.auditLog.pageInfo) }}
        empty={{ icon: ScrollText, title: "Nothing was changed yet", text: "Changes appear here as they are made." }}
      />
      <Drawer
        opened={shown !== undefined}
        onClose={() => setShown(undefined)}
        title={shown?.action}
        position="right"
        size="lg"
        closeButtonProps={{ "aria-label": "Close" }}
      >
        {shown && <Details of={shown} />}
      </Drawer>
    </Page>
  );
}

function columns(show: (entry: Entry) => void): Column<Entry>[] {
  return [
    {
      header: "Action",
      cell: (entry) => (
        <Stack gap={2} align="flex-start">
          <Anchor component="button" size="sm" fw={550} ta="left" onClick={() => show(entry)}>
            {entry.action}
          </Anchor>
          <Text size="xs" c="dimmed" hiddenFrom="sm">
            {entry.object} {entry.objectId}
          </Text>
        </Stack>
      ),
    },
    { header: "Object", cell: (entry) => <Named name={entry.object} id={entry.objectId} />, visibleFrom: "sm" },
    { header: "By", cell: (entry) => <Named name={entry.actorType} id={entry.actorId} />, visibleFrom: "md" },
    { header: "When", cell: (entry) => <RelativeTime at={entry.at} /> },
    { header: "Address", cell: (entry) => entry.address, visibleFrom: "lg" },
  ];
}

function Named({ name, id }: { name: string; id: string }) {
  return (
    <Stack gap={2}>
      <Text size="sm">{name}</Text>
      <CopyValue value={id} label="Copy the id" />
    </Stack>
  );
}

function Details({ of: entry }: { of: Entry }) {
  return (
    <Stack>
      <Facts
        columns={2}
        facts={[
          ["When", exactTime(entry.at)],
          ["Address", entry.address],
          ["By", <Named key="by" name={entry.actorType} id={entry.actorId} />],
          ["Object", <Named key="object" name={entry.object} id={entry.objectId} />],
          ["Request id", <CopyValue key="request" value={entry.requestId} label="Copy the request id" />],
        ]}
      />
      <CodeView label="Before" value={entry.before} />
      <CodeView label="After" value={entry.after} />
    </Stack>
  );
}
