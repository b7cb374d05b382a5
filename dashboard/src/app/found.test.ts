import { describe, expect, it } from "vitest";
import { detailOf, foundKinds, isTooShort, moved } from "./found";

describe("search", () => {
  it("leads to the page of what was found, whatever its id holds", () => {
    const found = { kind: "TICKET" as const, _id: "a/b?c", title: "Day", detail: "", parentId: null };
    expect(foundKinds.TICKET.to(found)).toBe("/tickets/a%2Fb%3Fc");
  });
  it("leads to the list of an entry, narrowed to its code", () => {
    const found = { kind: "ACCESS_LIST_ENTRY" as const, _id: "e", title: "A&B", detail: "", parentId: "l" };
    expect(foundKinds.ACCESS_LIST_ENTRY.to(found)).toBe("/lists/l?code=A%26B");
  });
  it("counts characters as the server does", () => {
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
  ] as const)("says of a %s %j as %j", (kind, detail, said) => {
    expect(detailOf({ kind, detail })).toBe(said);
  });
  it("goes around both ends with the arrows", () => {
    expect([
      moved(0, "ArrowDown", 3),
      moved(2, "ArrowDown", 3),
      moved(0, "ArrowUp", 3),
      moved(0, "ArrowUp", 0),
    ]).toEqual([1, 0, 2, 0]);
  });
});
