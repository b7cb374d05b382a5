import { describe, expect, it } from "vitest";
import { byTopic, newSigningKey, subscribed, succeeded } from "./webhooks";

describe("an attempt", () => {
  it.each([
    [{ failure: null, status: 200 }, true],
    [{ failure: null, status: 399 }, true],
    [{ failure: null, status: 199 }, false],
    [{ failure: null, status: 400 }, false],
    [{ failure: "timeout", status: null }, false],
    [{ failure: "truncated", status: 200 }, false],
  ])("of %j has succeeded: %s", (attempt, success) => {
    expect(succeeded(attempt)).toBe(success);
  });
});

describe("event types", () => {
  it("are gathered by what stands before the first dot", () => {
    const kinds = [{ type: "ticket.created" }, { type: "subscription.payment.failed" }, { type: "ticket.updated" }];
    expect(byTopic(kinds)).toEqual([
      ["ticket", [kinds[0], kinds[2]]],
      ["subscription", [kinds[1]]],
    ]);
  });
  it("count when they are true", () => {
    expect(subscribed({ "ticket.created": true, "ticket.updated": false })).toEqual(["ticket.created"]);
  });
});

it("a signing key is 64 hexadecimal characters, each time others", () => {
  expect(newSigningKey()).toMatch(/^[0-9a-f]{64}$/);
  expect(newSigningKey()).not.toBe(newSigningKey());
});
