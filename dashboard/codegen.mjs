// Writes NAME.generated.ts next to every src/**/NAME.graphql, with types and typed documents for urql. It uses the server's
// schema, so a page with unknown or deprecated fields doesn't compile. The files aren't committed; every build and check
// writes them again.
import { readdirSync, readFileSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { codegen } from "@graphql-codegen/core";
import * as documents from "@graphql-codegen/typed-document-node";
import * as operations from "@graphql-codegen/typescript-operations";
import {
  buildASTSchema,
  concatAST,
  Kind,
  NoDeprecatedCustomRule,
  parse,
  specifiedRules,
  validate,
  visit,
} from "graphql";

const folder = import.meta.dirname;
const files = (from, ending) =>
  readdirSync(from, { recursive: true })
    .filter((name) => name.endsWith(ending))
    .map((name) => join(from, name));

const schema = concatAST(
  files(join(folder, "../graph/schema"), ".graphqls").map((file) => parse(readFileSync(file, "utf8"))),
);
const built = buildASTSchema(schema);
const rules = [...specifiedRules, NoDeprecatedCustomRule];

// Root fields of queries are never null, because the client drops the data of a response with a failed root field (see
// wholeExchange). Deprecated input fields have the type never, so that a page that sends one doesn't compile.
const given = visit(concatAST([schema, parse("scalar Deprecated")]), {
  [Kind.OBJECT_TYPE_EXTENSION]: (type) => (type.name.value === "Query" ? undefined : false),
  [Kind.OBJECT_TYPE_DEFINITION]: () => false,
  [Kind.FIELD_DEFINITION]: (field) =>
    field.type.kind === Kind.NON_NULL_TYPE
      ? undefined
      : { ...field, type: { kind: Kind.NON_NULL_TYPE, type: field.type } },
  [Kind.INPUT_VALUE_DEFINITION]: (value) =>
    value.directives.some(({ name }) => name.value === "deprecated")
      ? { ...value, type: { kind: Kind.NAMED_TYPE, name: { kind: Kind.NAME, value: "Deprecated" } } }
      : undefined,
});

const scalars = {
  ID: "string",
  DateTime: "string",
  JSON: "unknown",
  Number: "number",
  Integer: "number",
  Permission: "string",
  Expiry: "string | number",
  EventType: "string",
  EventSelection: "Record<string, boolean>",
  EntryImportMode: "string",
  Deprecated: "never",
};

for (const file of files(join(folder, "src"), ".graphql")) {
  const document = parse(readFileSync(file, "utf8"));
  const wrong = validate(built, document, rules);
  if (wrong.length > 0) throw new Error(`${file}: ${wrong.map((error) => error.message).join("; ")}`);
  const filename = file.replace(/\.graphql$/, ".generated.ts");
  const text = await codegen({
    filename,
    schema: given,
    documents: [{ location: file, document }],
    config: {
      scalars,
      enumsAsTypes: true,
      useTypeImports: true,
      skipTypename: true,
      defaultScalarType: "string",
      documentMode: "documentNode",
    },
    plugins: [{ operations: {} }, { documents: {} }],
    pluginMap: { operations, documents },
  });
  writeFileSync(filename, text);
}
