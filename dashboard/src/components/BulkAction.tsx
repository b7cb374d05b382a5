import { Button, Group, Loader, Modal, Paper, Stack, Text } from "@mantine/core";
import type { LucideIcon } from "lucide-react";
import { type ReactNode, useState } from "react";
import { type AnyVariables, type TypedDocumentNode, useQuery } from "urql";
import { ErrorState } from "./ErrorState";
import { useAction } from "./useAction";

/** The rows to act on: the selected ones, or all that match the filters. */
type Wanted<Filter> = { ids: string[] } | { filter: Filter };

/** The same rows as the API takes them. The API refuses if the number of matches differs from the confirmed number. */
export type BulkInput<Filter> = { ids: string[] } | { filter: Filter; count: number };

interface Action<Filter, Count, Of extends AnyVariables, Done, For extends AnyVariables> {
  /** The title of the dialog. */
  title: string;
  /** The label of the buttons, such as "Delete". */
  verb: string;
  icon: LucideIcon;
  danger?: boolean;
  /** Counts the rows that match the filters. */
  count: {
    document: TypedDocumentNode<Count, Of>;
    variables: (filter: Filter | undefined) => Of;
    of: (counted: Count) => number;
  };
  document: TypedDocumentNode<Done, For>;
  variables: (input: BulkInput<Filter>) => For;
  /** The message after success. */
  done: string;
  /** Returns a number of rows in words, such as "2 entries". */
  named: (count: number) => string;
  /** Describes the effect. */
  text: (count: number, filtered: boolean) => ReactNode;
  /** The maximum number of rows, and the advice for more. */
  most?: { count: number; text: string };
}

interface Props<Filter, Count, Of extends AnyVariables, Done, For extends AnyVariables> {
  action: Action<Filter, Count, Of, Done, For>;
  /** The keys of the selected rows. */
  ids: string[];
  /** The filters; undefined if the action isn't available for all matches. */
  filter: Filter | undefined;
  /** Shown while no row is selected. */
  hint: string;
  /** The label of the button that acts on all matches, such as "Delete all matches". */
  all: string;
  onDone: () => void;
}

/** Runs an action on several rows after the user has confirmed their number. */
export function BulkAction<Filter, Count, Of extends AnyVariables, Done, For extends AnyVariables>({
  action,
  ids,
  filter,
  hint,
  all,
  onDone,
}: Props<Filter, Count, Of, Done, For>) {
  const [wanted, setWanted] = useState<Wanted<Filter>>();
  if (ids.length === 0 && !filter && !wanted) return null;
  const { title, verb, icon: Icon, danger } = action;
  const look = danger ? ({ variant: "outline", color: "red" } as const) : {};
  function close(done: boolean) {
    setWanted(undefined);
    if (done) onDone();
  }
  return (
    <Paper withBorder px="md" py="xs">
      <Group justify="space-between" gap="xs">
        <Text size="sm" role="status">
          {ids.length > 0 ? `${ids.length.toLocaleString()} selected` : hint}
        </Text>
        <Group gap="xs">
          {filter && (
            <Button variant="default" size="xs" onClick={() => setWanted({ filter })}>
              {all}
            </Button>
          )}
          <Button
            {...look}
            size="xs"
            leftSection={<Icon size={14} aria-hidden />}
            disabled={ids.length === 0}
            onClick={() => setWanted({ ids })}
          >
            {verb} selected
          </Button>
        </Group>
      </Group>
      <Modal opened={wanted !== undefined} onClose={() => close(false)} title={title} centered>
        {wanted && <Confirmation action={action} wanted={wanted} close={close} />}
      </Modal>
    </Paper>
  );
}

interface ConfirmationProps<Filter, Count, Of extends AnyVariables, Done, For extends AnyVariables> {
  action: Action<Filter, Count, Of, Done, For>;
  wanted: Wanted<Filter>;
  close: (done: boolean) => void;
}

function Confirmation<Filter, Count, Of extends AnyVariables, Done, For extends AnyVariables>({
  action,
  wanted,
  close,
}: ConfirmationProps<Filter, Count, Of, Done, For>) {
  const { verb, named, text, most, danger } = action;
  const filter = "filter" in wanted ? wanted.filter : undefined;
  const [{ data, error }, again] = useQuery({
    query: action.count.document,
    variables: action.count.variables(filter),
    pause: !filter,
    requestPolicy: "network-only",
  });
  const [act, busy] = useAction(action.document, { done: action.done });
  const count = "ids" in wanted ? wanted.ids.length : data && action.count.of(data);
  if (error) return <ErrorState error={error} onRetry={again} />;
  if (count === undefined) return <Loader aria-label="Counting" />;
  async function confirm(count: number) {
    if (await act(action.variables("ids" in wanted ? wanted : { ...wanted, count }))) close(true);
    else if (filter) again(); // the number of matches has changed and must be confirmed again
  }
  const tooMany = most !== undefined && count > most.count;
  return (
    <Stack>
      <Text size="sm">{text(count, filter !== undefined)}</Text>
      {tooMany && (
        <Text size="sm" role="alert">
          {most.text}
        </Text>
      )}
      <Group justify="flex-end">
        <Button variant="default" onClick={() => close(false)}>
          Cancel
        </Button>
        <Button
          color={danger ? "red" : undefined}
          onClick={() => confirm(count)}
          loading={busy}
          disabled={count === 0 || tooMany}
          data-autofocus
        >
          {verb} {named(count)}
        </Button>
      </Group>
    </Stack>
  );
}
