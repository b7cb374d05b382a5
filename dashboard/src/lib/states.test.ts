import { expect, it } from "vitest";
import { oneOf, optionsOf } from "./states";

it("a value that was typed into the address counts only when it is known", () => {
  expect(oneOf({ NEW: 1 }, "NEW")).toBe("NEW");
  expect(oneOf({ NEW: 1 }, "toString")).toBeUndefined();
});

it("known values are options by their labels", () => {
  expect(optionsOf({ NEW: "New", OLD: { label: "Old" } })).toEqual([
    { value: "NEW", label: "New" },
    { value: "OLD", label: "Old" },
  ]);
});
