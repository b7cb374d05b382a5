import type { DocumentNode } from "graphql";
import { useEffect, useRef } from "react";
import { type AnyVariables, useClient } from "urql";
import { failureOf } from "../lib/failure";

/** A subscription whose answer differs whenever something has changed. */
export interface Changes {
  document: DocumentNode;
  variables: AnyVariables;
}

const again = 3000;
const silence = 5000;

/**
 * Refreshes at once, and whenever a subscription tells of a change. It ends while nobody looks at the page, because a
 * browser opens few connections to a server, and begins again after the server or a proxy has ended it. Where a proxy
 * holds back what is streamed, it refreshes every few seconds.
 */
export function useLive(changes: Changes | undefined, refresh: () => void, on = true) {
  const client = useClient();
  const latest = useRef(refresh);
  latest.current = refresh;
  const wanted = useRef(changes);
  wanted.current = changes;
  const key = JSON.stringify(changes?.variables);
  // biome-ignore lint/correctness/useExhaustiveDependencies: the document never changes, and the variables are compared as text
  useEffect(() => {
    if (!on) return;
    let known: string | undefined;
    let opened: { unsubscribe: () => void } | undefined;
    let timer: ReturnType<typeof setTimeout> | undefined;
    const refreshes = () => latest.current();
    function close() {
      opened?.unsubscribe();
      opened = undefined;
      clearInterval(timer);
    }
    function open() {
      close();
      known = undefined; // what has happened meanwhile is shown
      const { document, variables } = wanted.current ?? {};
      if (!document || window.document.hidden) return;
      timer = setInterval(refreshes, silence);
      opened = client.subscription(document, variables).subscribe(({ data, error, hasNext }) => {
        if (error && failureOf(error).code === "NOT_FOUND") return close(); // nothing that could change any more
        if (data) {
          clearInterval(timer);
          const told = JSON.stringify(data);
          if (told !== known) refreshes();
          known = told;
        }
        if (!hasNext) {
          clearInterval(timer);
          timer = setTimeout(open, again);
        }
      });
    }
    open();
    document.addEventListener("visibilitychange", open);
    window.addEventListener("online", open);
    return () => {
      document.removeEventListener("visibilitychange", open);
      window.removeEventListener("online", open);
      close();
    };
  }, [client, key, on]);
}
