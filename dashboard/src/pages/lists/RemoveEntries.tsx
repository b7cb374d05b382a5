import { Trash2 } from "lucide-react";
import { BulkAction } from "../../components/BulkAction";
import { type AccessListEntryFilter, CountEntriesDocument, RemoveEntriesDocument } from "./entries.generated";

interface Props {
  listId: string;
  /** Those that are selected. */
  ids: string[];
  /** The filters, when the list is narrowed and something matches. */
  filter: AccessListEntryFilter | undefined;
  onDone: () => void;
}

const entries = (count: number) => (count === 1 ? "1 entry" : `${count.toLocaleString()} entries`);

/** Deletes several entries at once: those that are selected, or all that the filters find. */
export function RemoveEntries({ listId, ...rows }: Props) {
  return (
    <BulkAction
      {...rows}
      hint="Select entries to delete them together."
      all="Delete all that match"
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
        done: "The entries were deleted",
        text: (count, filtered) => (
          <>
            {filtered ? `These filters find ${entries(count)}.` : `${entries(count)} selected.`} Devices no longer know{" "}
            {count === 1 ? "its code" : "their codes"} from the next question on. This can't be undone.
          </>
        ),
      }}
    />
  );
}
