import type { Client } from "@urql/core";

export interface Acting {
  client: Client;
  /** The seller that was chosen, if one was. */
  chosen: string | undefined;
  /** The seller that the client names in its calls, once it is known. */
  seller: string | undefined;
}

/** Returns what leaving the page would lose, in a sentence; undefined if nothing would be lost. */
export type Loss = () => string | undefined;

interface State {
  acting: Acting | undefined;
  /** Is called when the session has ended. */
  onSignedOut: (() => void) | undefined;
  /** Credentials that were typed to try things with, by kind. They are kept in memory only: no storage, address or cookie. */
  credentials: Readonly<Record<string, string>>;
  losses: readonly Loss[];
  /** Asks before something is lost. */
  ask: ((leave: () => void) => void) | undefined;
  /** Values that are made once, by name. */
  made: Readonly<Record<string, unknown>>;
}

/** Returns a store of a state, whose fields are replaced by `set`. */
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
    /** Calls listener after each change, until the returned function is called. */
    subscribe(listener: () => void): () => void {
      listeners.add(listener);
      return () => {
        listeners.delete(listener);
      };
    },
  };
}

/** The state of this browser tab. Loading the page again starts with an empty one (DASH-28). */
export const store = newStore<State>({
  acting: undefined,
  onSignedOut: undefined,
  credentials: {},
  losses: [],
  ask: undefined,
  made: {},
});

/** Returns the value of a name, which is made when it is first asked for. */
export function once<Value>(name: string, make: () => Value): Value {
  const { made } = store.get();
  if (Object.hasOwn(made, name)) return made[name] as Value;
  const value = make();
  store.set({ made: { ...store.get().made, [name]: value } });
  return value;
}

/** Has the value of a name made again when it is next asked for. */
export function forget(name: string) {
  const { [name]: _, ...made } = store.get().made;
  store.set({ made });
}
