// The tabs of a browser share the session cookie: signing in or out in one tab applies to all.
const channel = "ticketgate-session";

/** Notifies the other tabs of a sign-in or sign-out. */
export function notifyTabs() {
  const others = new BroadcastChannel(channel);
  others.postMessage("changed");
  others.close();
}

/** Calls back after such a notification, and when this tab becomes visible: other windows may not share the channel. */
export function onNotified(ask: () => void): () => void {
  const others = new BroadcastChannel(channel);
  const seen = () => document.hidden || ask();
  others.addEventListener("message", ask);
  document.addEventListener("visibilitychange", seen);
  return () => {
    others.close();
    document.removeEventListener("visibilitychange", seen);
  };
}
