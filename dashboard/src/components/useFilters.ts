import { useCallback } from "react";
import { useSearchParams } from "react-router";
import { realDay } from "../lib/days";

/** The filters that hold a day. */
const days = ["from", "until"];

/** A filter with a few possible values. */
interface Choice<Name extends string> {
  name: Name;
  of: readonly string[];
}

/** A filter: a name that takes any value, or a name with its possible values. */
export type Filter<Name extends string> = Name | Choice<Name>;

export function choice<Name extends string>(name: Name, of: readonly string[]): Choice<Name> {
  return { name, of };
}

/** The name of the filter in the address. */
export function nameOf<Name extends string>(filter: Filter<Name>): Name {
  return typeof filter === "string" ? filter : filter.name;
}

export type Values<Name extends string> = Record<Name, string | undefined>;

export interface Narrowed<Name extends string> {
  values: Values<Name>;
  /** The cursor that precedes the page. */
  after: string | undefined;
}

function valueIn(search: URLSearchParams, filter: Filter<string>): string | undefined {
  const value = search.get(nameOf(filter)) || undefined;
  if (typeof filter === "string") return days.includes(filter) ? realDay(value) : value;
  return filter.of.find((known) => known === value);
}

/**
 * The filters and the page of a list, as an address states them. Invalid days and unknown values are ignored.
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

/** The filters and the page of a list, kept in the address so that links and the back button work. */
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
    /** Whether a filter is set. */
    filtered: narrowing.some((filter) => valueIn(search, filter) !== undefined),
    /** Sets filters and returns to the first page. */
    set: (changes: Partial<Record<Name, string | null>>) => change({ ...changes, after: null }, true),
    clear: () => change(Object.fromEntries([...narrowing.map(nameOf), "after"].map((name) => [name, null])), false),
    setAfter: (cursor: string | undefined) => change({ after: cursor }, false),
  };
}

export type Filters = ReturnType<typeof useFilters<string>>;
