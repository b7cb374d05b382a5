import { useParams } from "react-router";

/**
 * The ids that would lead elsewhere: dots are steps in a path, and the word new is the page that creates a record, in any
 * case. They get a ~ in front, as do those that begin with one (DASH-22).
 */
const leadsElsewhere = /^(\.{1,2}$|new$|~)/i;

/** The address of a record's page. Ids of records that other services made may hold any character. */
export const address = (list: string, id: string) =>
  `${list}/${encodeURIComponent(leadsElsewhere.test(id) ? `~${id}` : id)}`;

/** The id that stands in an address. */
export const idIn = (segment = "") => segment.replace(/^~/, "");

/** The id of the record whose page is open, which another service may have chosen. */
export const useRecordId = () => idIn(useParams().id);

/** The address of a list that is narrowed to what belongs to a record. */
export const narrowed = (list: string, by: string, id: string) => `${list}?${new URLSearchParams({ [by]: id })}`;
