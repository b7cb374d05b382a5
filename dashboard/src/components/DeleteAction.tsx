import { useNavigate } from "react-router";
import type { AnyVariables, TypedDocumentNode } from "urql";
import { DangerAction } from "./DangerZone";
import { useAction } from "./useAction";

interface Props<Data, Variables extends AnyVariables> {
  title: string;
  /** What happens, in a sentence. */
  text: string;
  /** What has to be typed before it is done; without it a second click is enough. */
  typed?: string;
  document: TypedDocumentNode<Data, Variables>;
  variables: Variables;
  /** What is said when it has worked. */
  done: string;
  /** What follows: the address of the list that the record was in, or a function. */
  after: string | (() => void);
}

/** Deletes a record, after a confirmation. */
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
  return <DangerAction {...action} button="Delete" onConfirm={confirm} />;
}

interface RecordProps<Data> {
  /** What the record is: "list". */
  noun: string;
  of: { _id: string; name: string };
  text: string;
  document: TypedDocumentNode<Data, { id: string }>;
  /** The address of the list that the record was in. */
  after: string;
}

/** Deletes a record that has a page of its own, after its name has been typed. */
export function DeleteRecord<Data>({ noun, of: record, ...action }: RecordProps<Data>) {
  return (
    <DeleteAction
      {...action}
      title={`Delete this ${noun}`}
      typed={record.name}
      variables={{ id: record._id }}
      done={`The ${noun} was deleted`}
    />
  );
}
