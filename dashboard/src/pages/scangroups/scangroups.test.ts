import { describe, expect, it } from "vitest";
import type { ScanGroup } from "./scangroups";
import { groupInput, groupValues, seconds } from "./scangroups";

const full: ScanGroup = {
  _id: "1",
  name: "Main gate",
  createdAt: "2026-01-01T00:00:00Z",
  updatedAt: "2026-01-01T00:00:00Z",
  scanConfig: {
    mode: "lock",
    events: [
      {
        eventId: "e",
        allowAllTicketTypes: false,
        allowedTicketTypeIds: ["t"],
        timeslotSettings: { beforeMinutes: 0, afterMinutes: 20 },
        eventTimeSettings: { active: true, beforeHours: 2, afterHours: 0.5 },
      },
    ],
    scanZoneId: "z",
    scanTypes: { checkin: false, checkout: true },
    enableMultiCheckin: true,
    checkTimeslots: true,
    tapAndGo: { enabled: true, eventIds: ["e"] },
  },
  deviceSettings: {
    colorSettings: {
      success: "green",
      declined: "red",
      repeated: "orange",
      highlighted: "pink",
      actionRequired: "blue",
    },
    enableSoundFeedback: true,
    enableHapticFeedback: false,
    scanRevealInterval: 5,
    ticketSyncInterval: 300,
  },
};

describe("a scan group in the form", () => {
  it("is unchanged after a round trip", () => {
    const { name, scanConfig, deviceSettings } = full;
    expect(groupInput(groupValues(full))).toEqual({ name, scanConfig, deviceSettings });
  });

  it("distinguishes tap and go for all events from tap and go for none", () => {
    const tap = (eventIds?: string[]) =>
      groupInput(
        groupValues({ ...full, scanConfig: { mode: "default", tapAndGo: { enabled: true, eventIds } } } as ScanGroup),
      ).scanConfig.tapAndGo;
    expect(tap()).toEqual({ enabled: true });
    expect(tap([])).toEqual({ enabled: true, eventIds: [] });
  });

  it("starts with check-in only and no events", () => {
    const { scanConfig } = groupInput(groupValues());
    expect(scanConfig.scanTypes).toEqual({ checkin: true, checkout: false });
    expect(scanConfig.events).toEqual([]);
  });
});

it("formats full minutes as minutes", () => {
  expect([1, 30, 60, 900].map(seconds)).toEqual(["1 second", "30 seconds", "1 minute", "15 minutes"]);
});
