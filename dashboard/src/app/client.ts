import { type Client, type CombinedError, cacheExchange, createClient, fetchExchange, mapExchange } from "@urql/core";
import { failureOf } from "../components/failure";
import { earlyExchange } from "./early";
import { chosenSeller } from "./seller";

/** A client that acts on one seller: its cache is thrown away with it, so nothing of another seller is ever shown. */
export function newClient(sellerId: string | undefined) {
  return createClient({
    url: "/graphql",
    preferGetMethod: false,
    fetchSubscriptions: true,
    requestPolicy: "cache-and-network",
    fetchOptions: { headers: sellerId ? { "x-seller-id": sellerId } : {} },
    exchanges: [
      earlyExchange,
      cacheExchange,
      mapExchange({
        onError(error: CombinedError) {
          if (failureOf(error).code === "UNAUTHENTICATED") signedOut?.();
        },
      }),
      fetchExchange,
    ],
  });
}

let current: { client: Client; sellerId: string | undefined } | undefined;
let signedOut: (() => void) | undefined;

/** The client that all pages of a seller share. */
export function clientOf(sellerId: string | undefined): Client {
  if (!current || current.sellerId !== sellerId) current = { client: newClient(sellerId), sellerId };
  return current.client;
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
