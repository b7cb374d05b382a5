/** Formats an amount with its currency and all its decimals. */
export function money(amount: number | null | undefined, currency: string | null | undefined): string {
  if (amount === null || amount === undefined) return "–";
  if (!currency) return String(amount);
  return new Intl.NumberFormat(undefined, { style: "currency", currency, maximumFractionDigits: 10 }).format(amount);
}

interface Named {
  company?: string | null;
  name?: string | null;
  prename?: string | null;
  firstname?: string | null;
  lastname?: string | null;
  email?: string | null;
}

/** Returns the best name of a person or company; undefined if there is none. */
export function personName({ company, name, prename, firstname, lastname, email }: Named): string | undefined {
  const whole = [prename || firstname, lastname].filter(Boolean).join(" ");
  return whole || name || company || email || undefined;
}

interface Address {
  street?: string | null;
  line2?: string | null;
  postal?: string | null;
  city?: string | null;
  state?: string | null;
  country?: string | null;
}

/** Returns an address on one line; undefined if there is none. */
export function addressLine({ street, line2, postal, city, state, country }: Address): string | undefined {
  const place = [postal, city].filter(Boolean).join(" ");
  return [street, line2, place, state, country].filter(Boolean).join(", ") || undefined;
}

/** Returns a value without nulls and without fields that the client adds to queries. Hidden fields are masked. */
export function raw(value: unknown, hidden: string[]): unknown {
  if (Array.isArray(value)) return value.map((element) => raw(element, hidden));
  if (value === null || typeof value !== "object") return value;
  const members = Object.entries(value).filter(([name, member]) => name !== "__typename" && member !== null);
  return Object.fromEntries(
    members.map(([name, member]) => [name, hidden.includes(name) ? "••••••••" : raw(member, hidden)]),
  );
}
