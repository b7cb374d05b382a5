import { useCallback } from "react";
import { useSearchParams } from "react-router";
import { realDay } from "../lib/days";

/** The filters that are days. */
const days = ["from", "until"];

/** A filter that is one of a few values. */
interface Choice<Name extends string> {
  name: Name;
  of: readonly string[];
}

/** A filter by its name, which may be anything, or one that may not. */
export type Filter<Name extends string> = Name | Choice<Name>;

export function choice<Name extends string>(name: Name, of: readonly string[]): Choice<Name> {
  return { name, of };
}

/** What a filter is called in the address. */
export function nameOf<Name extends string>(filter: Filter<Name>): Name {
  return typeof filter === "string" ? filter : filter.name;
}

export type Values<Name extends string> = Record<Name, string | undefined>;

export interface Narrowed<Name extends string> {
  values: Values<Name>;
  /** The cursor after which the page begins. */
  after: string | undefined;
}

function valueIn(search: URLSearchParams, filter: Filter<string>): string | undefined {
  const value = search.get(nameOf(filter)) || undefined;
  if (typeof filter === "string") return days.includes(filter) ? realDay(value) : value;
  return filter.of.find((known) => known === value);
}

/**
 * What an address says of a list: its filters, and the cursor after which the page begins. A day or a choice that there is
 * not is no filter.
 */
export function filtersIn<Name extends string>(
  search: URLSearchParams,
  filters: readonly Filter<Name>[],
): Narrowed<Name> {
  return {
    values: Object.fromEntries(filters.map((filter) => [nameOf(filter), valueIn(search, filter)])) as Values<Name>,
    after: search.get("after") ?? undefined,
  };
}

/** Filters and the page of a list, kept in the address so that it can be shared, and the back button works. */
export function useFilters<Name extends string>(...narrowing: Filter<Name>[]) {
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
    ...filtersIn(search, narrowing),
    /** Whether the list is narrowed. */
    filtered: narrowing.some((filter) => valueIn(search, filter) !== undefined),
    /** Sets filters, beginning again at the first page. */
    set: (changes: Partial<Record<Name, string | null>>) => change({ ...changes, after: null }, true),
    clear: () => change(Object.fromEntries([...narrowing.map(nameOf), "after"].map((name) => [name, null])), false),
    setAfter: (cursor: string | undefined) => change({ after: cursor }, false),
  };
}

export type Filters = ReturnType<typeof useFilters<string>>;
