import { expect, it } from "vitest";
import { pageFailure } from "./pageFailure";

const lost = [
  "Failed to fetch dynamically imported module: https://example.com/assets/KeysPage.js",
  "error loading dynamically imported module: https://example.com/assets/KeysPage.js",
  "Importing a module script failed.",
  "Unable to preload CSS for /assets/KeysPage.css",
];

it.each(lost)("reports a page that could not be loaded: %s", (message) => {
  expect(pageFailure(new TypeError(message), false).title).toBe("No connection");
  expect(pageFailure(new TypeError(message), true).title).toBe("This page couldn't be loaded");
});

it("reports other errors as failures of the page", () => {
  expect(pageFailure(new TypeError("x is undefined"), false).title).toBe("This page couldn't be shown");
  expect(pageFailure("thrown", true).title).toBe("This page couldn't be shown");
});
