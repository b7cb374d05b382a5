import { useSyncExternalStore } from "react";

// Credentials that were typed to try things with. They live in this tab's memory and nowhere else: no storage, no
// address, no cookie; loading the page anew forgets them.
let typed: Readonly<Record<string, string>> = {};
const listeners = new Set<() => void>();

function subscribe(listener: () => void) {
  listeners.add(listener);
  return () => listeners.delete(listener);
}

/** Forgets everything that was typed: whoever signs out leaves nothing to the next person. */
export function forgetCredentials() {
  typed = {};
  for (const listener of listeners) listener();
}

/** A credential of a kind, such as `apiKey`, shared by all places that ask for one. */
export function useCredential(kind: string): [string, (value: string) => void] {
  const value = useSyncExternalStore(subscribe, () => typed[kind] ?? "");
  function set(next: string) {
    typed = { ...typed, [kind]: next.trim() };
    for (const listener of listeners) listener();
  }
  return [value, set];
}
