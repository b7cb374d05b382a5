import { expect, it } from "vitest";
import { partsOf, reasonOf } from "./imports";

const repeated = "has the code of line 2 and says something else";

it.each([
  [true, undefined, repeated],
  [true, [2, 4], "has the code of line 4 and says something else"],
  [false, undefined, "has the code of row 2 and says something else"],
])("a row that repeats another names it as the table does: in a file %j, on lines %j", (inFile, lines, words) => {
  expect(reasonOf(repeated, inFile, lines)).toBe(words);
  expect(reasonOf("email must be an e-mail address", inFile, lines)).toBe("email must be an e-mail address");
});

it("rows are sent in parts of at most a thousand, and of less where they are long; none is left out", () => {
  const rows = (count: number, length: number) =>
    Array.from({ length: count }, (_, at) => ({ externalCode: String(at).padStart(length, "c") }));
  const sizes = (count: number, length: number) => partsOf(rows(count, length)).map((part) => part.length);
  expect(sizes(0, 1)).toEqual([0]);
  expect(sizes(1000, 8)).toEqual([1000]);
  expect(sizes(2001, 8)).toEqual([1000, 1000, 1]);
  expect(sizes(5, 100_000)).toEqual([2, 2, 1]);
  expect(partsOf(rows(2501, 300)).flat()).toEqual(rows(2501, 300));
});
