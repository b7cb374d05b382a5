import { buildClientSchema, getIntrospectionQuery, type IntrospectionQuery, parse, printSchema } from "graphql";

/** The question that gives the whole schema. */
export const introspection = parse(getIntrospectionQuery());

/** The answer to it as SDL. */
export function printed(data: IntrospectionQuery): string {
  return `${printSchema(buildClientSchema(data))}\n`;
}
