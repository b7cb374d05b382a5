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

/** Names the state of the record that a change is made to. */
interface Expected {
  expectedUpdatedAt: string;
}

interface Options<Rec, Values, Data, Variables> {
  /** The record that the form shows; without one, nothing is saved. */
  of: Rec | undefined;
  form: UseFormReturnType<Values>;
  /** The form's values of a record. */
  values: (record: Rec) => Values;
  fields: Fields<Values>;
  /** The variables that save values over a record in the state it is in. */
  variables: (values: Values, over: Rec) => Variables & (Expected | { input: Expected });
  /** Loads the record as it is now. */
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
  /** The question after a conflict, to be shown next to the form. */
  dialog: ReactNode;
}

/**
 * Saves the form of a record, provided that the record is still as the form was opened with. If it has changed since, the
 * user sees how, and keeps or discards the form's changes (DASH-24).
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
  /** What the API takes of values that are saved over a record in the state it is in. */
  input: (values: Values, over: Rec) => Omit<Input, "expectedUpdatedAt">;
  /** The query that finds the record by its id, and the record in its answer. */
  query: TypedDocumentNode<Found, { id: string }>;
  found: (data: Found) => Rec;
  /** Called when the record is loaded again after a conflict. */
  onStale?: () => void;
}

/** Saves the form of a record that is found and changed by its id alone, as `useEdit` does. */
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
