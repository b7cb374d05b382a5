import { Button, Group, Progress, Stack, Text, Title } from "@mantine/core";
import { FileUp } from "lucide-react";
import { useMemo, useState } from "react";
import { useSearchParams } from "react-router";
import { useQuery } from "urql";
import { Lines, Quiet, RowLink } from "../../components/cells";
import type { Column } from "../../components/DataTable";
import { List } from "../../components/ListPage";
import { Loaded } from "../../components/Loaded";
import { defineList } from "../../components/list";
import { Panel } from "../../components/Panel";
import { RelativeTime } from "../../components/RelativeTime";
import { StatusPill } from "../../components/StatusPill";
import { useUnsaved } from "../../session/unsaved";
import { ImportForm, noDraft } from "./ImportForm";
import { ImportReport } from "./ImportReport";
import { importStates } from "./imports";
import { ImportDocument, ImportsDocument, type ImportsQuery } from "./imports.generated";
import { type Sending, useSendRows } from "./useSendRows";

/** The import of entries: the form, or the import that the address names. */
export function ImportTab({ listId }: { listId: string }) {
  const [search, setSearch] = useSearchParams();
  // The draft outlives the report, so that a wrong format can be corrected without pasting again.
  const [draft, setDraft] = useState(noDraft);
  const [staged, setStaged] = useState<{ id: string; text: string }>();
  const { send, sending, stop } = useSendRows();
  const id = search.get("import");
  const kept = staged?.text === draft.text;
  useUnsaved(() => (draft.text.trim() && !id && !kept ? "Your rows haven't been imported." : undefined));
  const show = (next?: string) => setSearch(next ? { tab: "import", import: next } : { tab: "import" });
  async function preview(columns: (string | null)[], heading: boolean) {
    const { mode, preset, handling, text } = draft;
    const codes = { trimCodes: handling === "trim", keepSuspicious: handling === "keep" };
    const next = await send({ listId, mode, preset, ...codes, columns, heading, text });
    if (!next) return;
    setStaged({ id: next, text });
    show(next);
  }
  if (id) {
    return <OneImport listId={listId} id={id} onClose={() => show()} />;
  }
  if (sending && sending.sent > 0) return <SendingRows of={sending} onStop={stop} />;
  return (
    <Stack gap="lg">
      <ImportForm listId={listId} draft={draft} onChange={setDraft} busy={sending !== undefined} onPreview={preview} />
      <PastImports listId={listId} />
    </Stack>
  );
}

/** The progress of a long import, with a button to cancel it. */
function SendingRows({ of: { sent, total }, onStop }: { of: Sending; onStop: () => void }) {
  const [stopping, setStopping] = useState(false);
  return (
    <Panel title="Reading rows" maw={760}>
      <Progress value={(100 * sent) / total} aria-label="Import progress" />
      <Text size="sm" c="dimmed">
        {sent.toLocaleString()} of {total.toLocaleString()} characters. The list doesn't change until you commit the
        import.
      </Text>
      <Group justify="flex-end">
        <Button
          variant="default"
          loading={stopping}
          onClick={() => {
            setStopping(true);
            onStop();
          }}
        >
          Cancel import
        </Button>
      </Group>
    </Panel>
  );
}

interface OneProps {
  listId: string;
  id: string;
  onClose: () => void;
}

function OneImport({ listId, id, onClose }: OneProps) {
  const [{ data, error }, again] = useQuery({ query: ImportDocument, variables: { listId, id } });
  return (
    <Loaded data={data} error={error} onRetry={again}>
      {({ entryImport }) => <ImportReport listId={listId} of={entryImport} onClose={onClose} />}
    </Loaded>
  );
}

type Past = ImportsQuery["entryImports"]["nodes"][number];

const importsOf = (listId: string) =>
  defineList({
    document: ImportsDocument,
    rows: (data) => data.entryImports,
    types: ["EntryImport", "EntryImportReport"],
    size: 20,
    variables: (page) => ({ listId, ...page }),
  });

function PastImports({ listId }: { listId: string }) {
  const list = useMemo(() => importsOf(listId), [listId]);
  return (
    <Stack gap="sm">
      <Title order={2} size="h4">
        Imports, last 7 days
      </Title>
      <List
        list={list}
        label="Imports"
        columns={columns}
        empty={{
          icon: FileUp,
          title: "No imports yet",
          text: "Select a file or paste rows above. You review all changes before you commit them.",
        }}
      />
    </Stack>
  );
}

const columns: Column<Past>[] = [
  {
    header: "Started",
    cell: (past) => (
      <Lines>
        <RowLink to={`?tab=import&import=${past._id}`}>
          <RelativeTime at={past.createdAt} />
        </RowLink>
        <Quiet>{past.mode === "full-set" ? "Replaces the list" : "Adds to the list"}</Quiet>
      </Lines>
    ),
  },
  { header: "Status", cell: (past) => <StatusPill {...importStates[past.state]} /> },
  { header: "Rows", cell: (past) => past.counts.rows.toLocaleString(), align: "right", width: 90 },
  { header: "New", cell: (past) => past.counts.new.toLocaleString(), align: "right", visibleFrom: "sm", width: 90 },
  {
    header: "Conflicts",
    cell: (past) => past.counts.conflict.toLocaleString(),
    align: "right",
    visibleFrom: "md",
    width: 100,
  },
  { header: "Invalid", cell: (past) => past.counts.bad.toLocaleString(), align: "right", visibleFrom: "md", width: 90 },
];
