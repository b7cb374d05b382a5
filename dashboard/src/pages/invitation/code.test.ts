import { expect, it } from "vitest";
import { sameEmail } from "./code";

it("compares email addresses like the server", () => {
  expect(sameEmail("Ann@Example.com", "ann@example.COM")).toBe(true);
  expect(sameEmail(undefined, "ann@example.com")).toBe(false);
});
