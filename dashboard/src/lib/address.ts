import { useLocation } from "react-router";

/**
 * The ids that would lead elsewhere: dots are steps in a path, and the word new is the page that creates a record, in any
 * case. They get a ~ in front, as do those that begin with one (DASH-22).
 */
const leadsElsewhere = /^(\.{1,2}$|new$|~)/i;

/** The address of a record's page. Ids of records that other services made may hold any character. */
export const address = (list: string, id: string) =>
  `${list}/${encodeURIComponent(leadsElsewhere.test(id) ? `~${id}` : id)}`;

/**
 * The id of the record whose page is at a path. It is read from the path itself, decoded once: in the router's parameters
 * `a%2Fb` and `a/b` are the same (DASH-22).
 */
export function idAt(pathname: string): string {
  const [, , segment = ""] = pathname.split("/");
  return decoded(segment).replace(/^~/, "");
}

/** A part of an address as text; text that can't be decoded stays as it is. */
export function decoded(part: string): string {
  try {
    return decodeURIComponent(part);
  } catch {
    return part;
  }
}

/** The id of the record whose page is open. */
export const useRecordId = () => idAt(useLocation().pathname);

/** The address of a list that is narrowed to what belongs to a record. */
export const narrowed = (list: string, by: string, id: string) => `${list}?${new URLSearchParams({ [by]: id })}`;
