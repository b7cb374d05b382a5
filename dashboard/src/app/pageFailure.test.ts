import { expect, it } from "vitest";
import { pageFailure } from "./pageFailure";

const lost = [
  "Failed to fetch dynamically imported module: https://example.com/assets/KeysPage.js",
  "error loading dynamically imported module: https://example.com/assets/KeysPage.js",
  "Importing a module script failed.",
  "Unable to preload CSS for /assets/KeysPage.css",
];

it.each(lost)("a page that could not be fetched is told from one that is broken: %s", (message) => {
  expect(pageFailure(new TypeError(message), false).title).toBe("No connection");
  expect(pageFailure(new TypeError(message), true).title).toBe("This page could not be fetched");
});

it("a mistake of ours is none of the connection's", () => {
  expect(pageFailure(new TypeError("x is undefined"), false).title).toBe("This page could not be shown");
  expect(pageFailure("thrown", true).title).toBe("This page could not be shown");
});
