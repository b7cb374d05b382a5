import { useLocation } from "react-router";

/**
 * Matches IDs that the router reads as something else: dots are path segments, and `new`, case-insensitive, is the page that
 * creates a record. They get the prefix `~`, and so do IDs that already start with `~` (DASH-22).
 */
const leadsElsewhere = /^(\.{1,2}$|new$|~)/i;

/** Returns the address of a record's page. IDs from other services may contain any character. */
export const address = (list: string, id: string) =>
  `${list}/${encodeURIComponent(leadsElsewhere.test(id) ? `~${id}` : id)}`;

/**
 * Returns the ID of the record at a path. The path is decoded once. React Router's parameters don't distinguish
 * `a%2Fb` from `a/b` (DASH-22).
 */
export function idAt(pathname: string): string {
  const [, , segment = ""] = pathname.split("/");
  return decoded(segment).replace(/^~/, "");
}

/** Decodes a path segment. A malformed segment is returned as is. */
export function decoded(part: string): string {
  try {
    return decodeURIComponent(part);
  } catch {
    return part;
  }
}

/** Returns the ID of the record on the current page. */
export const useRecordId = () => idAt(useLocation().pathname);

/** Returns the address of a list filtered by a related record. */
export const narrowed = (list: string, by: string, id: string) => `${list}?${new URLSearchParams({ [by]: id })}`;
