import { useCallback } from "react";
import { useSearchParams } from "react-router";
import { realDay } from "./days";

/** The filters that are days. */
const days = ["from", "until"];

function valueIn(search: URLSearchParams, name: string): string | undefined {
  const value = search.get(name) || undefined;
  return days.includes(name) ? realDay(value) : value;
}

/** What an address says of a list: its filters, and the cursor after which the page begins. What is no day is no filter. */
export function filtersIn<Name extends string>(search: URLSearchParams, names: readonly Name[]) {
  return {
    values: Object.fromEntries(names.map((name) => [name, valueIn(search, name)])) as Record<Name, string | undefined>,
    after: search.get("after") ?? undefined,
  };
}

/** The same of a list that has filters of these names. */
export type Narrowed<Names extends readonly string[]> = ReturnType<typeof filtersIn<Names[number]>>;

/** Filters and the page of a list, kept in the address so that it can be shared, and the back button works. */
export function useFilters<Name extends string>(...names: Name[]) {
  const [search, setSearch] = useSearchParams();
  const change = useCallback(
    (changes: Partial<Record<string, string | null | undefined>>, replace: boolean) =>
      setSearch(
        (before) => {
          const next = new URLSearchParams(before);
          for (const [name, value] of Object.entries(changes)) {
            if (value) next.set(name, value);
            else next.delete(name);
          }
          return next;
        },
        { replace },
      ),
    [setSearch],
  );
  return {
    ...filtersIn(search, names),
    /** Whether the list is narrowed. */
    filtered: names.some((name) => valueIn(search, name) !== undefined),
    /** Sets filters, beginning again at the first page. */
    set: (changes: Partial<Record<Name, string | null>>) => change({ ...changes, after: null }, true),
    clear: () => change(Object.fromEntries([...names, "after"].map((name) => [name, null])), false),
    setAfter: (cursor: string | undefined) => change({ after: cursor }, false),
  };
}

export type Filters = ReturnType<typeof useFilters<string>>;
