import { expect, it } from "vitest";
import { examples } from "./examples";

it("every example has an area and a unique title", () => {
  const files = Object.keys(import.meta.glob("./examples/*.graphql"));
  const listed = examples.flatMap(({ examples }) => examples);
  expect(listed).toHaveLength(files.length);
  expect(new Set(listed.map(({ title }) => title)).size).toBe(files.length);
  expect(examples.every(({ examples }) => examples.length > 0)).toBe(true);
});

it("every example with variables has values for them", () => {
  for (const { name, query, variables } of examples.flatMap(({ examples }) => examples)) {
    const wanted = [...query.matchAll(/\$(\w+):/g)].map(([, variable]) => variable);
    expect(Object.keys(JSON.parse(variables || "{}")), name).toEqual(wanted);
  }
});
