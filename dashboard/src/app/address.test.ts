import { expect, it } from "vitest";
import { address, idIn } from "./address";

it("an id of any characters has an address of its own, which a browser leaves as it is", () => {
  const ids = [".", "..", "~", "~.", "~..", "~~", "a~", "...", "..a", "%2e%2e", "../keys", "a/b?c#d", "é"];
  const addresses = ids.map((id) => address("/events", id));
  for (const [at, written] of addresses.entries()) {
    const steps = new URL(written, "https://tickets.example.com").pathname.split("/");
    expect(steps.slice(0, -1)).toEqual(["", "events"]);
    expect(idIn(decodeURIComponent(steps.at(-1) ?? ""))).toBe(ids[at]);
  }
  expect(new Set(addresses).size).toBe(ids.length);
});
