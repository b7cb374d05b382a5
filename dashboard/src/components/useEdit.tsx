import type { UseFormReturnType } from "@mantine/form";
import { type ReactNode, use, useRef, useState } from "react";
import type { AnyVariables, TypedDocumentNode } from "urql";
import { changedOver } from "../lib/changed";
import { differences, type Fields, type Outcome, saveOver, type Versioned } from "../lib/conflict";
import type { Failure } from "../lib/failure";
import { ConflictDialog } from "./ConflictDialog";
import { EditorContext } from "./Editor";
import { showFailure, useAction } from "./useAction";
import { useNow } from "./useNow";

/** Identifies the state of the record that a change applies to. */
interface Expected {
  expectedUpdatedAt: string;
}

interface Options<Rec, Values, Data, Variables> {
  /** The record in the form; if undefined, nothing is saved. */
  of: Rec | undefined;
  form: UseFormReturnType<Values>;
  /** Returns the form values of a record. */
  values: (record: Rec) => Values;
  fields: Fields<Values>;
  /** Returns the variables that save values over a record in its current state. */
  variables: (values: Values, over: Rec) => Variables & (Expected | { input: Expected });
  /** Loads the current record. */
  load: () => Promise<Rec | undefined>;
  /** The message after saving. */
  done: string;
  /** Handles failures other than conflicts. */
  onFailure?: (failure: Failure) => void;
  onSaved?: (data: Data) => void;
}

interface Edit {
  save: () => Promise<void>;
  busy: boolean;
  /** The dialog after a conflict, rendered next to the form. */
  dialog: ReactNode;
}

/**
 * Saves the form of a record if the record has not changed since the form was opened. Otherwise the user sees the
 * difference, and keeps or discards the form's changes (DASH-24).
 */
export function useEdit<Rec extends Versioned, Values extends object, Data, Variables extends AnyVariables>(
  document: TypedDocumentNode<Data, Variables>,
  {
    of: record,
    form,
    values,
    fields,
    variables,
    load,
    done,
    onFailure,
    onSaved,
  }: Options<Rec, Values, Data, Variables>,
): Edit {
  const editor = use(EditorContext);
  if (editor) editor.edited.current = form.isDirty;
  const refusal = useRef<Failure>(undefined);
  const [update] = useAction(document, {
    form,
    done,
    onFailure,
    onConflict(failure) {
      refusal.current = failure;
    },
  });
  const [current, setCurrent] = useState<Rec>();
  const working = useRef(false);
  const [busy, setBusy] = useState(false);

  async function save(over: Rec): Promise<Outcome> {
    refusal.current = undefined;
    const saved = await update(variables(changedOver(form, values(over)), over));
    if (!saved) return refusal.current ? "conflict" : "failed";
    onSaved?.(saved);
    return "saved";
  }
  const changesIn = (now: Rec) =>
    record ? differences(fields, { opened: values(record), mine: form.getValues(), current: values(now) }) : [];

  async function saveFrom(first: Rec | undefined) {
    if (!first || working.current) return;
    working.current = true;
    setBusy(true);
    const conflicting = await saveOver(first, { save, load, differs: (now) => changesIn(now).length > 0 });
    if (conflicting && changesIn(conflicting).length === 0 && refusal.current) showFailure(refusal.current);
    setCurrent(conflicting);
    setBusy(false);
    working.current = false;
  }
  function discard() {
    if (current) editor?.take(current);
    setCurrent(undefined);
  }
  const rows = current ? changesIn(current) : [];
  return {
    save: () => saveFrom(record),
    busy,
    dialog: current && rows.length > 0 && (
      <ConflictDialog
        changedAt={current.updatedAt}
        differences={rows}
        busy={busy}
        onClose={() => setCurrent(undefined)}
        onKeep={() => saveFrom(current)}
        onDiscard={discard}
      />
    ),
  };
}

interface RecordOptions<Rec, Values, Data, Input, Found>
  extends Omit<Options<Rec, Values, Data, unknown>, "variables" | "load"> {
  /** Returns the input that saves values over a record in its current state. */
  input: (values: Values, over: Rec) => Omit<Input, "expectedUpdatedAt">;
  /** The query that finds the record by ID, and a function that returns the record from its response. */
  query: TypedDocumentNode<Found, { id: string }>;
  found: (data: Found) => Rec;
  /** Called after the record was loaded again because of a conflict. */
  onStale?: () => void;
}

/** Like `useEdit`, for a record that is queried and updated by its ID alone. */
export function useRecordEdit<Rec extends Versioned, Values extends object, Data, Input extends object, Found>(
  document: TypedDocumentNode<Data, { id: string; input: Input }>,
  { input, query, found, onStale, ...options }: RecordOptions<Rec, Values, Data, Input, Found>,
): Edit {
  const loadNow = useNow(query);
  const id = options.of?._id ?? "";
  return useEdit(document, {
    ...options,
    variables: (values, over) => ({
      id: over._id,
      input: { ...(input(values, over) as Input), expectedUpdatedAt: over.updatedAt },
    }),
    async load() {
      onStale?.();
      const data = await loadNow({ id });
      return data && found(data);
    },
  });
}
