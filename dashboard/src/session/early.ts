import {
  type AnyVariables,
  type Client,
  createRequest,
  type Exchange,
  makeOperation,
  mapExchange,
  type OperationContext,
  type TypedDocumentNode,
} from "@urql/core";

/** A query, as passed to useQuery. */
export interface Question {
  // biome-ignore lint/suspicious/noExplicitAny: any result and any variables
  query: TypedDocumentNode<any, any>;
  variables?: AnyVariables;
  context?: Partial<OperationContext>;
}

/** Returns the queries of a page at an address. `id` is the record's ID. */
export type Asks = (at: { id: string; search: URLSearchParams }) => Question[];

/** How long a page may use an early response, in milliseconds. */
const fresh = 5000;

/**
 * Sends a page's queries from its address alone, before the session is known and before anything is rendered. The cookie
 * authorizes them. The page then finds its queries pending or finished.
 */
export function askEarly(client: Client, questions: Question[]) {
  for (const { query, variables, context } of questions) {
    const request = createRequest(query, variables);
    void client.executeQuery(request, { ...context, early: true }).toPromise();
  }
}

/**
 * Lets a page use an early response instead of sending the same query again. The page would send it when it first renders and
 * once more after it has mounted.
 */
export function earlyExchange(): Exchange {
  const askedAt = new Map<number, number>();
  return mapExchange({
    onOperation(operation) {
      const { kind, key, context } = operation;
      if (kind !== "query") return;
      if (context.early) {
        askedAt.set(key, Date.now());
        return;
      }
      const at = askedAt.get(key);
      if (at === undefined || Date.now() - at > fresh || context.requestPolicy !== "cache-and-network") return;
      return makeOperation(kind, operation, { ...context, requestPolicy: "cache-first" });
    },
  });
}
