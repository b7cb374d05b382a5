import { matchRoutes } from "react-router";
import { expect, it } from "vitest";
import { pages } from "../pages";
import { address, idIn } from "./address";

it("an id of any characters has an address of its own, which a browser leaves as it is", () => {
  const ids = [
    ".",
    "..",
    "~",
    "~.",
    "~..",
    "~~",
    "a~",
    "...",
    "..a",
    "%2e%2e",
    "../keys",
    "a/b?c#d",
    "é",
    "new",
    "NEW",
    "~new",
    "newer",
  ];
  const addresses = ids.map((id) => address("/events", id));
  for (const [at, written] of addresses.entries()) {
    const steps = new URL(written, "https://tickets.example.com").pathname.split("/");
    expect(steps.slice(0, -1)).toEqual(["", "events"]);
    expect(idIn(decodeURIComponent(steps.at(-1) ?? ""))).toBe(ids[at]);
  }
  expect(new Set(addresses).size).toBe(ids.length);
});

// DASH-22
it("each record has a page of its own, whatever its id", () => {
  const records = pages.map(({ path }) => path).filter((path) => /^\/[^/]+\/:id$/.test(path));
  expect(records.length).toBeGreaterThan(10);
  for (const path of records)
    for (const id of ["new", "New", "~new", ".", "..", "%", "a/b", "*", ":id", " "]) {
      const found = matchRoutes(
        pages.map(({ path }) => ({ path })),
        address(path.replace("/:id", ""), id),
      )?.at(-1);
      expect(found?.route.path).toBe(path);
      expect(idIn(found?.params.id)).toBe(id);
    }
});
