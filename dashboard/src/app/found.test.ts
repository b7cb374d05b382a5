import { describe, expect, it } from "vitest";
import { foundKinds, moved } from "./found";

describe("search", () => {
  it("leads to the page of what was found, whatever its id holds", () => {
    const found = { kind: "TICKET" as const, _id: "a/b?c", title: "Day", detail: "", parentId: null };
    expect(foundKinds.TICKET.to(found)).toBe("/tickets/a%2Fb%3Fc");
  });
  it("leads to the list of an entry, narrowed to its code", () => {
    const found = { kind: "ACCESS_LIST_ENTRY" as const, _id: "e", title: "A&B", detail: "", parentId: "l" };
    expect(foundKinds.ACCESS_LIST_ENTRY.to(found)).toBe("/lists/l?code=A%26B");
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
