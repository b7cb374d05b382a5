import type { States } from "../../lib/states";
import type { EntryImportState, ImportQuery } from "./imports.generated";

export type Report = ImportQuery["entryImport"];

/** The maximum size of a file in the page, in bytes. The command line and REST accept any size. */
export const mostBytes = 32 * 1024 * 1024;

/** The maximum length of a text that the text field shows, in characters. */
export const mostShown = 256 * 1024;

/**
 * The size of a part, and of the beginning that is checked for columns, in bytes of UTF-8. As JSON, a part can be six times as
 * long, and a request is limited to 1 MiB.
 */
const partBytes = 160 * 1024;
const beginningBytes = 64 * 1024;

const encoder = new TextEncoder();

/** Returns the longest beginning of a text within the given bytes, never ending within a character. */
function firstBytes(text: string, bytes: number): string {
  const { read } = encoder.encodeInto(text.slice(0, bytes), new Uint8Array(bytes));
  return text.slice(0, read);
}

/** Returns the beginning of a text, and whether there is more. */
export function beginningOf(text: string): { text: string; more: boolean } {
  const beginning = firstBytes(text, beginningBytes);
  return { text: beginning, more: beginning.length < text.length };
}

/** Splits a text into parts of one request each. An empty text is one part. */
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

/** The statuses of an import. */
export const importStates: States<EntryImportState> = {
  reading: { tone: "info", label: "Reading", explanation: "Rows are still being received." },
  staged: {
    tone: "warning",
    label: "Not committed",
    explanation: "The list is unchanged. Commit or cancel the import.",
  },
  committed: {
    tone: "good",
    label: "Committed",
    explanation: "The list was changed. You can undo the import for 7 days.",
  },
  canceled: { tone: "idle", label: "Canceled", explanation: "The import was canceled. The list is unchanged." },
  undone: { tone: "idle", label: "Undone", explanation: "The import's changes were reverted." },
};

/** The formats of card codes. */
export const presets = [
  { value: "as-read", label: "As read" },
  { value: "upper", label: "Card UID, upper case" },
  { value: "reversed", label: "Card UID, bytes reversed" },
  { value: "88040000+reversed", label: "Card UID of 4 bytes, 88040000 + reversed" },
];

export const modes = [
  { value: "add", label: "Add to the list", explanation: "Keeps entries that aren't in the import." },
  {
    value: "full-set",
    label: "Replace the list",
    explanation: "Removes entries that aren't in the import.",
  },
];

/** How damaged codes are handled. */
export const codeHandlings = [
  {
    value: "refuse",
    label: "Reject damaged codes",
    explanation: "Codes such as 1.23E+11, dates, and codes with leading or trailing spaces are invalid.",
  },
  {
    value: "trim",
    label: "Trim codes",
    explanation: "Removes leading and trailing spaces. Other damaged codes are invalid.",
  },
  { value: "keep", label: "Keep codes unchanged", explanation: "Imports damaged codes as they are." },
];

export interface ImportOptions {
  mode: string;
  preset: string;
  handling: string;
}

/** Returns the shell command that imports a file of any size. */
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
