import { type Client, type CombinedError, cacheExchange, createClient, fetchExchange, mapExchange } from "@urql/core";
import { failureOf } from "../lib/failure";
import { earlyExchange } from "./early";
import { chosenSeller } from "./seller";
import { staleExchange } from "./stale";
import { type Acting, store } from "./store";

/** Drops all data of a response in which a root field failed, so that the page shows the error. */
const wholeExchange = mapExchange({
  onResult(result) {
    const failed = result.error?.graphQLErrors.some(({ path }) => path?.length === 1);
    return failed ? { ...result, data: undefined } : result;
  },
});

/** Returns a client that acts on a seller, if one is given. */
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
      staleExchange(),
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
 * Returns the client that all pages of a seller share. Its cache ends with it, so no page shows another seller's data.
 */
export function clientOf(chosen: string | undefined): Client {
  const { acting } = store.get();
  if (acting && acting.chosen === chosen) return acting.client;
  const next: Acting = { client: newClient(() => next.seller), chosen, seller: chosen };
  store.set({ acting: next });
  return next.client;
}

/** Makes the client send this seller from now on. Another tab may sign in a user with a different default seller. */
export function actOn(seller: string) {
  const { acting } = store.get();
  if (acting) acting.seller = seller;
}

/** Returns the client of the selected seller, for queries sent before the session is known. */
export function currentClient(): Client {
  return store.get().acting?.client ?? clientOf(chosenSeller());
}

/** Calls the app when the session has ended, and clears the client's cache. */
export function whileSignedIn(onSignedOut: () => void): () => void {
  store.set({ onSignedOut });
  return () => store.set({ onSignedOut: undefined, acting: undefined });
}
