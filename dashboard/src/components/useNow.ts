import { type AnyVariables, type TypedDocumentNode, useClient } from "urql";
import { failureOf } from "../lib/failure";
import { showFailure } from "./useAction";

/** Loads data from the server again. Pages that show the same document are updated. A failure is shown. */
export function useNow<Data, Variables extends AnyVariables>(document: TypedDocumentNode<Data, Variables>) {
  const client = useClient();
  return async (variables: Variables): Promise<Data | undefined> => {
    const { data, error } = await client.query(document, variables, { requestPolicy: "network-only" });
    if (!error) return data;
    const failure = failureOf(error);
    if (failure.code !== "UNAUTHENTICATED") showFailure(failure);
    return undefined;
  };
}
