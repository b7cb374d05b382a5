import { useCallback, useEffect, useState } from "react";
import { forget, once } from "../../session/store";
import { type Description, type Operation, operationsOf } from "./openapi";

export interface Loaded {
  document: Description;
  operations: Operation[];
}

async function ask(): Promise<Loaded> {
  const answer = await fetch("/api/openapi.json", { headers: { accept: "application/json" } });
  if (!answer.ok) throw new Error(`The server responded with status ${answer.status}`);
  const document = (await answer.json()) as Description;
  return { document, operations: operationsOf(document) };
}

/** Returns the OpenAPI document of this server. */
export function useDescription() {
  const [loaded, setLoaded] = useState<Loaded>();
  const [failed, setFailed] = useState(false);
  const load = useCallback(() => {
    setFailed(false);
    // Loaded once. A failed load is repeated.
    once("openapi", ask).then(setLoaded, () => {
      forget("openapi");
      setFailed(true);
    });
  }, []);
  useEffect(load, [load]);
  return { loaded, failed, retry: load };
}
