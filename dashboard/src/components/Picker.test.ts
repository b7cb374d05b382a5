import { expect, it } from "vitest";
import { withSome } from "./Picker";

it("adds and removes values in their original order", () => {
  const all = ["a", "b", "c", "d"];
  expect(withSome(all, ["d", "b"], ["c", "a"], true)).toEqual(["a", "b", "c", "d"]);
  expect(withSome(all, ["d", "b"], ["b", "c"], false)).toEqual(["d"]);
  expect(withSome(all, ["gone"], ["other"], true)).toEqual([]);
});
