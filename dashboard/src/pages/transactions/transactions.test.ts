import { expect, it } from "vitest";
import { historyOf } from "./transactions";

it("merges history and notes in chronological order", () => {
  const all = historyOf({
    history: [{ _id: "n", date: "2026-01-02T00:00:00Z", title: null, message: "Called", type: "USER", risk: "DANGER" }],
    historyEntries: [
      { _id: "b", date: "2026-01-03T00:00:00.000Z", userId: "u", data: { a: 1 }, type: "refunded", risk: "NEUTRAL" },
      { _id: "a", date: "2026-01-01T00:00:00.000Z", userId: null, data: null, type: "completed", risk: "GOOD" },
      { _id: "x", date: null, userId: null, data: null, type: null, risk: null },
    ],
  });
  expect(all.map(({ title }) => title)).toEqual(["Unknown entry", "Sale completed", "Note", "Payment refunded"]);
  expect(all[2]).toMatchObject({ text: "Called", risk: "DANGER" });
  expect(all[3]).toMatchObject({ by: "u", data: { a: 1 } });
});

it("accepts a transaction without history", () => {
  expect(historyOf({ history: null, historyEntries: null })).toEqual([]);
});
