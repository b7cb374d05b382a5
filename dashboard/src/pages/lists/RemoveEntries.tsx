import { Button, Group, Loader, Modal, Paper, Stack, Text } from "@mantine/core";
import { Trash2 } from "lucide-react";
import { useState } from "react";
import { useQuery } from "urql";
import { ErrorState } from "../../components/ErrorState";
import { useAction } from "../../components/useAction";
import { type AccessListEntryFilter, CountEntriesDocument, RemoveEntriesDocument } from "./entries.generated";

interface Props {
  listId: string;
  /** Those that are selected. */
  ids: string[];
  /** The filters, when the list is narrowed and something matches. */
  filter: AccessListEntryFilter | undefined;
  onDone: () => void;
}

type Wanted = { ids: string[] } | { filter: AccessListEntryFilter };

/** Deletes several entries at once: those that are selected, or all that the filters find. */
export function RemoveEntries({ listId, ids, filter, onDone }: Props) {
  const [wanted, setWanted] = useState<Wanted>();
  if (ids.length === 0 && !filter && !wanted) return null;
  return (
    <Paper withBorder px="md" py="xs">
      <Group justify="space-between" gap="xs">
        <Text size="sm" role="status">
          {ids.length > 0 ? `${ids.length.toLocaleString()} selected` : "Select entries to delete them together."}
        </Text>
        <Group gap="xs">
          {filter && (
            <Button variant="default" size="xs" onClick={() => setWanted({ filter })}>
              Delete all that match
            </Button>
          )}
          <Button
            size="xs"
            variant="outline"
            color="red"
            leftSection={<Trash2 size={14} aria-hidden />}
            disabled={ids.length === 0}
            onClick={() => setWanted({ ids })}
          >
            Delete selected
          </Button>
        </Group>
      </Group>
      <Modal opened={wanted !== undefined} onClose={() => setWanted(undefined)} title="Delete entries" centered>
        {wanted && (
          <Confirm
            listId={listId}
            wanted={wanted}
            close={(done) => {
              setWanted(undefined);
              if (done) onDone();
            }}
          />
        )}
      </Modal>
    </Paper>
  );
}

interface ConfirmProps {
  listId: string;
  wanted: Wanted;
  close: (done: boolean) => void;
}

function Confirm({ listId, wanted, close }: ConfirmProps) {
  const filter = "filter" in wanted ? wanted.filter : undefined;
  const [{ data, error }, again] = useQuery({
    query: CountEntriesDocument,
    variables: { listId, filter },
    pause: !filter,
    requestPolicy: "network-only",
  });
  const [remove, busy] = useAction(RemoveEntriesDocument, { done: "The entries were deleted" });
  const count = "ids" in wanted ? wanted.ids.length : data?.accessListEntries.totalCount;
  if (error) return <ErrorState error={error} onRetry={again} />;
  if (count === undefined) return <Loader aria-label="Counting" />;
  async function confirm() {
    const input = "ids" in wanted ? { ids: wanted.ids } : { filter: wanted.filter, count };
    if (await remove({ listId, input })) close(true);
    else if (filter) again(); // there may be others by now: the number is confirmed anew
  }
  const entries = count === 1 ? "1 entry" : `${count.toLocaleString()} entries`;
  return (
    <Stack>
      <Text size="sm">
        {filter ? `These filters find ${entries}.` : `${entries} selected.`} Devices no longer know{" "}
        {count === 1 ? "its code" : "their codes"} from the next question on. This can't be undone.
      </Text>
      <Group justify="flex-end">
        <Button variant="default" onClick={() => close(false)}>
          Cancel
        </Button>
        <Button color="red" onClick={confirm} loading={busy} disabled={count === 0} data-autofocus>
          Delete {entries}
        </Button>
      </Group>
    </Stack>
  );
}
