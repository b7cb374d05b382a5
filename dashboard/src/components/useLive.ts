import type { DocumentNode } from "graphql";
import { useEffect, useRef } from "react";
import { type AnyVariables, useClient } from "urql";
import { failureOf } from "../lib/failure";

/** A subscription whose payload differs after each change. */
export interface Changes {
  document: DocumentNode;
  variables: AnyVariables;
}

const again = 3000;
const silence = 5000;

/**
 * Refreshes now and after each change that a subscription reports. The subscription pauses while the page is hidden, because
 * browsers limit connections per server, and restarts after a server or proxy has closed it. If a proxy buffers the stream,
 * it refreshes every few seconds instead.
 */
export function useLive(changes: Changes | undefined, refresh: () => void, on = true) {
  const client = useClient();
  const latest = useRef(refresh);
  latest.current = refresh;
  const wanted = useRef(changes);
  wanted.current = changes;
  const key = JSON.stringify(changes?.variables);
  // biome-ignore lint/correctness/useExhaustiveDependencies: the document is constant, and the variables are compared as text
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
      known = undefined; // show changes made in the meantime
      const { document, variables } = wanted.current ?? {};
      if (!document || window.document.hidden) return;
      timer = setInterval(refreshes, silence);
      opened = client.subscription(document, variables).subscribe(({ data, error, hasNext }) => {
        if (error && failureOf(error).code === "NOT_FOUND") return close(); // the record is gone and can't change
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
