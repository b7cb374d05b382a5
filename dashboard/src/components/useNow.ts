import { type AnyVariables, type TypedDocumentNode, useClient } from "urql";
import { failureOf } from "../lib/failure";
import { showFailure } from "./useAction";

/** Reloads data from the server. Pages with the same query are updated. A failure is shown as a notification. */
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
