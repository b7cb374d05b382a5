import { describe, expect, it } from "vitest";
import { clockOf, instantAt, instantOf, isShownTwice, isSkipped, timeAt, timeZones, wallClock } from "./events";

describe("a time in the event's time zone", () => {
  it.each([
    ["2026-01-15 20:00:00", "Europe/Paris", "2026-01-15T19:00:00.000Z"],
    ["2026-07-15 20:00:00", "Europe/Paris", "2026-07-15T18:00:00.000Z"],
    ["2026-07-15 00:00:00", "Asia/Kolkata", "2026-07-14T18:30:00.000Z"],
    // Around the change of the clock at 01:00 UTC on 25 October.
    ["2026-10-25 01:59:00", "Europe/Paris", "2026-10-24T23:59:00.000Z"],
    ["2026-10-25 03:00:00", "Europe/Paris", "2026-10-25T02:00:00.000Z"],
    ["2026-03-29 03:00:00", "Europe/Paris", "2026-03-29T01:00:00.000Z"],
    ["2026-05-01 12:00:00", "UTC", "2026-05-01T12:00:00.000Z"],
  ])("%s in %s converts to %s and back", (clock, zone, instant) => {
    expect(instantAt(clock, zone)).toBe(instant);
    expect(wallClock(instant, zone)).toBe(clock);
  });
  it("starts the day at hour 0", () => {
    expect(wallClock("2026-05-01T00:05:00.000Z", "UTC")).toBe("2026-05-01 00:05:00");
  });
});

// DASH-20
describe("a clock change", () => {
  it.each([
    ["2027-03-14 02:30:00", "America/New_York", "2027-03-14T07:30:00.000Z", "2027-03-14 03:30:00"],
    ["2027-03-14 02:00:00", "America/New_York", "2027-03-14T07:00:00.000Z", "2027-03-14 03:00:00"],
    ["2027-03-14 02:59:59", "America/New_York", "2027-03-14T07:59:59.000Z", "2027-03-14 03:59:59"],
    ["2027-03-28 02:30:00", "Europe/Berlin", "2027-03-28T01:30:00.000Z", "2027-03-28 03:30:00"],
    ["2027-10-03 02:15:00", "Australia/Lord_Howe", "2027-10-02T15:45:00.000Z", "2027-10-03 02:45:00"],
    ["2027-09-26 03:00:00", "Pacific/Chatham", "2027-09-25T14:15:00.000Z", "2027-09-26 04:00:00"],
    ["2027-03-28 02:30:00", "Antarctica/Troll", "2027-03-28T02:30:00.000Z", "2027-03-28 04:30:00"],
    ["2011-12-30 12:00:00", "Pacific/Apia", "2011-12-30T22:00:00.000Z", "2011-12-31 12:00:00"],
  ])("skips %s in %s, so %s is used, shown as %s", (clock, zone, instant, shown) => {
    expect(isSkipped(clock, zone)).toBe(true);
    expect(instantAt(clock, zone)).toBe(instant);
    expect(wallClock(instant, zone)).toBe(shown);
  });
  it.each([
    ["2027-11-07 01:30:00", "America/New_York", "2027-11-07T05:30:00.000Z"],
    ["2027-10-31 02:30:00", "Europe/Berlin", "2027-10-31T00:30:00.000Z"],
    ["2027-04-04 01:45:00", "Australia/Lord_Howe", "2027-04-03T14:45:00.000Z"],
    ["2027-10-31 01:30:00", "Antarctica/Troll", "2027-10-30T23:30:00.000Z"],
  ])("shows %s in %s twice, so %s is used", (clock, zone, instant) => {
    expect(isSkipped(clock, zone)).toBe(false);
    expect(isShownTwice(instant, zone)).toBe(true);
    expect(instantAt(clock, zone)).toBe(instant);
  });
  it.each(["America/New_York", "Africa/Cairo", "Australia/Lord_Howe"])(
    "in %s leaves every other time unchanged",
    (zone) => {
      for (let step = 0; step < 366 * 2; step++) {
        const instant = new Date(Date.UTC(2027, 0, 1) + step * 12 * 3_600_000).toISOString();
        if (!isShownTwice(instant, zone)) expect(instantAt(wallClock(instant, zone), zone)).toBe(instant);
      }
    },
  );
});

it.each([
  ["2027-03-14T02:30", "2027-03-14 02:30:00"],
  ["2027-03-14T02:30:05", "2027-03-14 02:30:05"],
  ["2027-03-14T02:30:05.123", "2027-03-14 02:30:05"],
  ["", null],
  ["12027-03-14T02:30", null],
])("reads the browser's %s as %s", (value, clock) => {
  expect(clockOf(value)).toBe(clock);
});

describe("a time in a form", () => {
  // In New York, the clock goes back from 02:00 to 01:00 on 1 November at 06:00 UTC.
  it.each([
    ["2026-11-01T05:30:00.000Z", "America/New_York"],
    ["2026-11-01T06:30:00.000Z", "America/New_York"],
    ["2026-10-25T00:30:00.000Z", "Europe/Paris"],
    ["2026-10-25T01:30:00.000Z", "Europe/Paris"],
    ["2026-05-01T18:00:00.123Z", "Europe/Paris"],
    ["2026-05-01T18:00:59.999Z", "UTC"],
  ])("stays %s in %s if it isn't edited", (instant, timeZone) => {
    expect(instantOf({ clock: wallClock(instant, timeZone), timeZone }, { instant, timeZone })).toBe(instant);
  });
  it("follows the clock after the time or the time zone is edited", () => {
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
  ])("%s in %s is shown twice: %s", (instant, timeZone, twice) => {
    expect(isShownTwice(instant, timeZone)).toBe(twice);
  });
  it("distinguishes the two times that the clock shows alike", () => {
    const [first, second] = ["2026-11-01T05:30:00.000Z", "2026-11-01T06:30:00.000Z"];
    expect(timeAt(first, "America/New_York")).not.toBe(timeAt(second, "America/New_York"));
  });
});

// DASH-26
describe("the time zone options", () => {
  const zones = timeZones("US/Pacific", "UTC", "Europe/Paris");
  it("list UTC first, then the others by name, without duplicates", () => {
    expect(zones[0]).toBe("UTC");
    expect(zones.slice(1)).toEqual([...new Set(zones.slice(1))].sort());
    expect(zones.slice(1)).not.toContain("UTC");
  });
  it.each([
    "Europe/Paris",
    "Asia/Kathmandu",
    "Asia/Kolkata",
    "Asia/Calcutta",
    "Asia/Ho_Chi_Minh",
    "Europe/Kyiv",
    "America/Argentina/Buenos_Aires",
    "America/Indiana/Indianapolis",
    "America/Nuuk",
    "Pacific/Kanton",
  ])("include %s", (zone) => {
    expect(zones).toContain(zone);
  });
  it("include an event's zone under any name", () => {
    expect(zones).toContain("US/Pacific");
    expect(timeZones()).not.toContain("US/Pacific");
  });
  it("are all known to the browser and accepted by the API", () => {
    for (const timeZone of zones) {
      expect(timeZone).toMatch(/^[A-Z][A-Za-z0-9_+-]*(\/[A-Za-z0-9_+-]+){0,2}$/);
      expect(() => timeAt("2026-11-01T05:30:00.000Z", timeZone)).not.toThrow();
    }
  });
});
