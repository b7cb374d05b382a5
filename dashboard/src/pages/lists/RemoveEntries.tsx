import { Trash2 } from "lucide-react";
import { BulkAction } from "../../components/BulkAction";
import { type AccessListEntryFilter, CountEntriesDocument, RemoveEntriesDocument } from "./entries.generated";

interface Props {
  listId: string;
  /** The IDs of the selected entries. */
  ids: string[];
  /** The filters, if the list is filtered and has matches. */
  filter: AccessListEntryFilter | undefined;
  onDone: () => void;
}

const entries = (count: number) => (count === 1 ? "1 entry" : `${count.toLocaleString()} entries`);

/** Deletes several entries: the selected ones, or all that match the filters. */
export function RemoveEntries({ listId, ...rows }: Props) {
  return (
    <BulkAction
      {...rows}
      hint="Select entries to delete."
      all="Delete all matches"
      action={{
        title: "Delete entries",
        verb: "Delete",
        icon: Trash2,
        danger: true,
        named: entries,
        count: {
          document: CountEntriesDocument,
          variables: (filter) => ({ listId, filter }),
          of: ({ accessListEntries }) => accessListEntries.totalCount,
        },
        document: RemoveEntriesDocument,
        variables: (input) => ({ listId, input }),
        done: "Entries deleted",
        text: (count, filtered) => (
          <>
            {filtered ? `${entries(count)} ${count === 1 ? "matches" : "match"}.` : `${entries(count)} selected.`}{" "}
            Devices decline {count === 1 ? "its code" : "their codes"} immediately. This can't be undone.
          </>
        ),
      }}
    />
  );
}
