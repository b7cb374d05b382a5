import { Button, Group, Loader, Modal, Paper, Stack, Text } from "@mantine/core";
import type { LucideIcon } from "lucide-react";
import { type ReactNode, useState } from "react";
import { type AnyVariables, type TypedDocumentNode, useQuery } from "urql";
import { ErrorState } from "./ErrorState";
import { useAction } from "./useAction";

/** What is acted on: rows that were selected, or all that the filters find. */
type Wanted<Filter> = { ids: string[] } | { filter: Filter };

/** The same as the API takes it. It refuses when the filters find another number by now than somebody has agreed to. */
export type BulkInput<Filter> = { ids: string[] } | { filter: Filter; count: number };

interface Action<Filter, Count, Of extends AnyVariables, Done, For extends AnyVariables> {
  /** What the dialog is called. */
  title: string;
  /** What the buttons say: "Delete". */
  verb: string;
  icon: LucideIcon;
  danger?: boolean;
  /** Asks how many the filters find. */
  count: {
    document: TypedDocumentNode<Count, Of>;
    variables: (filter: Filter | undefined) => Of;
    of: (counted: Count) => number;
  };
  document: TypedDocumentNode<Done, For>;
  variables: (input: BulkInput<Filter>) => For;
  /** What is said when it has worked. */
  done: string;
  /** Rows in words: "2 entries". */
  named: (count: number) => string;
  /** What is about to happen. */
  text: (count: number, filtered: boolean) => ReactNode;
  /** How many are taken at once, and what to do about more. */
  most?: { count: number; text: string };
}

interface Props<Filter, Count, Of extends AnyVariables, Done, For extends AnyVariables> {
  action: Action<Filter, Count, Of, Done, For>;
  /** Those that are selected. */
  ids: string[];
  /** The filters, when all that they find may be acted on. */
  filter: Filter | undefined;
  /** What is said while nothing is selected. */
  hint: string;
  /** What the button says that acts on all that the filters find: "Delete all that match". */
  all: string;
  onDone: () => void;
}

/** Does something with several rows at once, when somebody has agreed to how many they are. */
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
    else if (filter) again(); // there may be others by now: the number is confirmed anew
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
