import type { Tone } from "../../components/StatusPill";
import type { EntryImportState, ImportQuery } from "./imports.generated";

export type Report = ImportQuery["entryImport"];

/** The most rows that are sent from the page; files of any length go in by the command line and by REST. */
export const mostRows = 1000;

/** What an import can be, as the pill says it. */
export const importStates: Record<EntryImportState, { tone: Tone; label: string; explanation: string }> = {
  reading: { tone: "info", label: "Reading", explanation: "Rows are still coming in." },
  staged: {
    tone: "warning",
    label: "Not committed",
    explanation: "The list is as it was: commit or cancel the import.",
  },
  committed: {
    tone: "good",
    label: "Committed",
    explanation: "The list was changed. It can be undone for seven days.",
  },
  canceled: { tone: "idle", label: "Canceled", explanation: "The import was given up. The list was left as it was." },
  undone: { tone: "idle", label: "Undone", explanation: "What the import had changed was taken back." },
};

/** How the codes of cards are turned, as the form says it. */
export const presets = [
  { value: "as-read", label: "As they are" },
  { value: "upper", label: "Card UID, in upper case" },
  { value: "reversed", label: "Card UID, bytes reversed" },
  { value: "88040000+reversed", label: "Card UID of 4 bytes, 88040000 + reversed" },
];

export const modes = [
  { value: "add", label: "Add to the list", explanation: "Entries that the rows do not name stay as they are." },
  {
    value: "full-set",
    label: "Replace the list",
    explanation: "The rows are all that the list shall have: entries that they lack are removed.",
  },
];

/** What the command line and REST are given for a file of any length. */
export function commandOf(listId: string, mode: string, preset: string): string {
  const flags = `${mode === "full-set" ? " --full-set" : ""}${preset === "as-read" ? "" : ` --preset ${preset}`}`;
  return `ticketgate entries import FILE.csv --list ${listId} --url ${window.location.origin}${flags}`;
}

export function requestOf(listId: string, mode: string, preset: string): string {
  const query = new URLSearchParams({ mode, preset });
  return [
    `curl -X POST "${window.location.origin}/api/access-lists/${listId}/entries/imports?${query}"`,
    `-H "Authorization: Bearer $TICKETGATE_API_KEY"`,
    `-H "Content-Type: text/csv"`,
    `--data-binary @FILE.csv`,
  ].join(" \\\n  ");
}

/** Why a row is bad, naming another row as the table numbers it: by its line in the file, or by its place among the rows. */
export function reasonOf(reason: string, inFile: boolean, lines: number[] | undefined): string {
  return reason.replace(/^has the code of line (\d+)/, (_, row: string) =>
    inFile ? `has the code of line ${lines?.[Number(row) - 1] ?? row}` : `has the code of row ${row}`,
  );
}
