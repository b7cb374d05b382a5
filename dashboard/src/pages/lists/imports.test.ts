import { expect, it } from "vitest";
import { reasonOf } from "./imports";

const repeated = "has the code of line 2 and says something else";

it.each([
  [true, undefined, repeated],
  [true, [2, 4], "has the code of line 4 and says something else"],
  [false, undefined, "has the code of row 2 and says something else"],
])("a row that repeats another names it as the table does: in a file %j, on lines %j", (inFile, lines, words) => {
  expect(reasonOf(repeated, inFile, lines)).toBe(words);
  expect(reasonOf("email must be an e-mail address", inFile, lines)).toBe("email must be an e-mail address");
});
