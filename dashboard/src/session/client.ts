import { type Client, type CombinedError, cacheExchange, createClient, fetchExchange, mapExchange } from "@urql/core";
import { failureOf } from "../lib/failure";
import { earlyExchange } from "./early";
import { keptExchange } from "./kept";
import { chosenSeller } from "./seller";
import { type Acting, store } from "./store";

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
      earlyExchange(),
      keptExchange(),
      cacheExchange,
      wholeExchange,
      mapExchange({
        onError(error: CombinedError) {
          if (failureOf(error).code === "UNAUTHENTICATED") store.get().onSignedOut?.();
        },
      }),
      fetchExchange,
    ],
  });
}

/**
 * The client that all pages of a seller share: its cache is thrown away with it, so nothing of another seller is ever
 * shown.
 */
export function clientOf(chosen: string | undefined): Client {
  const { acting } = store.get();
  if (acting && acting.chosen === chosen) return acting.client;
  const next: Acting = { client: newClient(() => next.seller), chosen, seller: chosen };
  store.set({ acting: next });
  return next.client;
}

/** Names the seller from now on where none was chosen: another tab may sign somebody in who acts on another one. */
export function actOn(seller: string) {
  const { acting } = store.get();
  if (acting) acting.seller = seller;
}

/** The same before it is drawn for whom: another tab may have chosen another seller meanwhile. */
export function currentClient(): Client {
  return store.get().acting?.client ?? clientOf(chosenSeller());
}

/** Has the app told of a session that has ended, whatever the page was doing; what it has been answered ends with it. */
export function whileSignedIn(onSignedOut: () => void): () => void {
  store.set({ onSignedOut });
  return () => store.set({ onSignedOut: undefined, acting: undefined });
}
