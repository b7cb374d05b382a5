import { readFileSync } from "node:fs";
import { describe, expect, it } from "vitest";
import { columnOf, hasHeading, leftOut, readTable, recordOf, sentColumns, unnamed } from "./csv";

/** The cells of a text, when it can be taken apart. */
function cellsOf(text: string) {
  const table = readTable(text);
  return "records" in table ? table.records.map(({ line, cells }) => [line, ...cells]) : table.problem;
}

describe("a text", () => {
  it.each([
    [
      "commas",
      "a,b\n1,2",
      [
        [1, "a", "b"],
        [2, "1", "2"],
      ],
    ],
    [
      "semicolons, with commas in quotation marks",
      '"a,b,c";d\n1;2',
      [
        [1, "a,b,c", "d"],
        [2, "1", "2"],
      ],
    ],
    [
      "tabs",
      "a\tb\r\n1\t2\r\n",
      [
        [1, "a", "b"],
        [2, "1", "2"],
      ],
    ],
    [
      "lines that end in CR alone",
      '\ufeffa,b\r1,2\r\r"B\r1",x\r',
      [
        [1, "a", "b"],
        [2, "1", "2"],
        [4, "B\n1", "x"],
      ],
    ],
    ["vertical bars", "a|b", [[1, "a", "b"]]],
    ["what its first line names", "sep=|\na|b", [[2, "a", "b"]]],
    ["a byte order mark", "\ufeffa,b", [[1, "a", "b"]]],
    [
      "blank lines",
      "\n\na\n\n,\nb",
      [
        [3, "a"],
        [6, "b"],
      ],
    ],
    [
      "a cell over two lines",
      'a,"b\nc"\nd,e',
      [
        [1, "a", "b\nc"],
        [3, "d", "e"],
      ],
    ],
    [
      "cells over several lines, that end and begin on one, with quotation marks in them",
      'a,"b\nsaid ""c""\n""\nd","e\nf"\ng,h',
      [
        [1, "a", 'b\nsaid "c"\n"\nd', "e\nf"],
        [6, "g", "h"],
      ],
    ],
    ["doubled quotation marks", '"a ""b""",c', [[1, 'a "b"', "c"]]],
    [
      "empty cells",
      "a,,\n,b",
      [
        [1, "a", "", ""],
        [2, "", "b"],
      ],
    ],
    ["nothing", "", []],
  ])("with %s is taken apart", (_, text, cells) => {
    expect(cellsOf(text)).toEqual(cells);
  });
  it("with an open quotation mark is refused by the line on which it begins", () => {
    expect(cellsOf('a\n"b\nc')).toBe("Line 2: a quotation mark is never closed");
  });
  it("with an open quotation mark before a hundred thousand lines is refused as soon", () => {
    expect(cellsOf(`a\n"b\n${"code,Ada\n".repeat(100_000)}`)).toBe("Line 2: a quotation mark is never closed");
  });
  it.each([
    ["A\nB\rC\n", 2],
    ["A\rB\nC\n", 2],
    ["A\rB\r\nC\r", 3],
  ])("whose lines end now so and now so is refused: %j", (text, line) => {
    expect(cellsOf(text)).toBe(
      `Line ${line}: some lines end in CR and others in LF; save the file with one end for all lines`,
    );
  });
  it("with text after a quoted cell is refused", () => {
    expect(cellsOf('a,b\n"c"d,e')).toBe("Line 2 has text after a closing quotation mark");
  });
});

interface Case {
  name: string;
  text: string;
  records?: [number, ...string[]][];
}

// The API's reader is held to the same cases by domain/access/import_tables_test.go.
const tables = new URL("../../../../domain/csv/testdata/tables.json", import.meta.url);

describe("a text, as the API takes it apart,", () => {
  it.each(JSON.parse(readFileSync(tables, "utf8")) as Case[])("with $name", ({ text, records }) => {
    const cells = cellsOf(text);
    if (records) expect(cells).toEqual(records);
    else expect(cells).toBeTypeOf("string");
  });
});

describe("a column", () => {
  it.each([
    ["externalCode", "externalCode"],
    [" External-Code ", "externalCode"],
    ["first_name", "firstname"],
    ["Code", "externalCode"],
    ["META.seat No", "meta.seat No"],
    ["meta.", ""],
    ["Kartennummer", leftOut],
    [" ", unnamed],
  ])("%j means %j", (name, meaning) => {
    expect(columnOf(name)).toBe(meaning);
  });
  it("needs a name, save where codes stand alone", () => {
    expect(hasHeading([{ cells: ["c43f3632"], line: 1 }])).toBe(false);
    expect(hasHeading([{ cells: ["c43f3632", "", " "], line: 1 }])).toBe(false);
    expect(hasHeading([{ cells: ["External code"], line: 1 }])).toBe(true);
    expect(hasHeading([{ cells: ["Karte", "Name"], line: 1 }])).toBe(true);
  });
});

describe("a record", () => {
  const columns = ["meta.seat", "externalCode", leftOut, unnamed, "email"];
  it("is sent with the columns that are not left out", () => {
    expect(sentColumns(columns)).toEqual(["meta.seat", "externalCode", "", "email"]);
    expect(recordOf({ cells: ["12", " A1", "left out", "", "a@x.example"], line: 2 }, columns)).toEqual({
      line: 2,
      cells: ["12", " A1", "", "a@x.example"],
    });
  });
  it("keeps cells that belong to no column: the API says which", () => {
    expect(recordOf({ cells: ["12", "A1", "", "x", "", "y"], line: 2 }, columns).cells).toEqual([
      "12",
      "A1",
      "x",
      "",
      "y",
    ]);
  });
});
