import { useSyncExternalStore } from "react";
import { store } from "./store";

export function typeCredential(kind: string, value: string) {
  store.set({ credentials: { ...store.get().credentials, [kind]: value.trim() } });
}

/** Clears all credentials, so that the tab's next user doesn't find them. */
export function forgetCredentials() {
  store.set({ credentials: {} });
}

export const typedCredential = (kind: string) => store.get().credentials[kind] ?? "";

/** Returns the credential of a kind, such as `apiKey`. All inputs of a kind share it. */
export function useCredential(kind: string): [string, (value: string) => void] {
  const value = useSyncExternalStore(store.subscribe, () => typedCredential(kind));
  return [value, (next) => typeCredential(kind, next)];
}
