/** One record of a text, and the line on which it begins. */
export interface Cells {
  cells: string[];
  line: number;
}

/** A text taken apart, or why it can't be. */
export type Table = { separator: string; records: Cells[] } | { problem: string };

/** The members of an entry that a column can hold. */
export const members = ["externalCode", "customerId", "firstname", "lastname", "email", "phone"] as const;

/**
 * Takes apart what the API's CSV reader takes: commas, semicolons, tabs or vertical bars, quoted cells that go on over lines,
 * blank lines, and a first line such as `sep=;`.
 */
export function readTable(text: string): Table {
  const lines = linesOf(text.replace(/^\ufeff/, ""));
  const mixed = lines.findIndex((line) => /[\r\n]/.test(line) && !line.includes('"')); // a quoted cell may go on over lines
  if (mixed >= 0) {
    return {
      problem: `Line ${mixed + 1}: some lines end in CR and others in LF; save the file with one end for all lines`,
    };
  }
  const records: Cells[] = [];
  let separator = "";
  for (let at = 0; at < lines.length; at++) {
    const line = at + 1;
    let record = lines[at] ?? "";
    if (!separator) {
      if (!record) continue;
      const named = /^"?sep=(.)"?$/i.exec(record)?.[1];
      separator = named ?? separatorOf(record);
      if (named) continue;
    }
    let cells = split(record, separator);
    while (cells === "open") {
      const further: string[] = [];
      do {
        if (++at >= lines.length) return { problem: `Line ${line}: a quotation mark is never closed` };
        further.push(lines[at] ?? "");
      } while (leavesOpen(lines[at] ?? ""));
      record = [record, ...further].join("\n");
      cells = split(record, separator);
    }
    if (cells === "faulty") return { problem: `Line ${line} has text after a closing quotation mark` };
    if (cells.join("")) records.push({ cells, line });
  }
  return { separator: separator || ",", records };
}

/** Whether a cell that is open before a line is so after it: quotation marks within it stand in pairs. */
function leavesOpen(line: string): boolean {
  return (line.split('"').length - 1) % 2 === 0;
}

/** Lines without their ends: LF or CRLF, or CR in a text whose first line ends so, as old spreadsheets write it. */
function linesOf(text: string): string[] {
  const end = /^[^\r\n]*\r[^\n]/.test(text) ? "\r" : "\n";
  return text.split(end).map((line) => line.replace(/\n$/, "").replace(/\r$/, ""));
}

/** What stands most often in the first line, outside quotation marks. */
function separatorOf(line: string): string {
  const plain = line.replaceAll(/"[^"]*"/g, "");
  const times = (mark: string) => plain.split(mark).length;
  return [",", ";", "\t", "|"].reduce((best, mark) => (times(mark) > times(best) ? mark : best));
}

function split(record: string, separator: string): string[] | "open" | "faulty" {
  const cells: string[] = [];
  let rest = record;
  for (;;) {
    let cell: string;
    if (rest.startsWith('"')) {
      const quoted = /^"((?:[^"]|"")*)"(?!")/.exec(rest);
      if (!quoted) return "open";
      cell = (quoted[1] ?? "").replaceAll('""', '"');
      rest = rest.slice(quoted[0].length);
      if (rest && !rest.startsWith(separator)) return "faulty";
    } else {
      const end = rest.indexOf(separator);
      cell = end < 0 ? rest : rest.slice(0, end);
      rest = rest.slice(cell.length);
    }
    cells.push(cell);
    if (!rest) return cells;
    rest = rest.slice(1);
  }
}

/** What a column's name means: a member, `meta.x`, no name, or "" for nothing that is known. */
export function columnOf(name: string): string {
  const trimmed = name.trim();
  if (!trimmed) return unnamed;
  if (/^meta\../i.test(trimmed)) return `meta.${trimmed.slice(5)}`;
  const plain = trimmed.replaceAll(/[ _-]/g, "").toLowerCase();
  if (plain === "code") return "externalCode"; // as the page itself calls it
  return members.find((member) => member.toLowerCase() === plain) ?? "";
}

/** Whether the first record names the columns; one cell alone does only when it names the code. */
export function hasHeading(records: Cells[]): boolean {
  const first = withoutBlankEnd(records[0]?.cells ?? []);
  return first.length > 1 || columnOf(first[0] ?? "") === "externalCode";
}

/** A column without a name, whose cells must be empty, and one that is left out by choice. */
export const unnamed = "unnamed";
export const leftOut = "";

/** A record as the API takes it. The API judges its cells as it judges those of a file (IMPORT-2). */
export interface ImportRecord {
  line: number;
  cells: string[];
}

/** The columns that are sent, by name. */
export function sentColumns(columns: string[]): string[] {
  return columns.filter((column) => column !== leftOut).map((column) => (column === unnamed ? "" : column));
}

/** The record without the cells of columns that are left out. Cells beyond the last column stay. */
export function recordOf({ cells, line }: Cells, columns: string[]): ImportRecord {
  return { line, cells: cells.filter((_, at) => columns[at] !== leftOut) };
}

/** A record without blank cells at its end: spreadsheets end a record with a separator for each column ever used. */
function withoutBlankEnd(cells: string[]): string[] {
  const last = cells.findLastIndex((cell) => cell.trim() !== "");
  return cells.slice(0, Math.max(last + 1, 1));
}
