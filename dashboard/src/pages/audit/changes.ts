/** A changed field; `before` or `after` is undefined if the field didn't exist. */
export interface Difference {
  member: string;
  before: string | undefined;
  after: string | undefined;
}

/** Returns the changed fields in alphabetical order. */
export function differences(before: unknown, after: unknown): Difference[] {
  const [old, now] = [members(before), members(after)];
  const names = new Set([...Object.keys(old), ...Object.keys(now)]);
  return [...names].sort().map((member) => ({ member, before: shown(old[member]), after: shown(now[member]) }));
}

function members(value: unknown): Record<string, unknown> {
  return typeof value === "object" && value !== null ? (value as Record<string, unknown>) : {};
}

function shown(value: unknown): string | undefined {
  if (value === undefined) return undefined;
  return typeof value === "string" ? value : JSON.stringify(value, null, 1);
}
