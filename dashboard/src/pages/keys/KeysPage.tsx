import { Code, Text } from "@mantine/core";
import { KeyRound } from "lucide-react";
import { Lines, Quiet, RowLink } from "../../components/cells";
import type { Column } from "../../components/DataTable";
import { search, select } from "../../components/fields";
import { ListPage } from "../../components/ListPage";
import { defineList } from "../../components/list";
import { RelativeTime } from "../../components/RelativeTime";
import { address } from "../../lib/address";
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
  { header: "Permissions", cell: scopeOf, visibleFrom: "sm" },
  { header: "Last used", cell: (key) => <RelativeTime at={key.lastUsedAt} />, visibleFrom: "sm" },
  { header: "Expires", cell: (key) => <RelativeTime at={key.expiresAt} />, visibleFrom: "md" },
  { header: "Created", cell: (key) => <RelativeTime at={key.createdAt} />, visibleFrom: "lg" },
  { header: "Created by", cell: (key) => <Quiet lines={2}>{creatorOf(key)}</Quiet>, visibleFrom: "lg" },
];

const keys = defineList({
  document: KeysDocument,
  rows: (data) => data.keys,
  types: ["ApiKey"],
  fields: [
    search("q", "Search by name or hint"),
    select({ name: "state", label: "Status", of: { ...keyStates, ...attentions } }),
  ],
  variables: () => ({}),
  matches: (key, { q, state }) =>
    isIn(key, state) && (!q || `${key.name} ${key.hint}`.toLowerCase().includes(q.toLowerCase())),
});

export const { asks } = keys;

export default function KeysPage() {
  return (
    <ListPage
      title="API keys"
      text="Programs use a key to call the API for this seller. Give each program its own key with only the permissions it needs."
      create={{ to: "/keys/new", label: "Create key", role: "DEVELOPER" }}
      list={keys}
      columns={columns}
      bar={({ loaded }) =>
        loaded && (
          <Text size="sm" c="dimmed" ml="auto" pb={8}>
            {loaded.length} of {mostKeys} keys
          </Text>
        )
      }
      empty={{
        icon: KeyRound,
        title: "No API keys yet",
        text: "Every integration needs a key. Create the first key.",
      }}
    />
  );
}
