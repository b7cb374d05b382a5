import { describe, expect, it } from "vitest";
import { instantAt, timeZones, wallClock } from "./events";

describe("a time at the event's place", () => {
  it.each([
    ["2026-01-15 20:00:00", "Europe/Paris", "2026-01-15T19:00:00.000Z"],
    ["2026-07-15 20:00:00", "Europe/Paris", "2026-07-15T18:00:00.000Z"],
    ["2026-07-15 00:00:00", "Asia/Kolkata", "2026-07-14T18:30:00.000Z"],
    // Around the change of the clock at 01:00 UTC on 25 October.
    ["2026-10-25 01:59:00", "Europe/Paris", "2026-10-24T23:59:00.000Z"],
    ["2026-10-25 03:00:00", "Europe/Paris", "2026-10-25T02:00:00.000Z"],
    ["2026-03-29 03:00:00", "Europe/Paris", "2026-03-29T01:00:00.000Z"],
    ["2026-05-01 12:00:00", "UTC", "2026-05-01T12:00:00.000Z"],
  ])("%s in %s is %s, and back", (clock, zone, instant) => {
    expect(instantAt(clock, zone)).toBe(instant);
    expect(wallClock(instant, zone)).toBe(clock);
  });
  it("begins the day at hour 0", () => {
    expect(wallClock("2026-05-01T00:05:00.000Z", "UTC")).toBe("2026-05-01 00:05:00");
  });
});

it("UTC is offered first, and once", () => {
  const zones = timeZones();
  expect(zones[0]).toBe("UTC");
  expect(zones.filter((zone) => zone === "UTC")).toHaveLength(1);
  expect(zones).toContain("Europe/Paris");
});
