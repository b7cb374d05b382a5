import { Alert, Button, Checkbox, FileButton, Group, Paper, Radio, Select, Stack, Text, Textarea } from "@mantine/core";
import { FileUp, TriangleAlert } from "lucide-react";
import { useEffect, useRef, useState } from "react";
import { CodeView } from "../../components/CodeView";
import { ErrorState } from "../../components/ErrorState";
import { Panel } from "../../components/Panel";
import { showFailure } from "../../components/useAction";
import { Columns } from "./Columns";
import { labelOf, leftOut, sentColumns, shownColumn, unnamed } from "./columns";
import {
  codeHandlings,
  commandOf,
  type ImportOptions,
  modes,
  mostBytes,
  mostShown,
  presets,
  requestOf,
} from "./imports";
import type { ImportColumnsQuery } from "./imports.generated";
import { useBeginning } from "./useBeginning";

/** The text to import, with its options. */
export interface Draft extends ImportOptions {
  text: string;
  /** The file that the text was read from. */
  file?: string;
  /** Whether the first line names the columns, and the field of each column. Detected unless the user has chosen. */
  heading?: boolean;
  columns: Record<number, string>;
}

export const noDraft: Draft = { text: "", mode: "add", preset: "as-read", handling: "refuse", columns: {} };

/** What the API detects at the start of a text. */
type Beginning = ImportColumnsQuery["entryImportColumns"];

/** Combines the detected columns with the user's choices, or returns why the text can't be sent. */
function readDraft(
  { columns: chosen }: Draft,
  { problem, heading, records, columns: found }: Beginning,
  more: boolean,
) {
  const names = found.map(({ cell }, at) => (heading ? cell : `Column ${at + 1}, such as ${cell || "empty"}`));
  const columns = found.map(({ column }, at) => chosen[at] ?? shownColumn(column));
  const rows = heading ? records - 1 : records;
  return { problem: problem ?? problemOf(columns, rows > 0 || more), rows, columns, names, heading };
}

function problemOf(columns: string[], hasRows: boolean): string | undefined {
  const used = columns.filter((column) => column !== leftOut && column !== unnamed);
  const twice = used.find((column, at) => used.indexOf(column) !== at);
  if (!hasRows) return "There are no rows below the column names.";
  if (!used.includes("externalCode")) return "Select the column that contains the code.";
  if (twice) return `Two columns are assigned to “${labelOf(twice)}”. Skip one of them.`;
  return undefined;
}

interface Props {
  listId: string;
  draft: Draft;
  onChange: (draft: Draft) => void;
  busy: boolean;
  onPreview: (columns: (string | null)[], heading: boolean) => void;
}

export function ImportForm({ listId, draft, onChange, busy, onPreview }: Props) {
  const there = draft.text.trim() !== "";
  const { beginning, more, current, error, again } = useBeginning(draft.text, draft.heading);
  const read = there && beginning ? readDraft(draft, beginning, more) : undefined;
  const set = (changes: Partial<Draft>) => onChange({ ...draft, ...changes });
  const [submit, waits] = useOnce(current || !!error, () => {
    if (read && !read.problem && !error) onPreview(sentColumns(read.columns), read.heading);
  });
  return (
    <Panel title="Import entries" maw={760}>
      <Source draft={draft} onText={(text, file) => set({ text, file, heading: undefined, columns: {} })} />
      {read && read.names.length > 0 && (
        <>
          <Checkbox
            label="First line contains column names"
            checked={draft.heading ?? read.heading}
            onChange={(event) => set({ heading: event.currentTarget.checked, columns: {} })}
          />
          <Columns
            names={read.names}
            columns={read.columns}
            onChange={(at, column) => set({ columns: { ...draft.columns, [at]: column } })}
          />
        </>
      )}
      {there && error && <ErrorState error={error} onRetry={again} />}
      {read?.problem && (
        <Alert color="orange" variant="light" icon={<TriangleAlert aria-hidden />} role="status">
          {read.problem}
        </Alert>
      )}
      <Select
        label="Code format"
        description="Card readers output the same code in different formats. The preview shows the first codes in each format."
        data={presets}
        value={draft.preset}
        onChange={(preset) => preset && set({ preset })}
        allowDeselect={false}
        maw={400}
      />
      <Radio.Group label="Damaged codes" value={draft.handling} onChange={(handling) => set({ handling })}>
        <Stack gap="sm" mt="xs">
          {codeHandlings.map(({ value, label, explanation }) => (
            <Radio key={value} value={value} label={label} description={explanation} />
          ))}
        </Stack>
      </Radio.Group>
      <Radio.Group label="Mode" value={draft.mode} onChange={(mode) => set({ mode })}>
        <Stack gap="sm" mt="xs">
          {modes.map(({ value, label, explanation }) => (
            <Radio key={value} value={value} label={label} description={explanation} />
          ))}
        </Stack>
      </Radio.Group>
      <Group justify="flex-end">
        {read && !read.problem && !more && (
          <Text size="sm" c="dimmed" role="status">
            {read.rows.toLocaleString()} {read.rows === 1 ? "row" : "rows"}
          </Text>
        )}
        <Button onClick={submit} loading={busy || waits} disabled={!there || !!error || read?.problem !== undefined}>
          Preview import
        </Button>
      </Group>
      <details>
        <Text component="summary" size="sm" fw={500} style={{ cursor: "pointer" }}>
          Larger files and automated imports
        </Text>
        <Stack mt="sm">
          <Text size="sm" c="dimmed">
            The command line and the REST API accept CSV and NDJSON of any size. Both require an API key with the
            permission accessLists:update. The command shows the same report and asks before it commits.
          </Text>
          <CodeView label="Command line" value={commandOf(listId, draft)} />
          <CodeView label="REST API" value={requestOf(listId, draft)} />
        </Stack>
      </details>
    </Panel>
  );
}

/** Returns a function that runs an action as soon as it is ready. */
function useOnce(ready: boolean, act: () => void): [() => void, boolean] {
  const [asked, setAsked] = useState(false);
  useEffect(() => {
    if (!asked || !ready) return;
    setAsked(false);
    act();
  });
  return [() => setAsked(true), asked];
}

/** The source of the rows: a file or pasted text. */
function Source({ draft, onText }: { draft: Draft; onText: (text: string, file?: string) => void }) {
  // Reset each time, so that a corrected file of the same name can be chosen again.
  const reset = useRef<() => void>(null);
  async function readFile(file: File | null) {
    reset.current?.();
    if (!file) return;
    if (file.size > mostBytes)
      return refuse(`${file.name} is larger than 32 MiB. Use one of the options for larger files below.`);
    try {
      onText(new TextDecoder("utf-8", { fatal: true }).decode(await file.arrayBuffer()), file.name);
    } catch {
      refuse(`${file.name} isn't encoded in UTF-8. Save it as “CSV UTF-8” and select it again.`);
    }
  }
  return (
    <Stack gap="xs">
      <Group gap="sm">
        <FileButton
          resetRef={reset}
          onChange={readFile}
          accept=".csv,.txt,.tsv,text/csv,text/plain"
          inputProps={{ "aria-label": "File" }}
        >
          {(props) => (
            <Button variant="default" leftSection={<FileUp size={16} aria-hidden />} {...props}>
              Select file
            </Button>
          )}
        </FileButton>
        <Text size="sm" c="dimmed">
          CSV up to 32 MiB, separated by commas, semicolons, tabs or vertical bars
        </Text>
      </Group>
      {draft.text.length > mostShown ? (
        <LongText draft={draft} onRemove={() => onText("")} />
      ) : (
        <Pasted text={draft.text} onText={onText} />
      )}
    </Stack>
  );
}

/** Replaces the text field for texts that are too long to edit. */
function LongText({ draft: { text, file }, onRemove }: { draft: Draft; onRemove: () => void }) {
  return (
    <Paper withBorder p="sm">
      <Group justify="space-between" wrap="nowrap">
        <Text size="sm" truncate role="status">
          {file ?? "Pasted text"}, {text.length.toLocaleString()} characters
        </Text>
        <Button variant="subtle" size="xs" onClick={onRemove}>
          Remove
        </Button>
      </Group>
    </Paper>
  );
}

function Pasted({ text, onText }: { text: string; onText: (text: string) => void }) {
  return (
    <Textarea
      label="Or paste rows"
      description="A list with only codes needs no column names."
      placeholder={"externalCode,firstname,lastname\nc43f3632,Ada,Lovelace"}
      autosize
      minRows={5}
      maxRows={14}
      spellCheck={false}
      styles={{
        input: { fontFamily: "var(--mantine-font-family-monospace)", fontSize: "var(--mantine-font-size-xs)" },
      }}
      value={text}
      onChange={(event) => onText(event.currentTarget.value)}
    />
  );
}

function refuse(message: string) {
  showFailure({ code: "FILE", message, fields: [] }, "This file can't be read");
}
