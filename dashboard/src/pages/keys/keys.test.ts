import { describe, expect, it } from "vitest";
import { byResource, difference, keyState, scopeOf } from "./keys";

describe("the state of a key", () => {
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

describe("what a key may do", () => {
  it.each([
    [{ fullSellerAccess: true, permissions: ["webhooks:list"] }, "Full access"],
    [{ fullSellerAccess: false, permissions: ["webhooks:list"] }, "webhooks:list"],
    [{ fullSellerAccess: null, permissions: ["webhooks:list", "scans:list"] }, "2 permissions"],
    [{ fullSellerAccess: null, permissions: null }, "No permissions"],
  ])("of %j is said as %s", (key, words) => {
    expect(scopeOf(key)).toBe(words);
  });
});

describe("permissions", () => {
  it("are sorted by resource, whose name may hold a colon", () => {
    expect(byResource(["scans:list", "fundraise:funds:create", "scans:create"])).toEqual([
      { resource: "fundraise:funds", actions: { create: "fundraise:funds:create" } },
      { resource: "scans", actions: { list: "scans:list", create: "scans:create" } },
    ]);
  });
  it("differ in what is granted and what is taken away", () => {
    expect(difference(["a:list", "b:list"], ["b:list", "c:list"])).toEqual({ granted: ["c:list"], taken: ["a:list"] });
  });
});
