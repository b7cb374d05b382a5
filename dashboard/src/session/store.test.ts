import { gql } from "@urql/core";
import { afterEach, beforeEach, describe, expect, it, vi } from "vitest";
import { actOn, clientOf, currentClient, whileSignedIn } from "./client";
import { forgetCredentials, typeCredential, typedCredential } from "./credentials";
import { forget, newStore, once, store } from "./store";
import { confirmWith, discardUnsaved, leaving, lost } from "./unsaved";

beforeEach(() => store.reset());

describe("a store", () => {
  it("replaces fields, notifies listeners, and resets", () => {
    const counts = newStore({ a: 1, b: 2 });
    const told = vi.fn();
    const stop = counts.subscribe(told);
    const before = counts.get();
    counts.set({ b: 3 });
    expect([before, counts.get()]).toEqual([
      { a: 1, b: 2 },
      { a: 1, b: 3 },
    ]);
    expect(told).toHaveBeenCalledTimes(1);
    stop();
    counts.reset();
    expect(counts.get()).toEqual(before);
    expect(told).toHaveBeenCalledTimes(1);
  });

  it("creates a value once, and again after it was dropped", () => {
    const make = vi.fn(() => ({ made: true }));
    const first = once("value", make);
    expect(once("value", make)).toBe(first);
    expect(once("toString", () => "another")).toBe("another");
    forget("value");
    expect(once("value", make)).not.toBe(first);
    expect(make).toHaveBeenCalledTimes(2);
    expect(once("toString", () => "not made again")).toBe("another");
  });
});

describe("the client of a seller", () => {
  const call = vi.fn();
  const query = gql<{ a: string }>("query A($at: Int) { a(at: $at) }");
  const sellers = () => call.mock.calls.map(([, options]) => options.headers["x-seller-id"]);
  beforeEach(() => {
    vi.stubGlobal("fetch", call);
    vi.stubGlobal("localStorage", { getItem: () => null });
    vi.stubGlobal("sessionStorage", { getItem: () => null });
    answer({ data: { a: "b" } });
  });
  afterEach(() => vi.unstubAllGlobals());

  function answer(body: object) {
    const headers = { "content-type": "application/json" };
    call.mockReset().mockImplementation(async () => new Response(JSON.stringify(body), { headers }));
  }

  it("is the same for a seller and differs between sellers", () => {
    const client = clientOf("one");
    expect(clientOf("one")).toBe(client);
    expect(currentClient()).toBe(client);
    expect(clientOf("two")).not.toBe(client);
    expect(clientOf("one")).not.toBe(client);
  });

  it("keeps its seller after a switch to another one", async () => {
    const none = clientOf(undefined);
    await none.query(query, { at: 1 }).toPromise();
    actOn("found");
    await none.query(query, { at: 2 }).toPromise();
    const other = clientOf("other");
    await other.query(query, { at: 3 }).toPromise();
    await none.query(query, { at: 4 }).toPromise();
    expect(sellers()).toEqual([undefined, "found", "other", "found"]);
  });

  it("ends with the session and reports a rejected request", async () => {
    const ended = vi.fn();
    const stop = whileSignedIn(ended);
    const client = currentClient();
    answer({ errors: [{ message: "no", extensions: { code: "UNAUTHENTICATED" } }] });
    await client.query(query, { at: 1 }).toPromise();
    expect(ended).toHaveBeenCalledTimes(1);
    stop();
    await client.query(query, { at: 2 }).toPromise();
    expect(ended).toHaveBeenCalledTimes(1);
    expect(currentClient()).not.toBe(client);
  });
});

it("trims credentials, shares them by kind, and clears them together", () => {
  const told = vi.fn();
  const stop = store.subscribe(told);
  typeCredential("apiKey", " key ");
  typeCredential("deviceToken", "token");
  expect([typedCredential("apiKey"), typedCredential("deviceToken"), typedCredential("other")]).toEqual([
    "key",
    "token",
    "",
  ]);
  forgetCredentials();
  expect([typedCredential("apiKey"), typedCredential("deviceToken")]).toEqual(["", ""]);
  expect(told).toHaveBeenCalledTimes(3);
  stop();
});

describe("leaving", () => {
  const leave = vi.fn();
  beforeEach(() => leave.mockReset());

  it("asks if changes would be lost", () => {
    const asked = vi.fn();
    confirmWith(asked);
    store.set({ losses: [() => undefined] });
    leaving(leave);
    expect([leave.mock.calls.length, asked.mock.calls.length]).toEqual([1, 0]);
    store.set({ losses: [() => undefined, () => "A note is lost."] });
    expect(lost()).toBe("A note is lost.");
    leaving(leave);
    expect([leave.mock.calls.length, asked.mock.calls]).toEqual([1, [[leave]]]);
  });

  it("does not ask without a guard, without changes, or after discarding them", () => {
    store.set({ losses: [() => "A note is lost."] });
    leaving(leave);
    confirmWith(() => expect.unreachable());
    leaving(leave, false);
    discardUnsaved();
    expect(lost()).toBeUndefined();
    leaving(leave);
    expect(leave).toHaveBeenCalledTimes(3);
  });
});
