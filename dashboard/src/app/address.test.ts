import { readdirSync, readFileSync } from "node:fs";
import { join } from "node:path";
import { matchRoutes } from "react-router";
import { expect, it } from "vitest";
import { address, idAt } from "../lib/address";
import { pages } from "./pages";

const ids = [
  ...[".", "..", "...", "..a", "../keys", "./a", "%2e%2e", "%2E", "~", "~.", "~..", "~~", "a~", "~a/b", "~%2F"],
  ...["new", "NEW", "New", "~new", "newer", "n%65w", "create", "*", ":id", "undefined", "__proto__"],
  ...[
    "%",
    "%%",
    "%2",
    "%25",
    "%252F",
    "a%2Fb",
    "a%2fb",
    "a%252Fb",
    "a/b",
    "/",
    "//",
    "a/",
    "/a",
    "%2F",
    "%2f",
    "a%2",
    "%zz",
    "\\",
  ],
  ...[
    "a?b",
    "a#b",
    "a/b?c#d",
    "a&b=c",
    "a;b",
    "a:b",
    "a@b",
    "a+b",
    "a%20b",
    "a b",
    " ",
    " a",
    "a ",
    "\t",
    "a\nb",
    "\u0085",
  ],
  ...["é", "e\u0301", "日本語", "😀", "\u202e", "\ufeff", "\u200d", "'\"<>", "!*()$,", "[]{}|^`", "a".repeat(200)],
];

const records = pages.map(({ path }) => path).filter((path) => /^\/[^/]+\/:id$/.test(path));

// DASH-22
it("gives each record its own address, whatever its ID", () => {
  expect(records.length).toBeGreaterThan(10);
  const routes = pages.map(({ path }) => ({ path }));
  for (const path of records) {
    const addresses = ids.map((id) => address(path.replace("/:id", ""), id));
    expect(new Set(addresses).size).toBe(ids.length);
    for (const [at, written] of addresses.entries()) {
      const { pathname, search, hash } = new URL(written, "https://tickets.example.com");
      expect([pathname, search, hash]).toEqual([written, "", ""]);
      expect(matchRoutes(routes, pathname)?.at(-1)?.route.path).toBe(path);
      expect(idAt(pathname)).toBe(ids[at]);
    }
  }
});

it("decodes an ID in an external link once", () => {
  for (const id of ["a%2Fb", "a/b", "%25", "a+b", "é"]) expect(idAt(`/events/${encodeURIComponent(id)}`)).toBe(id);
  expect(idAt("/events/a+b/")).toBe("a+b");
  expect(idAt("/events/%zz")).toBe("%zz");
  expect(idAt("/events")).toBe("");
});

it("is the only way that pages build and read record addresses", () => {
  const folder = join(import.meta.dirname, "..");
  const lists = records.map((path) => path.slice(1, -"/:id".length)).join("|");
  const another = new RegExp(`[\`"']/(${lists})/(\\$\\{|["'\`] ?\\+)|useParams.*\\bid\\b|\\bid\\b.*useParams`);
  expect("to={`/events/$".concat("{id}`}")).toMatch(another);
  expect('const { id = "" } = useParams();').toMatch(another);
  for (const name of readdirSync(folder, { recursive: true, encoding: "utf8" }))
    if (/\.tsx?$/.test(name) && !/\.(test|generated)\./.test(name) && !name.includes("docs"))
      expect(readFileSync(join(folder, name), "utf8"), name).not.toMatch(another);
});
