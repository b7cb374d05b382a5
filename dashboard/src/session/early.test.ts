import { gql } from "@urql/core";
import { afterEach, beforeEach, expect, it, vi } from "vitest";
import { newClient } from "./client";
import { askEarly } from "./early";

const query = gql<{ rows: string }>("query Rows($after: String) { rows(after: $after) }");
const call = vi.fn();

beforeEach(() => {
  vi.stubGlobal("fetch", call);
  call.mockReset().mockImplementation(async () => {
    const headers = { "content-type": "application/json" };
    return new Response(JSON.stringify({ data: { rows: `answer ${call.mock.calls.length}` } }), { headers });
  });
});
afterEach(() => vi.unstubAllGlobals());

/** Returns all results that a page gets until it has a current one. */
async function shown(client: ReturnType<typeof newClient>, after: string) {
  const got: string[] = [];
  await new Promise<void>((done) => {
    const { unsubscribe } = client.query(query, { after }).subscribe(({ data, stale }) => {
      got.push(data?.rows ?? "");
      if (!stale) queueMicrotask(() => done(unsubscribe()));
    });
  });
  return got;
}

it("gives a page the response of a pending query", async () => {
  const client = newClient();
  askEarly(client, [{ query, variables: { after: "on the way" } }]);
  expect(await shown(client, "on the way")).toEqual(["answer 1"]);
  expect(call).toHaveBeenCalledTimes(1);
});

it("gives a page an early response at once and queries again when it is reopened", async () => {
  const client = newClient();
  askEarly(client, [{ query, variables: { after: "answered" } }]);
  await vi.waitFor(() =>
    expect(client.readQuery(query, { after: "answered" }, { requestPolicy: "cache-only" })?.data).toBeTruthy(),
  );
  expect(await shown(client, "answered")).toEqual(["answer 1"]);
  expect(await shown(client, "answered")).toEqual(["answer 1"]);
  expect(call).toHaveBeenCalledTimes(1);
  askEarly(client, [{ query, variables: { after: "answered" } }]);
  await vi.waitFor(() => expect(call).toHaveBeenCalledTimes(2));
});

it("treats an unused response as stale after a while", async () => {
  vi.useFakeTimers({ toFake: ["Date"] });
  const client = newClient();
  askEarly(client, [{ query, variables: { after: "too late" } }]);
  await vi.waitFor(() =>
    expect(client.readQuery(query, { after: "too late" }, { requestPolicy: "cache-only" })?.data).toBeTruthy(),
  );
  vi.setSystemTime(Date.now() + 6000);
  expect(await shown(client, "too late")).toEqual(["answer 1", "answer 2"]);
  vi.useRealTimers();
});

it("lets the page repeat a failed query and show the error", async () => {
  call.mockImplementationOnce(async () => new Response("{}", { status: 503 }));
  const client = newClient();
  askEarly(client, [{ query, variables: { after: "refused" } }]);
  await vi.waitFor(() => expect(call).toHaveBeenCalledTimes(1));
  await new Promise((done) => setTimeout(done));
  expect(await shown(client, "refused")).toEqual(["answer 2"]);
});
