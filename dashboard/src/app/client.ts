import { type CombinedError, cacheExchange, createClient, fetchExchange, mapExchange } from "@urql/core";
import { failureOf } from "../components/failure";

/** What the client tells the app about: a session that has ended, whatever the page was doing. */
export interface ClientEvents {
  onSignedOut: () => void;
}

/** A client that acts on one seller: its cache is thrown away with it, so nothing of another seller is ever shown. */
export function newClient(sellerId: string | undefined, { onSignedOut }: ClientEvents) {
  return createClient({
    url: "/graphql",
    preferGetMethod: false,
    fetchSubscriptions: true,
    requestPolicy: "cache-and-network",
    fetchOptions: { headers: sellerId ? { "x-seller-id": sellerId } : {} },
    exchanges: [
      cacheExchange,
      mapExchange({
        onError(error: CombinedError) {
          if (failureOf(error).code === "UNAUTHENTICATED") onSignedOut();
        },
      }),
      fetchExchange,
    ],
  });
}
