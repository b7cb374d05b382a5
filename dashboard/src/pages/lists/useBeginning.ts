import { useDebouncedValue } from "@mantine/hooks";
import { useMemo } from "react";
import { useQuery } from "urql";
import { beginningOf } from "./imports";
import { ImportColumnsDocument } from "./imports.generated";

/**
 * Returns what the API detects at the beginning of a text, while the user types. While a request is pending, it returns the
 * previous result, marked as not current. `heading` is whether the first line names the columns, if the user has chosen.
 */
export function useBeginning(text: string, heading: boolean | undefined) {
  const wanted = useMemo(() => ({ ...beginningOf(text), heading }), [text, heading]);
  const [asked] = useDebouncedValue(wanted, 200, { leading: true });
  const [{ data, error, fetching, operation }, again] = useQuery({
    query: ImportColumnsDocument,
    variables: asked,
    pause: text.trim() === "",
    requestPolicy: "network-only",
  });
  const answered = operation?.variables;
  const current =
    !fetching && !error && asked === wanted && answered?.text === asked.text && answered.heading === asked.heading;
  return { beginning: data?.entryImportColumns, more: wanted.more, current, error, again };
}
