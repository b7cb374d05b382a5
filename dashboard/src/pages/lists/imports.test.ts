import { expect, it } from "vitest";
import { partsOf } from "./imports";

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
