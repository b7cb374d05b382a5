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

/** A query as useQuery takes it. */
export interface Question {
  // biome-ignore lint/suspicious/noExplicitAny: whatever it answers, and whatever it needs for it
  query: TypedDocumentNode<any, any>;
  variables?: AnyVariables;
  context?: Partial<OperationContext>;
}

/** What a page will ask at an address: the id is that of the record whose page it is. */
export type Asks = (at: { id: string; search: URLSearchParams }) => Question[];

/** For how long an early answer is the page's own first one, in milliseconds. */
const fresh = 5000;

/**
 * Asks what a page is about to ask, from its address alone: before it is known who is signed in, and before anything is
 * drawn. The cookie decides what is answered, as ever. The page then finds its question on its way, or answered.
 */
export function askEarly(client: Client, questions: Question[]) {
  for (const { query, variables, context } of questions) {
    const request = createRequest(query, variables);
    void client.executeQuery(request, { ...context, early: true }).toPromise();
  }
}

/**
 * Has a page take the answer that was asked for early where it would ask the same again: it asks when it is drawn, and once
 * more when that has come to stay.
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
