import { describe, expect, it } from "vitest";
import { attentionsOf, byResource, creatorOf, difference, keyState, scopeOf } from "./keys";
import { byStatus, dayBars } from "./usage";

describe("the status of a key", () => {
  const now = Date.parse("2026-11-28T12:00:00.000Z");
  it.each([
    [{ active: true, expiresAt: null }, "active"],
    [{ active: true, expiresAt: "2026-11-28T12:00:00.001Z" }, "active"],
    [{ active: true, expiresAt: "2026-11-28T12:00:00.000Z" }, "expired"],
    [{ active: false, expiresAt: "2026-11-28T11:00:00.000Z" }, "inactive"],
  ])("of %j is %s", (key, state) => {
    expect(keyState(key, now)).toBe(state);
  });
});

it("shows the name of a creator that the reader may see", () => {
  const createdBy = { type: "USER" as const, id: "6b0b991c7ab0" };
  expect(creatorOf({ creatorName: "ada@example.com", createdBy })).toBe("ada@example.com");
  expect(creatorOf({ creatorName: null, createdBy })).toBe("User");
  expect(creatorOf({ creatorName: null, createdBy: { type: "SYSTEM", id: "system" } })).toBe("Platform");
});

describe("reasons to check a key", () => {
  const now = Date.parse("2026-11-28T12:00:00.000Z");
  const key = { active: true, expiresAt: null, lastUsedAt: null, createdAt: "2026-08-30T12:00:00.001Z" };
  it.each([
    [{}, []],
    [{ createdAt: "2026-08-30T12:00:00.000Z" }, ["idle"]],
    [{ createdAt: "2020-01-01T00:00:00.000Z", lastUsedAt: "2026-11-01T00:00:00.000Z" }, []],
    [{ expiresAt: "2026-12-12T12:00:00.000Z" }, ["expiring"]],
    [{ expiresAt: "2026-12-12T12:00:00.001Z" }, []],
    [{ active: false, expiresAt: "2026-12-01T00:00:00.000Z" }, []],
  ])("of %j is %j", (changes, attentions) => {
    expect(attentionsOf({ ...key, ...changes }, now)).toEqual(attentions);
  });
});

describe("the usage of a key", () => {
  const calls = [
    { day: "2026-11-27T00:00:00.000Z", status: 200, calls: 5 },
    { day: "2026-11-28T00:00:00.000Z", status: 403, calls: 2 },
    { day: "2026-11-28T00:00:00.000Z", status: 500, calls: 1 },
    { day: "2026-11-28T00:00:00.000Z", status: 200, calls: 7 },
  ];
  it("has a bar for each UTC day, with requests by outcome", () => {
    const bars = dayBars(calls, Date.parse("2026-11-28T00:00:01.000Z"));
    expect(bars).toHaveLength(30);
    expect(bars[0]).toEqual({ day: "2026-10-30", accepted: 0, refused: 0, failed: 0 });
    expect(bars.slice(28)).toEqual([
      { day: "2026-11-27", accepted: 5, refused: 0, failed: 0 },
      { day: "2026-11-28", accepted: 7, refused: 2, failed: 1 },
    ]);
  });
  it("sums requests by status", () => {
    expect(byStatus(calls)).toEqual([
      { status: 200, calls: 12 },
      { status: 403, calls: 2 },
      { status: 500, calls: 1 },
    ]);
  });
});

describe("the permissions of a key", () => {
  it.each([
    [{ fullSellerAccess: true, permissions: ["webhooks:list"] }, "Full access"],
    [{ fullSellerAccess: false, permissions: ["webhooks:list"] }, "webhooks:list"],
    [{ fullSellerAccess: null, permissions: ["webhooks:list", "scans:list"] }, "2 permissions"],
    [{ fullSellerAccess: null, permissions: null }, "No permissions"],
  ])("of %j are shown as %s", (key, words) => {
    expect(scopeOf(key)).toBe(words);
  });
});

describe("permissions", () => {
  it("are grouped by resource, whose name may contain a colon", () => {
    expect(byResource(["scans:list", "fundraise:funds:create", "scans:create"])).toEqual([
      { resource: "fundraise:funds", actions: { create: "fundraise:funds:create" } },
      { resource: "scans", actions: { list: "scans:list", create: "scans:create" } },
    ]);
  });
  it("differ in what is added and removed", () => {
    expect(difference(["a:list", "b:list"], ["b:list", "c:list"])).toEqual({ granted: ["c:list"], taken: ["a:list"] });
  });
});
