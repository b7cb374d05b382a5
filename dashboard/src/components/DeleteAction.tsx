import { useNavigate } from "react-router";
import type { AnyVariables, TypedDocumentNode } from "urql";
import { DangerAction } from "./DangerZone";
import { useAction } from "./useAction";

interface Props<Data, Variables extends AnyVariables> {
  title: string;
  /** The effect, in one sentence. */
  text: string;
  /** The text that the user must type to confirm; if omitted, a second click is enough. */
  typed?: string;
  document: TypedDocumentNode<Data, Variables>;
  variables: Variables;
  /** The message after success. */
  done: string;
  /** The next page: the address of the record's list, or a function. */
  after: string | (() => void);
}

/** Deletes a record after a confirmation. */
export function DeleteAction<Data, Variables extends AnyVariables>({
  document,
  variables,
  done,
  after,
  ...action
}: Props<Data, Variables>) {
  const navigate = useNavigate();
  const [remove] = useAction(document, { done });
  async function confirm() {
    if (!(await remove(variables))) return;
    if (typeof after === "string") await navigate(after, { replace: true });
    else after();
  }
  return <DangerAction {...action} button={action.title} onConfirm={confirm} />;
}

interface RecordProps<Data> {
  /** The noun for the record, such as "list". */
  noun: string;
  of: { _id: string; name: string };
  text: string;
  document: TypedDocumentNode<Data, { id: string }>;
  /** The address of the record's list. */
  after: string;
}

/** Deletes a record that has its own page, after the user has typed its name. */
export function DeleteRecord<Data>({ noun, of: record, ...action }: RecordProps<Data>) {
  return (
    <DeleteAction
      {...action}
      title={`Delete ${noun}`}
      typed={record.name}
      variables={{ id: record._id }}
      done={`${noun.charAt(0).toUpperCase()}${noun.slice(1)} deleted`}
    />
  );
}
