import { type AnyVariables, type CombinedError, type TypedDocumentNode, useQuery } from "urql";
import type { Asks, Question } from "../session/early";
import { nextPage, type PageInfo } from "./DataTable";
import type { Field } from "./fields";
import { type Filter, filtersIn, type Narrowed, type Values } from "./useFilters";

interface Definition<Data, Variables extends AnyVariables, Row, Name extends string> {
  document: TypedDocumentNode<Data, Variables>;
  /** Returns the variables for a page of the list with the given filter values. */
  variables: (page: { first: number; after: string | undefined }, values: Values<Name>) => Variables;
  rows: (data: Data) => { nodes: Row[]; pageInfo?: PageInfo };
  /** Returns the key of a row; `_id` if omitted. */
  keyOf?: (row: Row) => string;
  /** The types whose mutations refresh the list, because an empty response names none. */
  types: string[];
  /** The fields above the list. */
  fields?: Field<Name>[];
  /** The fields that small screens show on demand. */
  more?: Field<Name>[];
  /** The filters that only links set. */
  linked?: Name[];
  /** The page size. */
  size?: number;
  /** Reports whether a row matches. For lists without pages, which are filtered in the browser. */
  matches?: (row: Row, values: Values<Name>) => boolean;
}

/** The rows of a list. */
interface Rows<Row> {
  rows: Row[] | undefined;
  /** All loaded rows, including rows that the filters exclude. */
  loaded: Row[] | undefined;
  /** The cursor of the next page; undefined on the last page. */
  next: string | undefined;
  error: CombinedError | undefined;
  again: (options?: { requestPolicy: "network-only" }) => void;
}

/** A list of rows. The address holds its filters and page. */
export interface ListOf<Row> {
  keyOf: (row: Row) => string;
  fields: Field<string>[];
  more: Field<string>[];
  filters: Filter<string>[];
  paged: boolean;
  /** Returns the query for an address. */
  ask: (search: URLSearchParams) => Question;
  /** The queries of a page that shows only the list. */
  asks: Asks;
  useRows: (search: URLSearchParams) => Rows<Row>;
}

const idOf = (row: unknown) => (row as { _id: string })._id;

/** Defines a list: its query, and the filters shown above it and kept in the address. */
export function defineList<Data, Variables extends AnyVariables, Row, Name extends string>(
  definition: Definition<Data, Variables, Row, Name> & { keyOf: (row: Row) => string },
): ListOf<Row>;
export function defineList<Data, Variables extends AnyVariables, Row extends { _id: string }, Name extends string>(
  definition: Definition<Data, Variables, Row, Name>,
): ListOf<Row>;
export function defineList<Data, Variables extends AnyVariables, Row, Name extends string>({
  document,
  variables,
  rows,
  keyOf = idOf,
  types,
  fields = [],
  more = [],
  linked = [],
  size = 50,
  matches,
}: Definition<Data, Variables, Row, Name>): ListOf<Row> {
  const context = { additionalTypenames: types };
  const filters = [...[...fields, ...more].flatMap((field) => field.filters), ...linked];
  const question = ({ values, after }: Narrowed<Name>) => ({
    query: document,
    variables: variables({ first: size, after }, values),
    context,
  });
  const ask = (search: URLSearchParams) => question(filtersIn(search, filters));
  return {
    keyOf,
    fields,
    more,
    filters,
    paged: !matches,
    ask,
    asks: ({ search }) => [ask(search)],
    useRows(search) {
      const narrowed = filtersIn(search, filters);
      const [{ data, error }, again] = useQuery(question(narrowed));
      const page = data && rows(data);
      return {
        rows: matches ? page?.nodes.filter((row) => matches(row, narrowed.values)) : page?.nodes,
        loaded: page?.nodes,
        next: nextPage(page?.pageInfo),
        error,
        again,
      };
    },
  };
}
