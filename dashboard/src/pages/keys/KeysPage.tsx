import { Button, Code, Text } from "@mantine/core";
import { KeyRound, Plus } from "lucide-react";
import { Link } from "react-router";
import { useQuery } from "urql";
import { Lines, Quiet, RowLink } from "../../components/cells";
import { type Column, DataTable } from "../../components/DataTable";
import { FilterBar, SearchFilter, SelectFilter } from "../../components/Filters";
import { Page } from "../../components/Page";
import { RelativeTime } from "../../components/RelativeTime";
import { choice, useFilters } from "../../components/useFilters";
import { address } from "../../lib/address";
import type { Asks } from "../../session/early";
import { KeyStatus } from "./KeyStatus";
import { attentions, creatorOf, isIn, keyStates, mostKeys, type ReadKey, scopeOf } from "./keys";
import { KeysDocument } from "./keys.generated";

const columns: Column<ReadKey>[] = [
  {
    header: "Name",
    cell: (key) => (
      <Lines>
        <RowLink to={address("/keys", key._id)}>{key.name}</RowLink>
        <Code>{key.hint}</Code>
      </Lines>
    ),
  },
  { header: "Status", cell: (key) => <KeyStatus of={key} /> },
  { header: "May do", cell: scopeOf, visibleFrom: "sm" },
  { header: "Last used", cell: (key) => <RelativeTime at={key.lastUsedAt} />, visibleFrom: "sm" },
  { header: "Expires", cell: (key) => <RelativeTime at={key.expiresAt} />, visibleFrom: "md" },
  { header: "Created", cell: (key) => <RelativeTime at={key.createdAt} />, visibleFrom: "lg" },
  { header: "Created by", cell: (key) => <Quiet lines={2}>{creatorOf(key)}</Quiet>, visibleFrom: "lg" },
];

// An empty list names no type, so the cache has to be told what would change it.
const listContext = { additionalTypenames: ["ApiKey"] };
const statuses = { ...keyStates, ...attentions };
const keys = { query: KeysDocument, context: listContext };

export const asks: Asks = () => [keys];

export default function KeysPage() {
  const [{ data, error }, again] = useQuery(keys);
  const filters = useFilters("q", choice("state", Object.keys(statuses)));
  const { q, state } = filters.values;
  const rows = data?.keys.nodes.filter(
    (key) => isIn(key, state) && (!q || `${key.name} ${key.hint}`.toLowerCase().includes(q.toLowerCase())),
  );
  const create = (
    <Button component={Link} to="/keys/new" leftSection={<Plus size={16} aria-hidden />}>
      Create key
    </Button>
  );
  return (
    <Page
      title="API keys"
      text="With a key, a program acts for this seller. Give each program its own, with no more than it needs."
      actions={create}
    >
      <FilterBar>
        <SearchFilter label="Search by name or hint" value={q} onChange={(value) => filters.set({ q: value })} />
        <SelectFilter
          label="Status"
          any="Any status"
          options={Object.entries(statuses).map(([value, { label }]) => ({ value, label }))}
          value={state}
          onChange={(value) => filters.set({ state: value })}
        />
        {data && (
          <Text size="sm" c="dimmed" ml="auto" pb={8}>
            {data.keys.nodes.length} of {mostKeys} keys
          </Text>
        )}
      </FilterBar>
      <DataTable
        label="API keys"
        columns={columns}
        rows={rows}
        rowKey={(key) => key._id}
        error={error}
        onRetry={again}
        filtered={filters.filtered}
        onClearFilters={filters.clear}
        empty={{
          icon: KeyRound,
          title: "No API keys yet",
          text: "A key is the first thing an integration needs.",
          action: create,
        }}
      />
    </Page>
  );
}
