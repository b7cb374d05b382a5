import { createContext, Fragment, type ReactNode, type RefObject, useMemo, useReducer, useRef } from "react";
import { isLater, type Versioned } from "../lib/conflict";

interface Editing {
  /** Reports whether the form has unsaved changes. The form sets it. */
  edited: RefObject<() => boolean>;
  /** Renders the form of a record. */
  take: (record: Versioned) => void;
}

export const EditorContext = createContext<Editing | undefined>(undefined);

const unedited = () => false;

interface Props<Rec> {
  of: Rec;
  /** Renders the form of a record that is saved with `useEdit`. */
  children: (record: Rec) => ReactNode;
}

/**
 * Renders the form of a record, with a new form for each later state of the record. A form with unsaved changes keeps the
 * state that it was opened with; saving detects changes made since.
 */
export function Editor<Rec extends Versioned>({ of: record, children }: Props<Rec>) {
  const edited = useRef(unedited);
  const opened = useRef(record);
  const [, redraw] = useReducer((count: number) => count + 1, 0);
  const another = record._id !== opened.current._id;
  if (another || (!edited.current() && isLater(record, opened.current))) {
    edited.current = unedited;
    opened.current = record;
  }
  const editing = useMemo<Editing>(
    () => ({
      edited,
      take(current) {
        edited.current = unedited;
        opened.current = current as Rec;
        redraw();
      },
    }),
    [],
  );
  const { _id, updatedAt } = opened.current;
  return (
    <EditorContext value={editing}>
      <Fragment key={`${_id} ${updatedAt}`}>{children(opened.current)}</Fragment>
    </EditorContext>
  );
}
