import { readdirSync, readFileSync } from "node:fs";
import { join, relative } from "node:path";
import { type DefinitionNode, Kind, parse } from "graphql";
import type { Plugin } from "vite";
import { indexOf, type SearchEntry } from "./src/pages/docs/search.ts";

const root = join(import.meta.dirname, "..");
const read = (name: string) => readFileSync(join(root, name), "utf8");

/** Provides the search index of the documentation as the module `virtual:search-index`. */
export const searchIndex: Plugin = {
  name: "search-index",
  resolveId: (id) => (id === "virtual:search-index" ? `\0${id}` : undefined),
  load(id) {
    if (id !== "\0virtual:search-index") return undefined;
    const entries = [...sections(), ...codes(), ...eventTypes(), ...operations(), ...schemaFields(), ...graphql()];
    return `export default JSON.parse(${JSON.stringify(JSON.stringify(indexOf(entries)))});`;
  },
};

/** Returns the anchor of a heading, like slugOf in guides.ts. */
const anchorOf = (heading: string) =>
  heading
    .toLowerCase()
    .replaceAll(/[^\p{L}\p{N} _-]/gu, "")
    .replaceAll(" ", "-");

/** Returns the plain text of Markdown. */
const plain = (text: string) =>
  text
    .replaceAll(/<!--[\s\S]*?-->/g, "")
    .replaceAll(/\]\([^)]*\)/g, "")
    .replaceAll(/^\|[-| ]+\|$/gm, "")
    .replaceAll(/[`*[\]|#]|^```\w*$/gm, " ")
    .replaceAll(/\s+/g, " ")
    .trim();

/** Pages for maintainers, which aren't served. */
const unserved = /^(internals\/.*|dashboard|dependencies|performance)\.md$/;

/** Returns an entry for each section of each page. */
function sections(): SearchEntry[] {
  const docs = join(root, "docs");
  const files = readdirSync(docs, { recursive: true }).map(String);
  return files
    .filter((name) => name.endsWith(".md") && !unserved.test(name))
    .flatMap((name) => {
      const text = read(relative(root, join(docs, name)));
      const slug = name.replace(/\/README\.md$|\.md$/, "").replace(/^.*\//, "");
      const to = ["events", "permissions"].includes(slug) ? `/docs/${slug}` : `/docs/guides/${slug}`;
      const [intro = "", ...parts] = text.split(/^(?=##+ )/m);
      const title = /^# (.+)/.exec(intro)?.[1] ?? slug;
      return [
        { to, title, kind: "Page", text: plain(intro.replace(/^# .+/, "")) },
        ...parts
          .filter((part) => slug !== "events" || !/^## `\w+\.[\w.]+`$/m.test(part))
          .map((part) => {
            const heading = plain(/^##+ (.+)/.exec(part)?.[1] ?? "");
            return {
              to: `${to}#${anchorOf(heading)}`,
              title: heading,
              kind: title,
              text: plain(part.replace(/^##+ .+/, "")),
            };
          }),
      ];
    });
}

/** Returns an entry for each error code. */
function codes(): SearchEntry[] {
  return [...read("docs/errors.md").matchAll(/^\| `([A-Z_]+)` \| (\d{3}) \| (.+) \|$/gm)].map(
    ([, code = "", status = "", meaning = ""]) => ({
      to: "/docs/guides/errors#codes",
      title: code,
      kind: "Error code",
      text: `${status} ${plain(meaning)}`,
    }),
  );
}

/** Returns an entry for each event type. */
function eventTypes(): SearchEntry[] {
  return [...read("docs/events.md").matchAll(/^## `(\w+\.[\w.]+)`\n\n(.+)$/gm)].map(([, type = "", text = ""]) => ({
    to: `/docs/events#${type}`,
    title: type,
    kind: "Event type",
    text,
  }));
}

/** Returns the value of a YAML key at an indentation, on its line or as a block below it. */
function textAt(block: string, indent: number, key: string): string {
  const [, rest = "", below = ""] =
    new RegExp(`^ {${indent}}${key}: ?(.*)\\n((?: {${indent + 1},}.*\\n|\\n)*)`, "m").exec(block) ?? [];
  return plain(rest === "|" || rest === ">" ? below : rest.replaceAll(/^["']|["']$/g, ""));
}

/** Returns the YAML blocks whose keys match at an indentation, with their keys. */
function blocksOf(text: string, indent: number, key: RegExp): [key: string, block: string][] {
  return text
    .split(new RegExp(`^(?= {${indent}}[^ #\\n])`, "m"))
    .map((block): [string, string] => [/^ *([^\s:][^\n]*?):/.exec(block)?.[1] ?? "", block])
    .filter(([name]) => key.test(name));
}

const parts = () => {
  const text = read("rest/openapi.yaml");
  const [paths = "", components = ""] = text.slice(text.indexOf("\npaths:\n")).split(/^(?=components:)/m);
  const schemas = components.slice(components.indexOf("\n  schemas:\n") + "\n  schemas:\n".length);
  return { paths, schemas: `${schemas}\n${read("rest/openapi_schemas.yaml")}` };
};

interface RestOperation {
  id: string;
  schemas: string[];
  entry: SearchEntry;
}

function restOperations(): RestOperation[] {
  return blocksOf(parts().paths, 2, /./).flatMap(([path, item]) =>
    blocksOf(item, 4, /^(get|post|put|delete)$/).map(([method, block]) => {
      const id = textAt(block, 6, "operationId");
      const call = path.startsWith("/") ? `${method.toUpperCase()} ${path}` : "";
      return {
        id,
        schemas: referencesOf(block),
        entry: {
          to: `/docs/api/${id}`,
          title: `${call} ${textAt(block, 6, "summary")}`.trim(),
          kind: "REST operation",
          text: `${id} ${textAt(block, 6, "description")}`,
        },
      };
    }),
  );
}

const referencesOf = (block: string) =>
  [...block.matchAll(/#\/components\/schemas\/(\w+)/g)].map(([, name = ""]) => name);

const operations = () => restOperations().map(({ entry }) => entry);

/** Returns an entry for each field of each REST schema. It links to the first operation that uses the schema. */
function schemaFields(): SearchEntry[] {
  const schemas = new Map(blocksOf(parts().schemas, 4, /^\w+$/));
  const owners = new Map<string, RestOperation>();
  let reached = restOperations().flatMap((operation) => operation.schemas.map((name) => ({ name, operation })));
  while (reached.length > 0) {
    const fresh = reached.filter(({ name }) => !owners.has(name));
    for (const { name, operation } of fresh) if (!owners.has(name)) owners.set(name, operation);
    reached = fresh.flatMap(({ name, operation }) =>
      referencesOf(schemas.get(name) ?? "").map((inside) => ({ name: inside, operation })),
    );
  }
  return [...schemas].flatMap(([schema, block]) => {
    const owner = owners.get(schema);
    const [, properties = ""] = /^ {6}properties:\n((?: {7,}.*\n|\n)*)/m.exec(block) ?? [];
    if (!owner) return [];
    return blocksOf(properties, 8, /^[\w.$-]+$/).map(([name, field]) => ({
      to: `/docs/api/${owner.id}`,
      title: name,
      kind: `Field of ${schema}`,
      text: textAt(field, 10, "description"),
    }));
  });
}

/** Returns an entry for each operation and each field of the GraphQL schema. */
function graphql(): SearchEntry[] {
  const folder = join(root, "graph/schema");
  return readdirSync(folder)
    .filter((name) => name.endsWith(".graphqls"))
    .flatMap((name) => parse(readFileSync(join(folder, name), "utf8")).definitions)
    .flatMap(fieldsOf);
}

function fieldsOf(definition: DefinitionNode): SearchEntry[] {
  switch (definition.kind) {
    case Kind.OBJECT_TYPE_DEFINITION:
    case Kind.OBJECT_TYPE_EXTENSION:
    case Kind.INTERFACE_TYPE_DEFINITION:
    case Kind.INPUT_OBJECT_TYPE_DEFINITION:
      break;
    default:
      return [];
  }
  const type = definition.name.value;
  const isOperation = ["Query", "Mutation", "Subscription"].includes(type);
  return (definition.fields ?? []).map((field) => ({
    to: isOperation ? "/docs/permissions#operations" : "/playground",
    title: field.name.value,
    kind: isOperation ? `GraphQL ${type.toLowerCase()}` : `Field of ${type} (GraphQL)`,
    text: plain(field.description?.value ?? ""),
  }));
}
