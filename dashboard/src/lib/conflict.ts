/** A record that names its state by its `updatedAt`. */
export interface Versioned {
  _id: string;
  updatedAt: string;
}

/** How a field of a form is named and shown outside the form. */
interface Field<Value> {
  label: string;
  show: (value: Value) => string;
}

/** The fields of a form: a label, or a label and how a value is shown. */
export type Fields<Values> = { [Name in keyof Values]: string | Field<Values[Name]> };

/** A field that another change has given another value. */
export interface Difference {
  label: string;
  /** The value in the form; undefined if it was not edited. */
  mine: string | undefined;
  current: string;
}

/**
 * Lists the fields that the record has other values in than when the form was opened. A field that the form has the
 * current value in is left out.
 */
export function differences<Values extends object>(
  fields: Fields<Values>,
  { opened, mine, current }: Record<"opened" | "mine" | "current", Values>,
): Difference[] {
  const names = Object.keys(fields) as (keyof Values)[];
  return names
    .filter((name) => !same(opened[name], current[name]) && !same(mine[name], current[name]))
    .map((name) => {
      const field: string | Field<Values[keyof Values]> = fields[name];
      const { label, show } = typeof field === "string" ? { label: field, show: shown } : field;
      return {
        label,
        mine: same(mine[name], opened[name]) ? undefined : show(mine[name]),
        current: show(current[name]),
      };
    });
}

const same = (one: unknown, other: unknown) => JSON.stringify(one) === JSON.stringify(other);

/** Shows a value as text. */
export function shown(value: unknown): string {
  if (value === null || value === undefined || value === "") return "–";
  if (typeof value === "boolean") return value ? "On" : "Off";
  if (Array.isArray(value)) return value.map(shown).join(", ") || "–";
  return typeof value === "object" ? JSON.stringify(value) : String(value);
}

/** Shows only whether there is a secret. */
export const hidden = (secret: string) => (secret ? "Set (hidden)" : "–");

export type Outcome = "saved" | "conflict" | "failed";

interface Saving<Rec> {
  /** Saves, provided that the record is still in the given state. */
  save: (over: Rec) => Promise<Outcome>;
  /** Loads the record; undefined if that fails. */
  load: () => Promise<Rec | undefined>;
  /** Whether a record has another value in any field of the form. */
  differs: (current: Rec) => boolean;
}

/**
 * Saves over a record. After a conflict it saves over the current record instead, unless that differs in a field of the
 * form: then it returns the current record and saves nothing, because the user has to decide.
 */
export async function saveOver<Rec extends Versioned>(
  record: Rec,
  { save, load, differs }: Saving<Rec>,
): Promise<Rec | undefined> {
  let over = record;
  while ((await save(over)) === "conflict") {
    const current = await load();
    if (!current) return undefined;
    if (differs(current) || current.updatedAt === over.updatedAt) return current;
    over = current;
  }
  return undefined;
}

/** Reports whether a record is in a later state than another. */
export function isLater(one: Versioned, other: Versioned): boolean {
  return Date.parse(one.updatedAt) > Date.parse(other.updatedAt);
}
