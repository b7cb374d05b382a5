import { buildClientSchema, getIntrospectionQuery, type IntrospectionQuery, parse, printSchema } from "graphql";

/** The query for the whole schema. */
export const introspection = parse(getIntrospectionQuery());

/** Returns the schema of its result as SDL. */
export function printed(data: IntrospectionQuery): string {
  return `${printSchema(buildClientSchema(data))}\n`;
}
