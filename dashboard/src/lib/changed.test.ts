import { expect, it } from "vitest";
import { changedOf } from "./changed";

it("leaves out unchanged fields", () => {
  const before = { name: "Gate", events: ["a"], settings: { mode: "full" }, expires: null as string | null };
  expect(changedOf({ ...before, events: ["a"] }, before)).toEqual({});
  expect(changedOf({ ...before, name: "Door", settings: { mode: "restricted" } }, before)).toEqual({
    name: "Door",
    settings: { mode: "restricted" },
  });
});

it("includes cleared fields and new fields", () => {
  expect(changedOf<{ end?: string | null; meta?: object }>({ end: null, meta: {} }, { end: "2030-01-01" })).toEqual({
    end: null,
    meta: {},
  });
});
