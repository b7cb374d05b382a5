export type Tone = "good" | "bad" | "warning" | "idle" | "info";

/** Statuses with their labels, for filters and pills. */
export type States<Key extends string> = Record<Key, { tone: Tone; label: string; explanation: string }>;

/** Returns an option for each value. */
export function optionsOf<Key extends string>(known: Record<Key, string | { label: string }>) {
  return Object.entries<string | { label: string }>(known).map(([value, said]) => ({
    value,
    label: typeof said === "string" ? said : said.label,
  }));
}

/** Returns the value if it is known. Addresses can hold any value. */
export function oneOf<Key extends string>(known: Record<Key, unknown>, value: string | undefined): Key | undefined {
  return value !== undefined && Object.hasOwn(known, value) ? (value as Key) : undefined;
}
