// Writes NAME.generated.ts beside every src/**/NAME.graphql: its types, and documents that urql infers them from. The
// schema is the one that the server serves, so a page that asks for what is not there, or for what is deprecated, does not
// compile. Nothing of it is committed: it is made anew before every build and check.
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

// The client gives a page no data where a lookup failed (see wholeExchange), so none of what it gives is null at its root.
// What is deprecated in an input has no value that a page could send, so a page that sends one does not compile.
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
