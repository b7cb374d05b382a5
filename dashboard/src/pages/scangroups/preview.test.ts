import { describe, expect, it } from "vitest";
import { colorName, colorOf, directionsOf, placeOf, windowOf } from "./preview";
import { eventValues } from "./scangroups";

describe("the preview of a scan group", () => {
  const chosen = { repeated: "orange", highlighted: null, actionRequired: "pink" } as const;

  it("has fixed colors for approved and declined, and selected ones for the others", () => {
    expect([
      colorOf("success", chosen),
      colorOf("declined", chosen),
      colorOf("repeated", chosen),
      colorOf("actionRequired", chosen),
    ]).toEqual(["green", "red", "orange", "pink"]);
    expect(colorName(colorOf("highlighted", chosen))).toBe("device default color");
  });

  it("offers the enabled directions", () => {
    expect(directionsOf({ checkin: true, checkout: true })).toEqual(["Check-in", "Check-out"]);
    expect(directionsOf({ checkin: false, checkout: true })).toEqual(["Check-out"]);
  });

  it("computes when tickets are admitted", () => {
    const event = { ...eventValues("e"), checkTime: true, beforeHours: 2, afterHours: "" };
    const window = windowOf(event, { start: "2030-05-01T19:00:00Z", end: "2030-05-01T22:00:00Z" });
    expect([window?.from.toISOString(), window?.until.toISOString()]).toEqual([
      "2030-05-01T17:00:00.000Z",
      "2030-05-01T22:00:00.000Z",
    ]);
    // An event without an end ends at its start.
    expect(windowOf(event, { start: "2030-05-01T19:00:00Z", end: null })?.until.toISOString()).toBe(
      "2030-05-01T19:00:00.000Z",
    );
    expect(windowOf({ ...event, checkTime: false }, { start: "2030-05-01T19:00:00Z" })).toBeUndefined();
  });

  it("places a time between two others", () => {
    const [from, until] = [new Date(1000), new Date(5000)];
    expect([0, 1000, 2000, 9000].map((at) => placeOf(new Date(at), from, until))).toEqual([0, 0, 25, 100]);
    expect(placeOf(new Date(1000), from, from)).toBe(0);
  });
});
