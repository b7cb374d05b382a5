import { useEffect, useRef } from "react";

/** What leaving the page would lose, in a sentence; nothing when nothing would be lost. */
type Loss = () => string | undefined;

const losses = new Set<Loss>();

/** Has people who are about to leave the page asked first, while something would be lost by it. */
export function useUnsaved(loss: Loss) {
  const latest = useRef(loss);
  latest.current = loss;
  useEffect(() => {
    const now = () => latest.current();
    losses.add(now);
    return () => {
      losses.delete(now);
    };
  }, []);
}

/** What would be lost by leaving now. */
export function lost(): string | undefined {
  for (const loss of losses) {
    const text = loss();
    if (text) return text;
  }
  return undefined;
}

let ask: ((leave: () => void) => void) | undefined;

/** Who asks. */
export function askWith(asks: typeof ask) {
  ask = asks;
}

/**
 * Does what may lose something without going to another address: at once, or after the question. What closes a dialog says
 * itself whether that loses something, as the page below stays.
 */
export function leaving(leave: () => void, loses = lost() !== undefined) {
  if (ask && loses) ask(leave);
  else leave();
}

/** Lets whatever is unsaved on the page be lost, since somebody said so. */
export function letGo() {
  losses.clear();
}
