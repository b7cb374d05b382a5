import { readdirSync, readFileSync } from "node:fs";
import { join } from "node:path";
import index from "virtual:search-index";
import { buildASTSchema, isInputObjectType, isInterfaceType, isObjectType, parse } from "graphql";
import { describe, expect, it } from "vitest";
import { guides, handbook, loadDocument, slugOf } from "./guides";
import { find, indexOf, stemsOf } from "./search";

const root = join(import.meta.dirname, "../../../..");
const read = (name: string) => readFileSync(join(root, name), "utf8");
const first = (query: string) => find(index, query)[0]?.to;

describe("the search index", () => {
  it("ranks the right page first", () => {
    expect(first("pagination")).toBe("/docs/guides/paging");
    expect(first("429")).toBe("/docs/guides/limits#handle-a-429");
    expect(first("rotate")).toBe("/docs/guides/credentials#rotate-a-key");
    expect(first("POST /api/webhooks")).toBe("/docs/api/createWebhook");
    expect(first("idempotency")).toBe("/docs/guides/idempotency");
    expect(first("signature")).toBe("/docs/guides/verify-signature");
    expect(first("retry")).toBe("/docs/guides/webhooks#retries");
    expect(first("timeout")).toBe("/docs/guides/limits#timeouts");
    expect(first("SIREN")).toBe("/docs/guides/siren-in-the-checkout");
    expect(first("CORS")).toBe("/docs/guides/checkout#origins-cors");
    expect(first("x-service-signature")).toMatch(/^\/docs\/guides\/(webhooks|verify-signature)/);
    expect(first("TICKETGATE_RETENTION")).toMatch(/^\/docs\/guides\/operations/);
    expect(find(index, "zzzzqqq")).toEqual([]);
  });

  it("finds every REST operation by its method and path, and by its name", () => {
    const text = read("rest/openapi.yaml");
    const ids = [...text.matchAll(/^ {6}operationId: (\w+)$/gm)].map(([, id = ""]) => id);
    expect(ids.length).toBeGreaterThan(50);
    const entries = index.entries.filter(({ kind }) => kind === "REST operation");
    expect(entries.map(({ to }) => to).sort()).toEqual(ids.map((id) => `/docs/api/${id}`).sort());
    for (const { title, to } of entries) {
      const call = /^[A-Z]+ \S+/.exec(title)?.[0];
      if (call) expect(first(call), call).toBe(to);
    }
    for (const id of ids)
      expect(
        find(index, id).map(({ to }) => to),
        id,
      ).toContain(`/docs/api/${id}`);
  });

  it("contains every operation and field of the GraphQL schema", () => {
    const folder = join(root, "graph/schema");
    const texts = readdirSync(folder).filter((name) => name.endsWith(".graphqls"));
    const schema = buildASTSchema(parse(texts.map((name) => readFileSync(join(folder, name), "utf8")).join("\n")), {
      assumeValid: true,
    });
    const held = new Set(index.entries.map(({ kind, title }) => `${kind}/${title}`));
    for (const type of Object.values(schema.getTypeMap())) {
      if (type.name.startsWith("__")) continue;
      if (!isObjectType(type) && !isInputObjectType(type) && !isInterfaceType(type)) continue;
      const isOperation = ["Query", "Mutation", "Subscription"].includes(type.name);
      const kind = isOperation ? `GraphQL ${type.name.toLowerCase()}` : `Field of ${type.name} (GraphQL)`;
      for (const name of Object.keys(type.getFields())) expect(held, `${kind} ${name}`).toContain(`${kind}/${name}`);
    }
  });

  it("finds the fields of REST bodies with an operation that uses them", () => {
    const fields = index.entries.filter(({ kind }) => /^Field of \w+$/.test(kind));
    expect(fields.length).toBeGreaterThan(300);
    const found = find(index, "hmacKey", 100).filter(({ kind }) => kind === "Field of CreateWebhookRequest");
    expect(found.map(({ to }) => to)).toEqual(["/docs/api/createWebhook"]);
  });

  it("ranks error codes and event types first", () => {
    const codes = [...read("graph/edge/status.go").matchAll(/domain\.Code(\w+):/g)];
    const entries = index.entries.filter(({ kind }) => kind === "Error code");
    expect(entries.length).toBe(codes.length - 1); // one code is never shown
    for (const { title, to } of entries) expect(first(title), title).toBe(to);
    const types = index.entries.filter(({ kind }) => kind === "Event type");
    expect(types.length).toBe([...read("docs/events.md").matchAll(/^Published when /gm)].length);
    for (const { title, to } of types) expect(first(title), title).toBe(to);
  });

  it("links to existing pages and headings", async () => {
    const pages = index.entries.filter(({ kind }) => kind === "Page").map(({ to }) => to);
    const served = [...guides, ...handbook].map(({ slug }) => `/docs/guides/${slug}`);
    expect(pages.sort()).toEqual([...served, "/docs/events", "/docs/permissions"].sort());
    for (const { to } of index.entries) {
      const [, slug, anchor] = /^\/docs\/guides\/([\w-]+)#(.+)$/.exec(to) ?? [];
      if (!slug) continue;
      const text = (await loadDocument(slug)) ?? "";
      const anchors = [...text.matchAll(/^##+ (.+)$/gm)].map(([, heading = ""]) => slugOf(heading));
      expect(anchors, to).toContain(anchor);
    }
  });
});

describe("search", () => {
  it("splits names into words and stems them", () => {
    expect(stemsOf("rotateApiKey")).toEqual(["rotateapikey", "rotat", "api", "key"]);
    expect(stemsOf("rotating rotation rotates")).toEqual(["rotat", "rotat", "rotat"]);
    expect(stemsOf("RATE_LIMITED 429")).toEqual(["rate_limit", "rat", "limit", "429"]);
  });

  it("ranks entries with all words first and matches the last word as a prefix", () => {
    const entry = (title: string, text = "") => ({ to: `/${title}`, title, kind: "Page", text });
    const small = indexOf([entry("Apples"), entry("Pears", "green"), entry("Green apples"), entry("Apple trees")]);
    const titles = (query: string) => find(small, query).map(({ title }) => title);
    expect(titles("green apple")[0]).toBe("Green apples");
    expect(titles("gre").sort()).toEqual(["Green apples", "Pears"]);
    expect(titles("constructor")).toEqual([]);
    expect(titles("")).toEqual([]);
  });
});
