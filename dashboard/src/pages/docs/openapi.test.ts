import { describe, expect, it } from "vitest";
import {
  choicesOf,
  type Description,
  exampleOf,
  flat,
  kindOf,
  limitsOf,
  objectOf,
  operationsOf,
  otherChoicesOf,
  type Schema,
} from "./openapi";

const document = {
  info: { title: "Things", version: "1", description: "" },
  tags: [],
  paths: {
    "/things/{id}": {
      parameters: [{ $ref: "#/components/parameters/Id" }],
      put: {
        operationId: "updateThing",
        tags: ["Things"],
        summary: "Change a thing",
        security: [{ apiKey: ["things:update"] }, { session: ["MANAGER"] }, {}],
        requestBody: { content: { "application/json": { schema: { $ref: "#/components/schemas/Thing" } } } },
        responses: { "404": { $ref: "#/components/responses/NotFound" } },
      },
    },
  },
  webhooks: {
    called: { post: { operationId: "receive", tags: ["Things"], summary: "Received", security: [], responses: {} } },
  },
  components: {
    securitySchemes: {},
    parameters: { Id: { name: "id", in: "path", required: true, schema: { type: "string" } } },
    responses: { NotFound: { description: "It is not there." } },
    schemas: {
      Kind: { type: "string", enum: ["static", "remote"] },
      Base: { type: "object", required: ["_id"], properties: { _id: { type: "string" }, kind: { type: "string" } } },
      Thing: {
        allOf: [{ $ref: "#/components/schemas/Base" }],
        required: ["size"],
        properties: {
          kind: { description: "What it is.", enum: ["big", "small"] },
          size: { type: "integer", minimum: 1, maximum: 1000 },
          until: { anyOf: [{ type: "string", format: "date-time" }, { type: "null" }] },
          parts: { type: ["array", "null"], items: { $ref: "#/components/schemas/Thing" } },
          name: { type: "string", minLength: 1, maxLength: 200 },
        },
      },
    },
  },
} as unknown as Description;

const thing: Schema = { $ref: "#/components/schemas/Thing" };

describe("an OpenAPI document", () => {
  it("resolves the references of operations", () => {
    const [update, receive] = operationsOf(document);
    expect(update).toMatchObject({
      id: "updateThing",
      method: "PUT",
      path: "/things/{id}",
      served: true,
      open: true,
      callers: [
        { scheme: "apiKey", needs: ["things:update"] },
        { scheme: "session", needs: ["MANAGER"] },
      ],
      parameters: [{ name: "id", in: "path" }],
      answers: [{ status: "404", description: "It is not there." }],
    });
    expect(receive).toMatchObject({ id: "receive", served: false, open: false });
  });

  it("merges the properties and required fields of allOf", () => {
    const { properties, required } = flat(document, thing);
    expect(Object.keys(properties ?? {})).toEqual(["_id", "kind", "size", "until", "parts", "name"]);
    expect(properties?.kind).toMatchObject({ type: "string", description: "What it is.", enum: ["big", "small"] });
    expect(required).toEqual(["_id", "size"]);
  });

  it("describes the type of each field in words", () => {
    const members = flat(document, thing).properties ?? {};
    const kinds = Object.fromEntries(Object.entries(members).map(([name, member]) => [name, kindOf(document, member)]));
    expect(kinds).toEqual({
      _id: "string",
      kind: "one of big, small",
      size: "integer",
      until: "date-time or null",
      parts: "array of objects or null",
      name: "string",
    });
    expect(choicesOf(document, members.kind ?? {})).toEqual(["big", "small"]);
    expect(limitsOf(document, members.size ?? {})).toEqual(["1 to 1,000"]);
    expect(limitsOf(document, members.name ?? {})).toEqual(["1 to 200 characters"]);
    expect(objectOf(document, members.parts ?? {})?.required).toEqual(["_id", "size"]);
  });

  it("lists the values of enumerations at any depth", () => {
    const kind: Schema = { $ref: "#/components/schemas/Kind" };
    for (const [schema, said] of [
      [kind, "one of static, remote"],
      [{ anyOf: [kind, { type: "null" }] }, "null or one of static, remote"],
      [{ oneOf: [{ allOf: [kind] }, { type: "array", items: { anyOf: [kind, { type: "null" }] } }] }, ""],
      [{ type: ["array", "null"], items: kind }, "array of one of static, remote or null"],
    ] as [Schema, string][]) {
      expect(choicesOf(document, schema), said).toEqual(["static", "remote"]);
      if (said) expect(kindOf(document, schema)).toBe(said);
      expect(otherChoicesOf(document, schema)).toEqual([]);
    }
    const many: Schema = { anyOf: [{ enum: Array.from({ length: 13 }, (_, at) => at) }, { type: "null" }] };
    expect(kindOf(document, many)).toBe("null or one of 13 values");
    expect(otherChoicesOf(document, many)).toHaveLength(13);
    expect(kindOf(document, { enum: ["add", ""] })).toBe('one of add, ""');
  });

  it("creates examples with required or all fields and stops at recursion", () => {
    expect(exampleOf(document, { schema: thing }, false)).toEqual({ _id: "<_id>", size: 1 });
    const whole = exampleOf(document, { schema: thing }, true) as Record<string, unknown>;
    expect(whole).toMatchObject({ kind: "big", until: "2026-01-01T00:00:00.000Z", name: "<name>" });
    expect(JSON.stringify(whole).length).toBeLessThan(2000);
    expect(exampleOf(document, { schema: thing, example: { size: 7 } }, true)).toEqual({ size: 7 });
  });
});
