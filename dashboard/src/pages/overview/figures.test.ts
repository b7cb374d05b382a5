import { describe, expect, it } from "vitest";
import { deliveryRate, minuteBars, perMinute } from "./figures";

describe("the delivery rate", () => {
  it.each([
    [0, 0, 0, "No finished deliveries, last 24 h"],
    [3, 0, 0, "100 % delivered (3 of 3, last 24 h)"],
    [0, 2, 0, "0 % delivered (0 of 2, last 24 h)"],
    [1, 2, 0, "33.3 % delivered (1 of 3, last 24 h)"],
    [99_999, 1, 0, "99.9 % delivered (99,999 of 100,000, last 24 h)"],
    [23, 0, 1023, "100 % delivered (23 of 23, last 24 h) · 1,023 pending"],
    [0, 0, 7, "No finished deliveries, last 24 h · 7 pending"],
  ])("with %i delivered, %i failed and %i pending reads: %s", (delivered, failed, pending, words) => {
    expect(deliveryRate(delivered, failed, pending)).toBe(words);
  });
});

it("shows one bar per minute of the last hour", () => {
  const bars = minuteBars(
    [
      { at: "2026-11-28T11:00:00.000Z", approved: 9, declined: 9 },
      { at: "2026-11-28T11:01:00.000Z", approved: 6, declined: 0 },
      { at: "2026-11-28T12:00:00.000Z", approved: 0, declined: 3 },
    ],
    Date.parse("2026-11-28T12:00:59.999Z"),
  );
  expect(bars).toHaveLength(60);
  expect(bars[0]?.counts).toEqual({ approved: 6, declined: 0 });
  expect(bars[1]?.counts).toEqual({ approved: 0, declined: 0 });
  expect(bars[59]?.counts).toEqual({ approved: 0, declined: 3 });
  expect(perMinute(bars)).toBe("0.2");
});
