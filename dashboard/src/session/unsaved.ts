import { useEffect, useRef } from "react";
import { type Loss, store } from "./store";

/** Has people who are about to leave the page asked first, while something would be lost by it. */
export function useUnsaved(loss: Loss) {
  const latest = useRef(loss);
  latest.current = loss;
  useEffect(() => {
    const now = () => latest.current();
    store.set({ losses: [...store.get().losses, now] });
    return () => store.set({ losses: store.get().losses.filter((other) => other !== now) });
  }, []);
}

/** What would be lost by leaving now. */
export function lost(): string | undefined {
  for (const loss of store.get().losses) {
    const text = loss();
    if (text) return text;
  }
  return undefined;
}

/** Sets what asks before something is lost. */
export function askWith(ask: ((leave: () => void) => void) | undefined) {
  store.set({ ask });
}

/**
 * Does what may lose something without going to another address: at once, or after the question. What closes a dialog says
 * itself whether that loses something, as the page below stays.
 */
export function leaving(leave: () => void, loses = lost() !== undefined) {
  const { ask } = store.get();
  if (ask && loses) ask(leave);
  else leave();
}

/** Lets whatever is unsaved on the page be lost, since somebody said so. */
export function letGo() {
  store.set({ losses: [] });
}
