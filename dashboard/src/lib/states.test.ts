import { expect, it } from "vitest";
import { oneOf, optionsOf } from "./states";

it("returns a value only if it is known", () => {
  expect(oneOf({ NEW: 1 }, "NEW")).toBe("NEW");
  expect(oneOf({ NEW: 1 }, "toString")).toBeUndefined();
});

it("returns options with labels", () => {
  expect(optionsOf({ NEW: "New", OLD: { label: "Old" } })).toEqual([
    { value: "NEW", label: "New" },
    { value: "OLD", label: "Old" },
  ]);
});
