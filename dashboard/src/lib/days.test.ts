import { expect, it } from "vitest";
import { daySpan, realDay, realInstant } from "./days";

it.each(["1970-01-01", "2024-02-29", "2026-12-31", "9998-12-31"])("accepts %s", (text) => {
  expect(realDay(text)).toBe(text);
});

it.each([
  "garbage",
  "2026-13-45",
  "2026-02-30",
  "2026-02-29",
  "0000-00-00",
  "9999-99-99",
  "9999-12-31",
  "1969-12-31",
  "2026-1-1",
  "2026-11-28T00:00",
  "",
  null,
  undefined,
])("rejects %j", (text) => {
  expect(realDay(text)).toBeUndefined();
});

it("accepts only times that exist", () => {
  expect(realInstant("2026-11-28T20:00:00+01:00")).toBe("2026-11-28T19:00:00.000Z");
  for (const text of ["garbage", "2026-13-45T00:00:00Z", "+123456-01-01T00:00:00Z", "0000-01-01", "", undefined]) {
    expect(realInstant(text), text).toBeUndefined();
  }
});

it("includes the last day and ignores invalid days", () => {
  expect(daySpan("at", "2026-02-28", "2026-02-28")).toEqual({
    atFrom: new Date(2026, 1, 28).toISOString(),
    atUntil: new Date(2026, 2, 1).toISOString(),
  });
  expect(daySpan("at", "yesterday", undefined)).toEqual({ atFrom: undefined, atUntil: undefined });
  expect(daySpan("at", "2026-02-30", "9999-99-99")).toEqual({ atFrom: undefined, atUntil: undefined });
});
