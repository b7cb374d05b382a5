export type Tone = "good" | "bad" | "warning" | "idle" | "info";

/** The states of a record as filters and pills show them. */
export type States<Key extends string> = Record<Key, { tone: Tone; label: string; explanation: string }>;

/** Returns an option for each known value. */
export function optionsOf<Key extends string>(known: Record<Key, string | { label: string }>) {
  return Object.entries<string | { label: string }>(known).map(([value, said]) => ({
    value,
    label: typeof said === "string" ? said : said.label,
  }));
}

/** Returns the value if it is a known one. Values in addresses can be anything. */
export function oneOf<Key extends string>(known: Record<Key, unknown>, value: string | undefined): Key | undefined {
  return value !== undefined && Object.hasOwn(known, value) ? (value as Key) : undefined;
}
