import { expect, it } from "vitest";
import { filtersIn } from "./useFilters";

it("an address filters by what it names, and not by days that there are not", () => {
  const { values, after } = filtersIn(new URLSearchParams("q=ada&from=2026-02-30&until=2026-11-28&after=c"), [
    "q",
    "email",
    "from",
    "until",
  ]);
  expect(values).toEqual({ q: "ada", email: undefined, from: undefined, until: "2026-11-28" });
  expect(after).toBe("c");
});
