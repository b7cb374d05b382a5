import type { States } from "../../lib/states";
import type { EntryImportState, ImportQuery } from "./imports.generated";

export type Report = ImportQuery["entryImport"];

/** A file of more bytes is not read into the page; files of any length go in by the command line and by REST. */
export const mostBytes = 32 * 1024 * 1024;

/** A text of more characters is not shown in a field, where nobody can look through it. */
export const mostShown = 256 * 1024;

/**
 * How much of a text one call sends, and how much of it is looked at to choose its columns, in bytes of UTF-8. As JSON a part is up
 * to six times as long, and a request takes 1 MiB.
 */
const partBytes = 160 * 1024;
const beginningBytes = 64 * 1024;

const encoder = new TextEncoder();

/** The longest beginning of a text that has so many bytes, never half a character. */
function firstBytes(text: string, bytes: number): string {
  const { read } = encoder.encodeInto(text.slice(0, bytes), new Uint8Array(bytes));
  return text.slice(0, read);
}

/** The beginning of a text, and whether more of it follows. */
export function beginningOf(text: string): { text: string; more: boolean } {
  const beginning = firstBytes(text, beginningBytes);
  return { text: beginning, more: beginning.length < text.length };
}

/** Divides a text into parts that go into one call each. No text is one part too. */
export function partsOf(text: string): string[] {
  const parts: string[] = [];
  let at = 0;
  do {
    const part = firstBytes(text.slice(at, at + partBytes), partBytes);
    parts.push(part);
    at += part.length;
  } while (at < text.length);
  return parts;
}

/** What an import can be, as the pill says it. */
export const importStates: States<EntryImportState> = {
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

/** How codes that look damaged are read. */
export const codeHandlings = [
  {
    value: "refuse",
    label: "Refuse codes that look damaged",
    explanation: "Such as 1.23E+11, dates, and blanks at an end.",
  },
  { value: "trim", label: "Trim codes", explanation: "Removes blanks at both ends. Other damaged codes are refused." },
  { value: "keep", label: "Keep codes exactly as they are", explanation: "No code is refused for how it looks." },
];

export interface ImportOptions {
  mode: string;
  preset: string;
  handling: string;
}

/** What the command line and REST are given for a file of any length. */
export function commandOf(listId: string, { mode, preset, handling }: ImportOptions): string {
  const flags = [
    mode === "full-set" ? " --full-set" : "",
    preset === "as-read" ? "" : ` --preset ${preset}`,
    handling === "trim" ? " --trim-codes" : "",
    handling === "keep" ? " --keep-suspicious" : "",
  ].join("");
  return `ticketgate entries import FILE.csv --list ${listId} --url ${window.location.origin}${flags}`;
}

export function requestOf(listId: string, { mode, preset, handling }: ImportOptions): string {
  const query = new URLSearchParams({ mode, preset });
  if (handling === "trim") query.set("trimCodes", "true");
  if (handling === "keep") query.set("keepSuspicious", "true");
  return [
    `curl -X POST "${window.location.origin}/api/access-lists/${listId}/entries/imports?${query}"`,
    `-H "Authorization: Bearer $TICKETGATE_API_KEY"`,
    `-H "Content-Type: text/csv"`,
    `--data-binary @FILE.csv`,
  ].join(" \\\n  ");
}
