import { useDebouncedValue } from "@mantine/hooks";
import { useMemo } from "react";
import { useQuery } from "urql";
import { beginningOf } from "./imports";
import { ImportColumnsDocument } from "./imports.generated";

/**
 * Asks the API what it reads in the beginning of a text, while the text is typed. Until it has answered, the last answer is
 * returned, which is then not current. `heading` is whether the first line names the columns, once the user has chosen it.
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
