import { type Client, type CombinedError, cacheExchange, createClient, fetchExchange, mapExchange } from "@urql/core";
import { failureOf } from "../lib/failure";
import { earlyExchange } from "./early";
import { keptExchange } from "./kept";
import { chosenSeller } from "./seller";

/** Gives a page all that it looks up or none of it: a lookup that fails is null, and the page tells why instead. */
const wholeExchange = mapExchange({
  onResult(result) {
    const failed = result.error?.graphQLErrors.some(({ path }) => path?.length === 1);
    return failed ? { ...result, data: undefined } : result;
  },
});

/** A client that names the seller it acts on, if there is one. */
export function newClient(seller: () => string | undefined = () => undefined) {
  return createClient({
    url: "/graphql",
    preferGetMethod: false,
    fetchSubscriptions: true,
    requestPolicy: "cache-and-network",
    fetchOptions() {
      const id = seller();
      return id ? { headers: { "x-seller-id": id } } : {};
    },
    exchanges: [
      earlyExchange,
      keptExchange(),
      cacheExchange,
      wholeExchange,
      mapExchange({
        onError(error: CombinedError) {
          if (failureOf(error).code === "UNAUTHENTICATED") signedOut?.();
        },
      }),
      fetchExchange,
    ],
  });
}

interface Acting {
  client: Client;
  /** The seller that was chosen, if one was. */
  chosen: string | undefined;
  /** The seller that is acted on, once that is known. */
  seller: string | undefined;
}

let current: Acting | undefined;
let signedOut: (() => void) | undefined;

/**
 * The client that all pages of a seller share: its cache is thrown away with it, so nothing of another seller is ever
 * shown.
 */
export function clientOf(chosen: string | undefined): Client {
  if (!current || current.chosen !== chosen) {
    const acting: Acting = { client: newClient(() => acting.seller), chosen, seller: chosen };
    current = acting;
  }
  return current.client;
}

/** Names the seller from now on where none was chosen: another tab may sign somebody in who acts on another one. */
export function actOn(seller: string) {
  if (current) current.seller = seller;
}

/** The same before it is drawn for whom: another tab may have chosen another seller meanwhile. */
export function currentClient(): Client {
  return current?.client ?? clientOf(chosenSeller());
}

/** Has the app told of a session that has ended, whatever the page was doing; what it has been answered ends with it. */
export function whileSignedIn(onSignedOut: () => void): () => void {
  signedOut = onSignedOut;
  return () => {
    signedOut = undefined;
    current = undefined;
  };
}
