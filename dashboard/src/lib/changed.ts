import type { UseFormReturnType } from "@mantine/form";

/** Returns the fields of an input that differ from the record. The API keeps omitted fields. */
export function changedOf<Input extends object>(input: Input, before: Input): Partial<Input> {
  const had = new Map(Object.entries(before).map(([name, value]) => [name, JSON.stringify(value)]));
  return Object.fromEntries(
    Object.entries(input).filter(([name, value]) => JSON.stringify(value) !== had.get(name)),
  ) as Partial<Input>;
}

/** Returns the edited values of a form, and the record's values for all other fields. */
export function changedOver<Values>(form: UseFormReturnType<Values>, record: Values): Values {
  const values = form.getValues();
  const names = Object.keys(values as object) as (keyof Values & string)[];
  const edited = names.filter((name) => form.isDirty(name)).map((name) => [name, values[name]]);
  return { ...record, ...Object.fromEntries(edited) };
}
