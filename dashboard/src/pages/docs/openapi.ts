/** The parts of JSON Schema that the reference uses. */
export interface Schema {
  $ref?: string;
  type?: string | string[];
  format?: string;
  description?: string;
  enum?: unknown[];
  const?: unknown;
  default?: unknown;
  example?: unknown;
  pattern?: string;
  minimum?: number;
  maximum?: number;
  minLength?: number;
  maxLength?: number;
  minItems?: number;
  maxItems?: number;
  items?: Schema;
  properties?: Record<string, Schema>;
  required?: string[];
  additionalProperties?: boolean | Schema;
  allOf?: Schema[];
  anyOf?: Schema[];
  oneOf?: Schema[];
}

export interface Parameter {
  $ref?: string;
  name: string;
  in: "path" | "query" | "header";
  required?: boolean;
  description?: string;
  schema: Schema;
}

export interface Media {
  schema?: Schema;
  example?: unknown;
  examples?: Record<string, { summary?: string; value: unknown }>;
}

interface Body {
  required?: boolean;
  content: Record<string, Media>;
}

interface Answer {
  $ref?: string;
  description: string;
  content?: Record<string, Media>;
}

interface OperationObject {
  operationId: string;
  tags: string[];
  summary: string;
  description?: string;
  security: Record<string, string[]>[];
  parameters?: Parameter[];
  requestBody?: Body;
  responses: Record<string, Answer>;
}

interface SecurityScheme {
  type: "http" | "apiKey";
  name?: string;
  bearerFormat?: string;
  description: string;
}

type PathItem = { parameters?: Parameter[] } & Record<string, OperationObject>;

/** The parts of an OpenAPI 3.1 document that the reference uses. */
export interface Description {
  info: { title: string; version: string; description: string };
  tags: { name: string; description: string }[];
  paths: Record<string, PathItem>;
  webhooks: Record<string, PathItem>;
  components: { securitySchemes: Record<string, SecurityScheme>; schemas: Record<string, Schema> };
}

/** A caller of an operation, with the permissions or the role it needs. */
export interface Caller {
  scheme: string;
  needs: string[];
}

/** An operation with its references resolved. */
export interface Operation {
  id: string;
  method: string;
  path: string;
  tag: string;
  summary: string;
  description: string;
  /** Whether this server is called; otherwise this server sends the request. */
  served: boolean;
  callers: Caller[];
  /** Whether no credential is required. */
  open: boolean;
  parameters: Parameter[];
  body?: Body;
  answers: { status: string; description: string; content: Record<string, Media> }[];
}

/** The names of callers, by security scheme. */
export const callerNames: Record<string, string> = {
  apiKey: "API key",
  organizationKey: "Organization key",
  session: "Signed-in user",
  systemToken: "Platform token",
  deviceToken: "Device",
  checkoutSecret: "Buyer",
};

const methods = ["get", "post", "put", "patch", "delete"];

/** Returns all operations in the order of the document. */
export function operationsOf(document: Description): Operation[] {
  const served = Object.entries(document.paths).flatMap(([path, item]) => operationsAt(document, path, item, true));
  const called = Object.values(document.webhooks ?? {}).flatMap((item) =>
    operationsAt(document, "https://your.listener/…", item, false),
  );
  return [...served, ...called];
}

function operationsAt(document: Description, path: string, item: PathItem, served: boolean): Operation[] {
  return methods.flatMap((method) => {
    const operation = item[method];
    if (!operation) return [];
    const parameters = [...(item.parameters ?? []), ...(operation.parameters ?? [])];
    return {
      id: operation.operationId,
      method: method.toUpperCase(),
      path,
      tag: operation.tags[0] ?? "",
      summary: operation.summary,
      description: operation.description ?? "",
      served,
      callers: operation.security.flatMap((one) => Object.entries(one).map(([scheme, needs]) => ({ scheme, needs }))),
      open: served && operation.security.some((one) => Object.keys(one).length === 0),
      parameters: parameters.map((parameter) => resolved(document, parameter)),
      body: operation.requestBody,
      answers: Object.entries(operation.responses).map(([status, answer]) => {
        const { description, content = {} } = resolved(document, answer);
        return { status, description, content };
      }),
    };
  });
}

/** Resolves references. */
export function resolved<Node extends { $ref?: string }>(document: Description, node: Node): Node {
  let found = node;
  while (found.$ref) {
    const steps = found.$ref.replace(/^#\//, "").split("/");
    found = steps.reduce<unknown>((at, step) => (at as Record<string, unknown>)[step], document) as Node;
  }
  return found;
}

/** Returns a schema with references resolved and `allOf` merged. */
export function flat(document: Description, schema: Schema): Schema {
  const { allOf = [], ...own } = resolved(document, schema);
  const parts = [...allOf.map((part) => flat(document, part)), own];
  const whole = Object.assign({}, ...parts) as Schema;
  const properties: Record<string, Schema> = {};
  for (const [name, member] of parts.flatMap((part) => Object.entries(part.properties ?? {}))) {
    const before = properties[name];
    properties[name] = before ? { ...flat(document, before), ...member } : member;
  }
  if (Object.keys(properties).length > 0) whole.properties = properties;
  const required = parts.flatMap((part) => part.required ?? []);
  if (required.length > 0) whole.required = [...new Set(required)];
  return whole;
}

/** Returns the alternatives of a schema; the schema itself if there are none. */
function alternatives(document: Description, schema: Schema): Schema[] {
  const whole = flat(document, schema);
  const choices = whole.anyOf ?? whole.oneOf;
  return choices ? choices.map((choice) => flat(document, choice)) : [whole];
}

/** Returns the type of a value in a few words: "string", "array of objects", "one of 1, 3, 5". */
export function kindOf(document: Description, schema: Schema): string {
  const kinds = alternatives(document, schema).flatMap((one) => kindsOf(document, one));
  // A type that lists values comes last, so that its commas aren't ambiguous.
  const apart = (kind: string) => Number(kind.startsWith("one of"));
  return listed([...new Set(kinds)].sort((a, b) => apart(a) - apart(b)));
}

/** The maximum number of values that a type lists. Longer lists are only counted. */
const maxShownChoices = 12;

/** Returns the values that are too many to be part of the type. */
export function otherChoicesOf(document: Description, schema: Schema): unknown[] {
  const values = choicesOf(document, schema);
  return values.length > maxShownChoices ? values : [];
}

function oneOf(values: unknown[]): string {
  if (values.length > maxShownChoices) return `one of ${values.length} values`;
  return `one of ${values.map(choiceWord).join(", ")}`;
}

/** Returns a value as text, with quotes if it is empty. */
export function choiceWord(value: unknown): string {
  return value === "" ? '""' : String(value);
}

function kindsOf(document: Description, schema: Schema): string[] {
  if (schema.const !== undefined) return [JSON.stringify(schema.const)];
  if (schema.enum) return [schema.enum.length > 1 ? oneOf(schema.enum) : JSON.stringify(schema.enum[0])];
  const types = [schema.type ?? (schema.properties ? "object" : "any value")].flat();
  return types.map((type) => {
    if (type === "array") return schema.items ? `array of ${plural(kindOf(document, schema.items))}` : "array";
    if (type === "string" && schema.format === "date-time") return "date-time";
    if (type === "string" && schema.format) return `string (${schema.format})`;
    return type;
  });
}

function plural(kind: string): string {
  return /^(string|integer|number|boolean|object)$/.test(kind) ? `${kind}s` : kind;
}

function listed(names: string[]): string {
  return names.length < 2 ? names.join("") : `${names.slice(0, -1).join(", ")} or ${names.at(-1)}`;
}

/** Returns the values that a schema allows: its own, or those of its alternatives or array items. */
export function choicesOf(document: Description, schema: Schema): unknown[] {
  const values = alternatives(document, schema).flatMap(
    (one) => one.enum ?? (one.items ? choicesOf(document, one.items) : []),
  );
  return [...new Set(values)];
}

/** Returns the object whose fields are shown for a schema: the schema itself or its array items. */
export function objectOf(document: Description, schema: Schema): Schema | undefined {
  for (const one of alternatives(document, schema)) {
    if (one.properties) return one;
    const inside = one.items && objectOf(document, one.items);
    if (inside) return inside;
  }
  return undefined;
}

/** Returns the limits of a value in words. */
export function limitsOf(document: Description, schema: Schema): string[] {
  const { minimum, maximum, minLength, maxLength, minItems, maxItems, ...more } = flat(document, schema);
  return [
    range(minimum, maximum, ""),
    range(minLength, maxLength, " characters"),
    range(minItems, maxItems, " items"),
    more.default === undefined ? "" : `${JSON.stringify(more.default)} if omitted`,
  ].filter(Boolean);
}

function range(from: number | undefined, to: number | undefined, unit: string): string {
  if (from !== undefined && to !== undefined) return `${from} to ${to.toLocaleString("en")}${unit}`;
  if (to !== undefined) return `at most ${to.toLocaleString("en")}${unit}`;
  // "required" already implies at least one character or item.
  return from !== undefined && (from > 1 || unit === "") ? `at least ${from}${unit}` : "";
}

/** Reports whether a field is accepted and ignored. */
export function isIgnored(schema: Schema): boolean {
  return schema.$ref === "#/components/schemas/Ignored";
}

/** Returns an example body: the document's own, or one generated from the schema. */
export function exampleOf(document: Description, media: Media, whole: boolean): unknown {
  if (media.example !== undefined) return media.example;
  const [first] = Object.values(media.examples ?? {});
  if (first) return first.value;
  return media.schema ? made(document, media.schema, "value", whole, 0) : undefined;
}

const deepest = 6;

/** Generates a value for a schema, with all fields or only the required ones. */
function made(document: Description, schema: Schema, name: string, whole: boolean, depth: number): unknown {
  const one = alternatives(document, schema)[0] ?? {};
  for (const given of [one.example, one.const, one.default, one.enum?.[0]]) if (given !== undefined) return given;
  const type = [one.type ?? (one.properties ? "object" : "string")].flat()[0];
  switch (type) {
    case "object":
      return sampleObject(document, one, whole, depth);
    case "array":
      return one.items && depth < deepest ? [made(document, one.items, name, whole, depth + 1)] : [];
    case "integer":
    case "number":
      return one.minimum ?? 0;
    case "boolean":
      return true;
    default:
      return one.format === "date-time" ? "2026-01-01T00:00:00.000Z" : `<${name}>`;
  }
}

function sampleObject(document: Description, schema: Schema, whole: boolean, depth: number) {
  const members = Object.entries(schema.properties ?? {}).filter(
    ([name, member]) => depth < deepest && !isIgnored(member) && (whole || schema.required?.includes(name)),
  );
  return Object.fromEntries(members.map(([name, member]) => [name, made(document, member, name, whole, depth + 1)]));
}
