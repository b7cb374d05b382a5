import { useDebouncedValue } from "@mantine/hooks";
import { useMemo } from "react";
import { useQuery } from "urql";
import { beginningOf } from "./imports";
import { ImportColumnsDocument } from "./imports.generated";

/**
 * What the API makes of the beginning of a text, while it is typed. Until it has answered, the answer to what was asked before
 * is given, which is not current. Heading says whether the first line names the columns, if somebody has said so.
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
