/** Whom the playground acts as: the person who is signed in, or whoever has the key. */
export interface Caller {
  /** An API key; none for the signed-in user. */
  key: string | undefined;
  /** The seller that the signed-in user acts on. */
  sellerId: string | undefined;
}

interface Asked {
  query: string;
  operationName?: string | null;
  variables?: unknown;
}

/** The name of the question that editors ask for the schema. */
const introspection = "IntrospectionQuery";

/**
 * Sends a document. The schema is always asked for as the signed-in user: keys may not, and what is typed should be
 * checked and completed all the same.
 */
export function headersOf({ operationName }: Asked, { key, sellerId }: Caller): Record<string, string> {
  const headers: Record<string, string> = { "content-type": "application/json", accept: "application/json" };
  if (key && operationName !== introspection) headers.authorization = `Bearer ${key}`;
  else if (sellerId) headers["x-seller-id"] = sellerId;
  return headers;
}

/** What is answered where somebody wants to run as a key, and has given none: never as somebody else. */
const noKey = { errors: [{ message: "Enter an API key above, or run it as yourself." }] };

/** The editor may still tell the name of an operation that stood there a moment ago: what is gone is not asked for. */
function whatStands(asked: Asked): Asked {
  const { query, operationName } = asked;
  return operationName && !new RegExp(`\\b${operationName}\\b`).test(query) ? { ...asked, operationName: null } : asked;
}

export function newFetcher(caller: () => Caller) {
  return async (asked: Asked) => {
    const by = caller();
    if (by.key === "" && asked.operationName !== introspection) return noKey;
    const headers = headersOf(asked, by);
    // A key speaks for itself: the cookie stays away, or one could not tell who has been let in.
    const credentials = headers.authorization ? "omit" : "same-origin";
    const answer = await fetch("/graphql", {
      method: "POST",
      headers,
      body: JSON.stringify(whatStands(asked)),
      credentials,
    });
    return answer.json();
  };
}
