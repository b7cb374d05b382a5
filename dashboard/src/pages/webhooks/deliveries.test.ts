import { expect, it } from "vitest";
import { deliveryFilter } from "./deliveries";

const none = {
  webhook: undefined,
  state: undefined,
  type: undefined,
  outcome: undefined,
  object: undefined,
  from: undefined,
  until: undefined,
};

it("sends the filters of the address, without unknown statuses", () => {
  expect(deliveryFilter(none, "w1")).toEqual({ webhookId: "w1" });
  expect(deliveryFilter({ ...none, webhook: "w2" }, undefined)).toEqual({ webhookId: "w2" });
  expect(deliveryFilter({ ...none, webhook: "w2" }, "w1")).toEqual({ webhookId: "w1" });
  expect(deliveryFilter({ ...none, state: "lost" }, undefined)).toEqual({});
  expect(
    deliveryFilter({ ...none, state: "failed", type: "ticket.created", outcome: "Timeout", object: "t1" }, undefined),
  ).toEqual({ state: "failed", type: "ticket.created", outcome: "timeout", objectId: "t1" });
});

it("filters by whole days in the browser's time zone", () => {
  const { createdFrom, createdUntil } = deliveryFilter({ ...none, from: "2026-11-27", until: "2026-11-28" }, undefined);
  expect(new Date(`${createdUntil}`).getTime() - new Date(`${createdFrom}`).getTime()).toBe(2 * 24 * 3_600_000);
  expect(new Date(`${createdFrom}`).getHours()).toBe(0);
});
