import { expect, it } from "vitest";
import { labelled, niceTop, runs } from "./Chart";

it.each([
  [0, 2],
  [2, 2],
  [3, 4],
  [5, 10],
  [10, 10],
  [11, 20],
  [39, 40],
  [41, 100],
  [7200, 10_000],
])("ends an axis for %d at %d", (value, top) => {
  expect(niceTop(value)).toBe(top);
});

it("labels about six steps, and fewer if space is short", () => {
  expect(labelled(12, 9)).toEqual([1, 3, 5, 7, 9, 11]);
  expect(labelled(24, 9)).toEqual([2, 6, 10, 14, 18, 22]);
  expect(labelled(28, 6)).toEqual([2, 7, 12, 17, 22, 27]);
  expect(labelled(24, 3)).toEqual([4, 12, 20]);
  expect(labelled(12, 0.5)).toEqual([6]);
});

it("breaks a line at missing values", () => {
  expect(runs([null, 1, 2, null, null, 0, null])).toEqual([[1, 2], [5]]);
  expect(runs([null, null])).toEqual([]);
});
