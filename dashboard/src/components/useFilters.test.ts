import { expect, it } from "vitest";
import { choice, filtersIn } from "./useFilters";

it("reads filters from an address and ignores invalid days", () => {
  const { values, after } = filtersIn(new URLSearchParams("q=ada&from=2026-02-30&until=2026-11-28&after=c"), [
    "q",
    "email",
    "from",
    "until",
  ]);
  expect(values).toEqual({ q: "ada", email: undefined, from: undefined, until: "2026-11-28" });
  expect(after).toBe("c");
});

it("ignores unknown values", () => {
  const names = [choice("state", ["failed", "pending"]), choice("period", ["1h"]), "state.of"] as const;
  const { values } = filtersIn(new URLSearchParams("state=failed&period=99y&state.of=any"), names);
  expect(values).toEqual({ state: "failed", period: undefined, "state.of": "any" });
  expect(filtersIn(new URLSearchParams("state=toString"), names).values.state).toBeUndefined();
});
