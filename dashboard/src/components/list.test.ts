import { gql } from "@urql/core";
import { expect, it } from "vitest";
import { choices, field, search, select } from "./fields";
import { defineList } from "./list";
import { nameOf } from "./useFilters";

interface Row {
  id: string;
}

const document = gql<{ rows: { nodes: Row[] } }, { first: number; after?: string; filter: object }>(
  "query Rows($first: Int!, $after: String, $filter: Filter) { rows(first: $first, after: $after, filter: $filter) { nodes { id } } }",
);
const common = { document, rows: (data: { rows: { nodes: Row[] } }) => data.rows, keyOf: ({ id }: Row) => id };

const list = defineList({
  ...common,
  types: ["Row", "Part"],
  fields: [search("q", "Name"), select({ name: "state", label: "State", of: { on: "On", off: { label: "Off" } } })],
  more: [choices({ name: "event", label: "Event", useOptions: () => [] }), field("place", () => null)],
  linked: ["parent"],
  variables: (page, { q, state, event, place, parent }) => ({ ...page, filter: { q, state, event, place, parent } }),
});

it("queries what the address says and ignores unknown values", () => {
  const { query, variables, context } = list.ask(
    new URLSearchParams("q=a&state=off&event=e&place=p&parent=r&after=c&other=x"),
  );
  expect(query).toBe(document);
  expect(variables).toEqual({
    first: 50,
    after: "c",
    filter: { q: "a", state: "off", event: "e", place: "p", parent: "r" },
  });
  expect(context).toEqual({ additionalTypenames: ["Row", "Part"] });
  expect(list.ask(new URLSearchParams("state=gone")).variables).toEqual({ first: 50, after: undefined, filter: {} });
  expect(list.asks({ id: "", search: new URLSearchParams("q=b") })).toEqual([list.ask(new URLSearchParams("q=b"))]);
});

it("has the filters of its fields and of links", () => {
  expect(list.filters.map(nameOf)).toEqual(["q", "state", "event", "place", "parent"]);
  expect([list.fields.length, list.more.length]).toEqual([2, 2]);
});

it("has pages of the given size, or a single page", () => {
  const plain = { ...common, types: ["Row"], variables: (page: { first: number }) => ({ ...page, filter: {} }) };
  const small = defineList({ ...plain, size: 20 });
  expect([small.paged, small.ask(new URLSearchParams()).variables]).toEqual([true, { first: 20, filter: {} }]);
  expect(defineList({ ...plain, matches: () => true }).paged).toBe(false);
});
