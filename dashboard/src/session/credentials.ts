import { useSyncExternalStore } from "react";
import { store } from "./store";

export function typeCredential(kind: string, value: string) {
  store.set({ credentials: { ...store.get().credentials, [kind]: value.trim() } });
}

/** Forgets all credentials. The next user of the tab must not find them. */
export function forgetCredentials() {
  store.set({ credentials: {} });
}

export const typedCredential = (kind: string) => store.get().credentials[kind] ?? "";

/** A credential of a kind, such as `apiKey`, shared by all places that ask for one. */
export function useCredential(kind: string): [string, (value: string) => void] {
  const value = useSyncExternalStore(store.subscribe, () => typedCredential(kind));
  return [value, (next) => typeCredential(kind, next)];
}
