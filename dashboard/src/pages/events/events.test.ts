import { describe, expect, it } from "vitest";
import { instantAt, instantOf, isShownTwice, timeAt, timeZones, wallClock } from "./events";

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

describe("a time in a form", () => {
  // At 06:00 UTC on 1 November the clock in New York is put back from 02:00 to 01:00.
  it.each([
    ["2026-11-01T05:30:00.000Z", "America/New_York"],
    ["2026-11-01T06:30:00.000Z", "America/New_York"],
    ["2026-10-25T00:30:00.000Z", "Europe/Paris"],
    ["2026-10-25T01:30:00.000Z", "Europe/Paris"],
    ["2026-05-01T18:00:00.123Z", "Europe/Paris"],
    ["2026-05-01T18:00:59.999Z", "UTC"],
  ])("stays %s in %s while nobody touches it", (instant, timeZone) => {
    expect(instantOf({ clock: wallClock(instant, timeZone), timeZone }, { instant, timeZone })).toBe(instant);
  });
  it("means what the clock shows once it or the time zone is another", () => {
    const loaded = { instant: "2026-05-01T18:00:00.123Z", timeZone: "Europe/Paris" };
    const changed = { clock: "2026-05-01 21:00:00", timeZone: "Europe/Paris" };
    expect(instantOf(changed, loaded)).toBe("2026-05-01T19:00:00.000Z");
    const moved = { clock: "2026-05-01 20:00:00", timeZone: "Asia/Tokyo" };
    expect(instantOf(moved, loaded)).toBe("2026-05-01T11:00:00.000Z");
    expect(instantOf(moved)).toBe("2026-05-01T11:00:00.000Z");
  });
  it.each([
    ["2026-11-01T05:30:00.000Z", "America/New_York", true],
    ["2026-11-01T06:30:00.000Z", "America/New_York", true],
    ["2026-11-01T07:00:00.000Z", "America/New_York", false],
    ["2026-11-01T04:59:00.000Z", "America/New_York", false],
    ["2026-04-04T15:00:00.000Z", "Australia/Lord_Howe", true],
    ["2026-11-01T05:30:00.000Z", "UTC", false],
  ])("of %s in %s is shown twice: %s", (instant, timeZone, twice) => {
    expect(isShownTwice(instant, timeZone)).toBe(twice);
  });
  it("that is shown twice is told apart", () => {
    const [first, second] = ["2026-11-01T05:30:00.000Z", "2026-11-01T06:30:00.000Z"];
    expect(timeAt(first, "America/New_York")).not.toBe(timeAt(second, "America/New_York"));
  });
});

it("UTC is offered first, and once", () => {
  const zones = timeZones();
  expect(zones[0]).toBe("UTC");
  expect(zones.filter((zone) => zone === "UTC")).toHaveLength(1);
  expect(zones).toContain("Europe/Paris");
});
