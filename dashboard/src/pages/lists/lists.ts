import type { States, Tone } from "../../lib/states";
import type { EntryFieldsFragment, TryCodeQuery } from "./entries.generated";
import type { AccessListType, ListFieldsFragment, ListsQuery } from "./lists.generated";

export type List = ListFieldsFragment;
export type SizedList = ListsQuery["accessLists"]["nodes"][number];
export type Entry = EntryFieldsFragment;
export type Trial = TryCodeQuery["testAccessCode"];

/** The types whose mutations change the entries of a list. */
export const entryTypes = ["AccessListEntry", "DeletedAccessListEntries", "EntryImportReport"];

/** The types of lists. */
export const listTypes: States<AccessListType> = {
  static: { tone: "idle", label: "Static", explanation: "The list contains entries with codes." },
  remote: { tone: "info", label: "Remote", explanation: "Ticketgate looks up each code at your endpoint." },
};

/** Returns the number of entries of a list as text. A remote list has none. */
export function sizeOf({ type, size }: Pick<SizedList, "type" | "size">) {
  if (type === "remote") return "–";
  if (!size) return "Not counted";
  return `${size.entries.toLocaleString()}${size.more ? "+" : ""}`;
}

/** The results of a code lookup. */
export const verdicts: Record<Trial["verdict"], { tone: Tone; label: string }> = {
  FOUND: { tone: "good", label: "Ticket found" },
  UNKNOWN_CODE: { tone: "bad", label: "Unknown code" },
  NO_TICKET_FOR_EVENT: { tone: "bad", label: "No ticket for this event" },
  LIST_UNAVAILABLE: { tone: "warning", label: "List unavailable" },
};

/** Returns the name of an entry's holder, if known. */
export function holderOf({ firstname, lastname }: Pick<Entry, "firstname" | "lastname">): string {
  return [firstname, lastname].filter(Boolean).join(" ");
}
