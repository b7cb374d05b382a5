/** A record that identifies its state by `updatedAt`. */
export interface Versioned {
  _id: string;
  updatedAt: string;
}

/** The label and format of a form field outside the form. */
interface Field<Value> {
  label: string;
  show: (value: Value) => string;
}

/** The fields of a form: a label, or a label with a format. */
export type Fields<Values> = { [Name in keyof Values]: string | Field<Values[Name]> };

/** A field that another change has set to a different value. */
export interface Difference {
  label: string;
  /** The value in the form; undefined if it wasn't edited. */
  mine: string | undefined;
  current: string;
}

/**
 * Returns the fields in which the record differs from when the form was opened. Fields whose form value equals the current
 * value are left out.
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

/** Formats a value as text. */
export function shown(value: unknown): string {
  if (value === null || value === undefined || value === "") return "–";
  if (typeof value === "boolean") return value ? "On" : "Off";
  if (Array.isArray(value)) return value.map(shown).join(", ") || "–";
  return typeof value === "object" ? JSON.stringify(value) : String(value);
}

/** Shows only whether a secret is set. */
export const hidden = (secret: string) => (secret ? "Set (hidden)" : "–");

export type Outcome = "saved" | "conflict" | "failed";

interface Saving<Rec> {
  /** Saves if the record is still in the given state. */
  save: (over: Rec) => Promise<Outcome>;
  /** Loads the record; returns undefined on failure. */
  load: () => Promise<Rec | undefined>;
  /** Reports whether two records differ in a field of the form. */
  differs: (current: Rec) => boolean;
}

/**
 * Saves over a record. After a conflict, it saves over the current record, unless that differs in a field of the form.
 * In that case it saves nothing and returns the current record, for the user to decide.
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
