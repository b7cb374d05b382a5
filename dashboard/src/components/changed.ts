import type { UseFormReturnType } from "@mantine/form";
import { type AnyVariables, type TypedDocumentNode, useClient } from "urql";

// Two people, or two tabs, may change one thing at a time. Each saves what it has changed: nothing is taken back that it
// has not even shown.

/**
 * The members of an input that differ from what was loaded, for the API keeps those that are absent.
 */
export function changedOf<Input extends object>(input: Input, before: Input): Partial<Input> {
  const had = new Map(Object.entries(before).map(([name, value]) => [name, JSON.stringify(value)]));
  return Object.fromEntries(
    Object.entries(input).filter(([name, value]) => JSON.stringify(value) !== had.get(name)),
  ) as Partial<Input>;
}

/** The values that were changed in a form, over those that are there now: for what the API takes as a whole. */
export function changedOver<Values>(form: UseFormReturnType<Values>, now: Values | undefined): Values {
  const values = form.getValues();
  if (!now) return values; // it is gone, and saving says so
  const names = Object.keys(values as object) as (keyof Values & string)[];
  const changed = names.filter((name) => form.isDirty(name)).map((name) => [name, values[name]]);
  return { ...now, ...Object.fromEntries(changed) };
}

/** Asks for what is there now. The document is not the page's own, so its form stays as it is. */
export function useNow<Data, Variables extends AnyVariables>(document: TypedDocumentNode<Data, Variables>) {
  const client = useClient();
  return async (variables: Variables): Promise<Data | undefined> =>
    (await client.query(document, variables, { requestPolicy: "network-only" })).data;
}
