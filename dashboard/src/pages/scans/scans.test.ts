import { describe, expect, it } from "vitest";
import { scanFilter, since } from "./scans";
import { type Question, questionNames, simulationInput } from "./simulation";

const unasked = Object.fromEntries(questionNames.map((name) => [name, undefined])) as Question;

describe("the filter of the scan log", () => {
  it("follows the address", () => {
    const values = {
      code: "A",
      result: "declined",
      direction: "checkout",
      reason: "WRONG_EVENT",
      kind: "late",
    };
    expect(scanFilter(values)).toMatchObject({
      barcode: "A",
      scanResult: "declined",
      type: "checkout",
      reason: "WRONG_EVENT",
      late: true,
    });
  });

  it("leaves out invalid values", () => {
    const { scanResult, type, reason } = scanFilter({
      result: "x",
      direction: "x",
      reason: "x",
      kind: "x",
    });
    expect([scanResult, type, reason]).toEqual([undefined, undefined, undefined]);
  });

  it("covers one day, to the minute, by default", () => {
    const now = Date.parse("2026-03-02T10:20:30Z");
    expect(since(undefined, now)).toBe("2026-03-01T10:20:00.000Z");
    expect(since("15m", now)).toBe("2026-03-02T10:05:00.000Z");
    expect(since("all", now)).toBeUndefined();
  });
});

describe("a simulation", () => {
  it("requires a ticket and rules", () => {
    expect(simulationInput({ ...unasked, code: "A" })).toBeUndefined();
    expect(simulationInput({ ...unasked, device: "d" })).toBeUndefined();
  });

  it("sends one of each", () => {
    expect(simulationInput({ ...unasked, ticket: "t", code: "A", group: "g", direction: "OUT" })).toEqual({
      ticketId: "t",
      scanGroupId: "g",
      direction: "OUT",
    });
  });
});

it("treats an invalid time in the address as now", () => {
  const asked = { ...unasked, code: "c", device: "d" };
  expect(simulationInput({ ...asked, time: "2026-11-28T20:00:00Z" })?.time).toBe("2026-11-28T20:00:00.000Z");
  expect(simulationInput({ ...asked, time: "2026-13-45T20:00:00Z" })?.time).toBeUndefined();
});
