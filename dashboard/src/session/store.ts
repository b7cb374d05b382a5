import type { Client } from "@urql/core";

export interface Acting {
  client: Client;
  /** The selected seller. */
  chosen: string | undefined;
  /** The seller that the client sends, once it is known. */
  seller: string | undefined;
}

/** A function that returns what leaving the page would lose, in one sentence; undefined if nothing would be lost. */
export type Loss = () => string | undefined;

interface State {
  acting: Acting | undefined;
  /** Called when the session has ended. */
  onSignedOut: (() => void) | undefined;
  /** Credentials typed by the user, by kind. They stay in memory and are never stored. */
  credentials: Readonly<Record<string, string>>;
  losses: readonly Loss[];
  /** Asks before changes are lost. */
  ask: ((leave: () => void) => void) | undefined;
  /** Values that are created once, by name. */
  made: Readonly<Record<string, unknown>>;
}

/** Returns a store; `set` replaces fields of its state. */
export function newStore<State extends object>(initial: State) {
  let state = initial;
  const listeners = new Set<() => void>();
  function set(changes: Partial<State>) {
    state = { ...state, ...changes };
    for (const listener of listeners) listener();
  }
  return {
    get: () => state,
    set,
    reset: () => set(initial),
    /** Calls listener after each change until the returned function is called. */
    subscribe(listener: () => void): () => void {
      listeners.add(listener);
      return () => {
        listeners.delete(listener);
      };
    },
  };
}

/** The state of this browser tab. A reload starts with an empty one (DASH-28). */
export const store = newStore<State>({
  acting: undefined,
  onSignedOut: undefined,
  credentials: {},
  losses: [],
  ask: undefined,
  made: {},
});

/** Returns the value of a name. It is created on first use. */
export function once<Value>(name: string, make: () => Value): Value {
  const { made } = store.get();
  if (Object.hasOwn(made, name)) return made[name] as Value;
  const value = make();
  store.set({ made: { ...store.get().made, [name]: value } });
  return value;
}

/** Drops the value of a name, so that the next use creates it again. */
export function forget(name: string) {
  const { [name]: _, ...made } = store.get().made;
  store.set({ made });
}
