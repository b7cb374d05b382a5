import { useParams } from "react-router";

/** What a browser takes for a step in the path, and what stands before it, so that it takes it for a name. */
const takenForStep = /^(\.{1,2}$|~)/;

/** The address of a record's page. Ids of records that other services made may hold any character. */
export const address = (list: string, id: string) =>
  `${list}/${encodeURIComponent(takenForStep.test(id) ? `~${id}` : id)}`;

/** The id that stands in an address. */
export const idIn = (segment = "") => segment.replace(/^~/, "");

/** The id of the record whose page is open, which another service may have chosen. */
export const useRecordId = () => idIn(useParams().id);

/** The address of a list that is narrowed to what belongs to a record. */
export const narrowed = (list: string, by: string, id: string) => `${list}?${new URLSearchParams({ [by]: id })}`;
