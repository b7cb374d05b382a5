// The tabs of a browser share the session's cookie: who signs in or out in one of them has done so in all.
const channel = "ticketgate-session";

/** Tells the other tabs that somebody has signed in or out. */
export function tellTabs() {
  const others = new BroadcastChannel(channel);
  others.postMessage("changed");
  others.close();
}

/** Calls back when another tab has told so, and when this one is looked at again: another window may not share its channel. */
export function onTold(ask: () => void): () => void {
  const others = new BroadcastChannel(channel);
  const seen = () => document.hidden || ask();
  others.addEventListener("message", ask);
  document.addEventListener("visibilitychange", seen);
  return () => {
    others.close();
    document.removeEventListener("visibilitychange", seen);
  };
}
