import { useEffect, useRef } from "react";
import { type Loss, store } from "./store";

/** Asks the user before leaving the page would lose changes. */
export function useUnsaved(loss: Loss) {
  const latest = useRef(loss);
  latest.current = loss;
  useEffect(() => {
    const now = () => latest.current();
    store.set({ losses: [...store.get().losses, now] });
    return () => store.set({ losses: store.get().losses.filter((other) => other !== now) });
  }, []);
}

/** Returns what leaving now would lose. */
export function lost(): string | undefined {
  for (const loss of store.get().losses) {
    const text = loss();
    if (text) return text;
  }
  return undefined;
}

/** Sets the function that asks before changes are lost. */
export function confirmWith(ask: ((leave: () => void) => void) | undefined) {
  store.set({ ask });
}

/**
 * Runs an action that may lose changes without changing the address, at once or after the user confirms. Closing a dialog
 * passes its own loss, because the page below stays open.
 */
export function leaving(leave: () => void, loses = lost() !== undefined) {
  const { ask } = store.get();
  if (ask && loses) ask(leave);
  else leave();
}

/** Discards all unsaved changes on the page, after the user has agreed. */
export function discardUnsaved() {
  store.set({ losses: [] });
}
