import { readdirSync, readFileSync } from "node:fs";
import { dirname, extname, join } from "node:path/posix";
import { parseSync } from "vite";
import { describe, expect, it } from "vitest";

/** The floors of the dashboard, from the top (docs/dashboard.md). A module imports from its own floor and from lower ones. */
const floors = ["main.tsx", "app", "pages", "components", "session", "lib"];

type Sources = ReadonlyMap<string, string>;
type Graph = ReadonlyMap<string, ReadonlySet<string>>;

const sources: Sources = new Map(
  readdirSync(import.meta.dirname, { recursive: true, encoding: "utf8" })
    .map((name) => name.replaceAll("\\", "/"))
    .filter((name) => /\.tsx?$/.test(name) && !/\.(test|generated)\.ts$/.test(name))
    .map((name) => [name, readFileSync(join(import.meta.dirname, name), "utf8")]),
);

/** The modules of ours that a module names, for types alone or when it needs them too. */
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
    .filter((path) => !path.startsWith("..")) // documents of the repository, as text
    .map((path) => {
      const found = [`${path}.ts`, `${path}.tsx`].find((file) => sources.has(file));
      if (!found) throw new Error(`${name} imports ${path}, which is no module`);
      return found;
    });
}

function graphOf(sources: Sources): Graph {
  return new Map([...sources.keys()].map((name) => [name, new Set(importsOf(name, sources))]));
}

const floorOf = (name: string) => floors.indexOf(name.split("/")[0] ?? "");

/** The imports that lead to a higher floor. */
function upward(graph: Graph): string[] {
  return [...graph].flatMap(([from, names]) =>
    [...names].filter((to) => floorOf(to) < floorOf(from)).map((to) => `${from} → ${to}`),
  );
}

/** What can be reached again from itself. */
function inCircles(graph: Graph): string[] {
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

/** The same imports between folders. A folder's imports of its own modules are left out. */
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

// DASH-27
describe("imports", () => {
  it("lead to the same floor or to a lower one", () => {
    expect([...sources.keys()].filter((name) => floorOf(name) < 0)).toEqual([]);
    expect(upward(graphOf(sources))).toEqual([]);
  });

  it("form no circle, neither of modules nor of folders", () => {
    expect(inCircles(graphOf(sources))).toEqual([]);
    expect(inCircles(foldersOf(graphOf(sources)))).toEqual([]);
  });

  it("are found in every form, and so are circles and the way up", () => {
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
    expect(inCircles(graph)).toEqual([...graph.keys()]);
    const folders = new Map([...graph].filter(([name]) => name.startsWith("pages")));
    expect(inCircles(folders)).toEqual([]);
    expect(inCircles(foldersOf(folders))).toEqual(["pages/a", "pages/b"]);
  });
});
