import { useCallback, useEffect, useState } from "react";
import { forget, once } from "../../session/store";
import { type Description, type Operation, operationsOf } from "./openapi";

export interface Loaded {
  document: Description;
  operations: Operation[];
}

async function ask(): Promise<Loaded> {
  const answer = await fetch("/api/openapi.json", { headers: { accept: "application/json" } });
  if (!answer.ok) throw new Error(`The server answered ${answer.status}`);
  const document = (await answer.json()) as Description;
  return { document, operations: operationsOf(document) };
}

/** The OpenAPI document that this server serves. */
export function useDescription() {
  const [loaded, setLoaded] = useState<Loaded>();
  const [failed, setFailed] = useState(false);
  const load = useCallback(() => {
    setFailed(false);
    // It is asked for once; after a failure, again.
    once("openapi", ask).then(setLoaded, () => {
      forget("openapi");
      setFailed(true);
    });
  }, []);
  useEffect(load, [load]);
  return { loaded, failed, retry: load };
}
