import type { States, Tone } from "../../lib/states";
import type { EntryFieldsFragment, TryCodeQuery } from "./entries.generated";
import type { AccessListType, ListFieldsFragment, ListsQuery } from "./lists.generated";

export type List = ListFieldsFragment;
export type SizedList = ListsQuery["accessLists"]["nodes"][number];
export type Entry = EntryFieldsFragment;
export type Trial = TryCodeQuery["testAccessCode"];

/** The types whose changes change the entries of a list. */
export const entryTypes = ["AccessListEntry", "DeletedAccessListEntries", "EntryImportReport"];

/** What a list can be, as the form and the pill say it. */
export const listTypes: States<AccessListType> = {
  static: { tone: "idle", label: "Static", explanation: "The list's entries say who has which code." },
  remote: { tone: "info", label: "Remote", explanation: "A listener of yours is asked for each code." },
};

/** How many entries a list has, as far as they are counted; a remote list has none of its own. */
export function sizeOf({ type, size }: Pick<SizedList, "type" | "size">) {
  if (type === "remote") return "–";
  if (!size) return "not counted";
  return `${size.entries.toLocaleString()}${size.more ? "+" : ""}`;
}

/** What a device would get, as the pill says it. */
export const verdicts: Record<Trial["verdict"], { tone: Tone; label: string }> = {
  FOUND: { tone: "good", label: "Ticket found" },
  UNKNOWN_CODE: { tone: "bad", label: "Unknown code" },
  NO_TICKET_FOR_EVENT: { tone: "bad", label: "No ticket" },
  LIST_UNAVAILABLE: { tone: "warning", label: "List unavailable" },
};

/** The name of an entry's holder, if it is known. */
export function holderOf({ firstname, lastname }: Pick<Entry, "firstname" | "lastname">): string {
  return [firstname, lastname].filter(Boolean).join(" ");
}
