import { readdirSync, readFileSync } from "node:fs";
import { dirname, extname, join } from "node:path/posix";
import { parseSync } from "vite";
import { describe, expect, it } from "vitest";

/** The layers of the dashboard, from the top (docs/dashboard.md). A module imports only from its own layer and lower ones. */
const layers = ["main.tsx", "app", "pages", "components", "session", "lib"];

/** The modules that may keep state for as long as the page is open (DASH-28). */
const stateful = ["session/store.ts"];

type Sources = ReadonlyMap<string, string>;
type Graph = ReadonlyMap<string, ReadonlySet<string>>;

const sources: Sources = new Map(
  readdirSync(import.meta.dirname, { recursive: true, encoding: "utf8" })
    .map((name) => name.replaceAll("\\", "/"))
    .filter((name) => /\.tsx?$/.test(name) && !/\.(test|generated)\.ts$/.test(name))
    .map((name) => [name, readFileSync(join(import.meta.dirname, name), "utf8")]),
);

/** Returns the modules that a module imports, type-only imports included. */
function importsOf(name: string, sources: Sources): string[] {
  const text = sources.get(name) ?? "";
  const { staticImports, staticExports, dynamicImports } = parseSync(name, text).module;
  const named = [
    ...staticImports.map(({ moduleRequest }) => moduleRequest.value),
    ...staticExports.flatMap(({ entries }) => entries.map(({ moduleRequest }) => moduleRequest?.value ?? "")),
    ...dynamicImports.map(({ moduleRequest: { start, end } }) => text.slice(start + 1, end - 1)),
  ];
  return named
    .filter((module) => module.startsWith(".") && ![".css", ".svg", ".generated"].includes(extname(module)))
    .map((module) => join(dirname(name), module))
    .filter((path) => !path.startsWith("..")) // documentation imported as text
    .map((path) => {
      const found = [`${path}.ts`, `${path}.tsx`].find((file) => sources.has(file));
      if (!found) throw new Error(`${name} imports ${path}, which is not a module`);
      return found;
    });
}

function graphOf(sources: Sources): Graph {
  return new Map([...sources.keys()].map((name) => [name, new Set(importsOf(name, sources))]));
}

const layerOf = (name: string) => layers.indexOf(name.split("/")[0] ?? "");

/** Returns the imports that lead to a higher layer. */
function upward(graph: Graph): string[] {
  return [...graph].flatMap(([from, names]) =>
    [...names].filter((to) => layerOf(to) < layerOf(from)).map((to) => `${from} → ${to}`),
  );
}

/** Returns the modules that are part of an import cycle. */
function inCycles(graph: Graph): string[] {
  const leadsBack = (name: string) => {
    const seen = new Set<string>();
    const open = [name];
    for (let at = open.pop(); at !== undefined; at = open.pop())
      for (const next of graph.get(at) ?? []) {
        if (next === name) return true;
        if (!seen.has(next)) open.push(next);
        seen.add(next);
      }
    return false;
  };
  return [...graph.keys()].filter(leadsBack);
}

/** Returns the same imports between folders. Imports within a folder are left out. */
function foldersOf(graph: Graph): Graph {
  const folders = new Map<string, Set<string>>();
  for (const [from, names] of graph) {
    const folder = dirname(from);
    const others = folders.get(folder) ?? new Set();
    for (const to of names) if (dirname(to) !== folder) others.add(dirname(to));
    folders.set(folder, others);
  }
  return folders;
}

interface Node {
  type: string;
  [field: string]: unknown;
}

function nodesIn(value: unknown): Node[] {
  if (Array.isArray(value)) return value.flatMap(nodesIn);
  if (typeof value !== "object" || value === null) return [];
  const below = Object.values(value).flatMap(nodesIn);
  return "type" in value ? [value as Node, ...below] : below;
}

const changing = /^(set|add|delete|clear|push|pop|shift|unshift|splice|sort|reverse|fill|copyWithin)$/;

/** Returns the variable that a node changes: `kept` in `kept.at = 1`, `delete kept.at` and `kept.set(…)`. */
function changedBy(node: Node): string | undefined {
  const { left, argument, callee } = node as Partial<Record<string, Node>>;
  if (node.type === "AssignmentExpression") return ownerOf(left);
  if (node.type === "UpdateExpression" || (node.type === "UnaryExpression" && node.operator === "delete"))
    return ownerOf(argument);
  const method = callee?.property as Node | undefined;
  if (node.type === "CallExpression" && changing.test(String(method?.name))) return ownerOf(callee);
  return undefined;
}

/** Returns the name of the variable whose field, at any depth, an expression reads. */
function ownerOf(expression: Node | undefined): string | undefined {
  let inner = expression;
  while (inner?.type === "MemberExpression") inner = inner.object as Node;
  return inner !== expression && inner?.type === "Identifier" ? String(inner.name) : undefined;
}

/** Returns the names that a declaration introduces. */
function namesIn(pattern: unknown): string[] {
  if (Array.isArray(pattern)) return pattern.flatMap(namesIn);
  if (!pattern) return [];
  const { type, name, properties, elements, value, left, argument } = pattern as Node;
  return type === "Identifier" ? [String(name)] : [properties, elements, value, left, argument].flatMap(namesIn);
}

/** Returns the module-level variables that a module changes while the page is open. */
function stateOf(name: string, text: string): string[] {
  const { body } = parseSync(name, text).program;
  const declarations = body
    .map((statement) => ("declaration" in statement ? statement.declaration : statement))
    .filter((statement) => statement?.type === "VariableDeclaration");
  const constants = declarations.filter(({ kind }) => kind === "const");
  const variables = declarations.filter(({ kind }) => kind !== "const");
  const declaredBy = (some: typeof declarations) =>
    some.flatMap(({ declarations: declared }) => declared.flatMap(({ id }) => namesIn(id)));
  const changed = new Set(nodesIn(body).map(changedBy));
  return [...declaredBy(variables), ...declaredBy(constants).filter((constant) => changed.has(constant))];
}

// DASH-27
describe("imports", () => {
  it("lead to the same layer or a lower one", () => {
    expect([...sources.keys()].filter((name) => layerOf(name) < 0)).toEqual([]);
    expect(upward(graphOf(sources))).toEqual([]);
  });

  it("have no cycles between modules or folders", () => {
    expect(inCycles(graphOf(sources))).toEqual([]);
    expect(inCycles(foldersOf(graphOf(sources)))).toEqual([]);
  });

  it("are found in every syntax, with cycles and upward imports", () => {
    const graph = graphOf(
      new Map([
        ["app/page.ts", 'export const page = () => import("../pages/a/list");\nimport "./page.css";'],
        ["pages/a/list.tsx", 'import type { Row } from "../b/row";\nexport const list = (row: Row) => <b>{row}</b>;'],
        ["pages/b/row.ts", 'export { cell as default } from "../a/cell";\nexport type Row = string;'],
        ["pages/a/cell.ts", 'import { text } from "../../lib/text";\nexport const cell = text;'],
        ["lib/text.ts", 'import * as page from "../app/page";\nexport const text = page;'],
      ]),
    );
    expect(upward(graph)).toEqual(["lib/text.ts → app/page.ts"]);
    expect(inCycles(graph)).toEqual([...graph.keys()]);
    const folders = new Map([...graph].filter(([name]) => name.startsWith("pages")));
    expect(inCycles(folders)).toEqual([]);
    expect(inCycles(foldersOf(folders))).toEqual(["pages/a", "pages/b"]);
  });
});

// DASH-28
describe("state of modules", () => {
  it("is kept only in the store", () => {
    const found = [...sources].flatMap(([name, text]) => stateOf(name, text).map((state) => `${name}: ${state}`));
    expect(found.filter((state) => !stateful.includes(state.split(":")[0] ?? ""))).toEqual([]);
  });

  it.each([
    ["let asked: Promise<void> | undefined;", ["asked"]],
    ["export var { a, b } = start();", ["a", "b"]],
    ["const shown = new Set<string>();\nexport const show = (name: string) => shown.add(name);", ["shown"]],
    ["const at = { last: 0 };\nfunction look() {\n  at.last++;\n}", ["at"]],
    ["const at: Record<string, number> = {};\nexport const forget = () => delete at.x;", ["at"]],
    ["const names = new Map([[1, 'a']]);\nexport const named = (key: number) => names.get(key);", []],
    ["export function fresh() {\n  const list = new Set();\n  list.add(1);\n  return list;\n}", []],
  ])("is found in %j", (text, found) => {
    expect(stateOf("sample.ts", text)).toEqual(found);
  });
});
