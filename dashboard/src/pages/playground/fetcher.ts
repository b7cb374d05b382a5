/** Who runs documents in the playground: the signed-in user or an API key. */
export interface Caller {
  /** An API key; undefined for the signed-in user. */
  key: string | undefined;
  /** The seller that the signed-in user acts on. */
  sellerId: string | undefined;
}

interface Asked {
  query: string;
  operationName?: string | null;
  variables?: unknown;
}

/** The operation name of the editor's introspection query. */
const introspection = "IntrospectionQuery";

/**
 * Sends a document. The schema is always loaded as the signed-in user, because API keys can't read it, and the editor needs it
 * for validation and autocomplete.
 */
export function headersOf({ operationName }: Asked, { key, sellerId }: Caller): Record<string, string> {
  const headers: Record<string, string> = { "content-type": "application/json", accept: "application/json" };
  if (key && operationName !== introspection) headers.authorization = `Bearer ${key}`;
  else if (sellerId) headers["x-seller-id"] = sellerId;
  return headers;
}

/** The response if "Run with an API key" is selected without a key. It never falls back to the session. */
const noKey = { errors: [{ message: "Enter an API key above, or select “Run as me”." }] };

/** Removes an operation name that no longer occurs in the query; the editor may still send the previous one. */
function completeOperations(asked: Asked): Asked {
  const { query, operationName } = asked;
  return operationName && !new RegExp(`\\b${operationName}\\b`).test(query) ? { ...asked, operationName: null } : asked;
}

export function newFetcher(caller: () => Caller) {
  return async (asked: Asked) => {
    const by = caller();
    if (by.key === "" && asked.operationName !== introspection) return noKey;
    const headers = headersOf(asked, by);
    // A key is sent without the session cookie, so that it is clear which credential was used.
    const credentials = headers.authorization ? "omit" : "same-origin";
    const answer = await fetch("/graphql", {
      method: "POST",
      headers,
      body: JSON.stringify(completeOperations(asked)),
      credentials,
    });
    return answer.json();
  };
}
