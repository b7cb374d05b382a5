import { describe, expect, it } from "vitest";
import { detailOf, foundKinds, isTooShort, moved } from "./found";

describe("search", () => {
  it("links to the page of a result, whatever its ID contains", () => {
    const found = { kind: "TICKET" as const, _id: "a/b?c", title: "Day", detail: "", parentId: null };
    expect(foundKinds.TICKET.to(found)).toBe("/tickets/a%2Fb%3Fc");
  });
  it("links to the list of an entry, filtered by its code", () => {
    const found = { kind: "ACCESS_LIST_ENTRY" as const, _id: "e", title: "A&B", detail: "", parentId: "l" };
    expect(foundKinds.ACCESS_LIST_ENTRY.to(found)).toBe("/lists/l?code=A%26B");
  });
  it("counts code points like the server", () => {
    expect(["", "a", "🎪", "é", "ab", "🎪🎪", "🎪a"].map(isTooShort)).toEqual([
      true,
      true,
      true,
      true,
      false,
      false,
      false,
    ]);
  });
  it.each([
    [
      "TICKET",
      "Grace Hopper · grace@example.com · DETAILSREQUIRED",
      "Grace Hopper · grace@example.com · Details required",
    ],
    ["TRANSACTION", "RESERVED_BY_SYSTEM", "Reserved"],
    ["INVOICE", "cancellation · a@example.com", "Cancellation · a@example.com"],
    ["ACCESS_LIST", "static", "Static"],
    ["DELIVERY", "pending", "Pending"],
    ["CUSTOMER", "static · a@example.com", "static · a@example.com"],
    ["TICKET", "constructor", "constructor"],
    ["SCAN_GROUP", "", ""],
  ] as const)("shows the details of a %s %j as %j", (kind, detail, said) => {
    expect(detailOf({ kind, detail })).toBe(said);
  });
  it("wraps at both ends", () => {
    expect([
      moved(0, "ArrowDown", 3),
      moved(2, "ArrowDown", 3),
      moved(0, "ArrowUp", 3),
      moved(0, "ArrowUp", 0),
    ]).toEqual([1, 0, 2, 0]);
  });
});
