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
type Filter<Name extends string> = Name | Choice<Name>;

/** What a filter is called in the address. */
export type NameOf<Of> = Of extends Choice<infer Name> ? Name : Extract<Of, string>;

export function choice<Name extends string>(name: Name, of: readonly string[]): Choice<Name> {
  return { name, of };
}

function nameOf<Name extends string>(filter: Filter<Name>): Name {
  return typeof filter === "string" ? filter : filter.name;
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
export function filtersIn<Name extends string>(search: URLSearchParams, filters: readonly Filter<Name>[]) {
  return {
    values: Object.fromEntries(filters.map((filter) => [nameOf(filter), valueIn(search, filter)])) as Record<
      Name,
      string | undefined
    >,
    after: search.get("after") ?? undefined,
  };
}

/** The same of a list that has these filters. */
export type Narrowed<Of extends readonly Filter<string>[]> = ReturnType<typeof filtersIn<NameOf<Of[number]>>>;

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
