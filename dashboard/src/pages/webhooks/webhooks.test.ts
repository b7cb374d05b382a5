import { describe, expect, it } from "vitest";
import {
  byTopic,
  duration,
  listenCommand,
  outcomeLabel,
  percent,
  subscribed,
  succeeded,
  tookIt,
  unsettled,
  urlHint,
} from "./webhooks";

describe("an attempt", () => {
  it.each([
    [{ failure: null, status: 200 }, true],
    [{ failure: null, status: 399 }, true],
    [{ failure: null, status: 199 }, false],
    [{ failure: null, status: 400 }, false],
    [{ failure: "timeout", status: null }, false],
    [{ failure: "truncated", status: 200 }, false],
  ])("with %j succeeded: %s", (attempt, success) => {
    expect(succeeded(attempt)).toBe(success);
  });
});

describe("event types", () => {
  it("are grouped by the part before the first dot", () => {
    const kinds = [{ type: "ticket.created" }, { type: "subscription.payment.failed" }, { type: "ticket.updated" }];
    expect(byTopic(kinds)).toEqual([
      ["ticket", [kinds[0], kinds[2]]],
      ["subscription", [kinds[1]]],
    ]);
  });
  it("count if they are true", () => {
    expect(subscribed({ "ticket.created": true, "ticket.updated": false })).toEqual(["ticket.created"]);
  });
});

describe("figures", () => {
  it.each([
    [1, "100 %"],
    [0.9999, ">99.9 %"],
    [0.995, "99.5 %"],
    [0.0001, "<0.1 %"],
    [0, "0 %"],
  ])("show %d as %s", (part, said) => {
    expect(percent(part)).toBe(said);
  });
  it.each([
    [0, "0 ms"],
    [4.25, "4.3 ms"],
    [12.4, "12 ms"],
    [999, "999 ms"],
    [10_000, "10 s"],
  ])("show %d milliseconds as %s", (ms, said) => {
    expect(duration(ms)).toBe(said);
  });
});

it.each([
  ["204", "HTTP 204", true],
  ["302", "HTTP 302", true],
  ["503", "HTTP 503", false],
  ["timeout", "Timeout", false],
  ["something_new", "something_new", false],
])("the outcome %s is shown as %s", (outcome, label, success) => {
  expect(outcomeLabel(outcome)).toBe(label);
  expect(tookIt(outcome)).toBe(success);
});

describe("the `ticketgate listen` command", () => {
  it("contains the webhook's address and key", () => {
    expect(listenCommand({ url: "http://127.0.0.1:9900/hook", hmacKey: "k-1" })).toBe(
      "ticketgate listen --listen 127.0.0.1:9900 --hmac-key=k-1",
    );
    expect(listenCommand({ url: "http://localhost:9900", hmacKey: null })).toBe(
      "ticketgate listen --listen 127.0.0.1:9900",
    );
  });

  it("quotes the key", () => {
    expect(listenCommand({ url: "http://[::1]/", hmacKey: "it's; rm $HOME" })).toBe(
      "ticketgate listen --listen [::1]:80 --hmac-key='it'\\''s; rm $HOME'",
    );
  });

  it("is undefined for an endpoint elsewhere", () => {
    expect(listenCommand({ url: "https://example.com/hook", hmacKey: "k" })).toBeUndefined();
  });
});

it("suggests a local endpoint only in development", () => {
  expect(urlHint(false)).toContain("http://127.0.0.1:9900");
  expect(urlHint(true)).not.toMatch(/127\.0\.0\.1|listen/);
});

describe("the steps before a first delivery", () => {
  const ready = { enabled: true, events: { "event.created": true }, hmacKey: "k" };

  it("is only an event if the settings are complete", () => {
    expect(unsettled(ready)).toEqual([]);
  });

  it.each([
    [{ ...ready, enabled: false }, "disabled"],
    [{ ...ready, events: {} }, "No events selected"],
    [{ ...ready, hmacKey: null }, "aren't signed"],
  ])("%j: %s", (webhook, words) => {
    const texts = unsettled(webhook);
    expect(texts).toHaveLength(1);
    expect(texts[0]).toContain(words);
  });
});
