import { Button, Drawer } from "@mantine/core";
import { type LucideIcon, Plus } from "lucide-react";
import { type ReactNode, useMemo, useState } from "react";
import { Link, useSearchParams } from "react-router";
import { type Role, useMay } from "../session/session";
import { type Column, DataTable } from "./DataTable";
import { FilterBar, LiveSwitch } from "./Filters";
import type { ListOf } from "./list";
import { MoreFilters } from "./MoreFilters";
import { Page } from "./Page";
import { selectionColumn } from "./selection";
import { type Filters, nameOf, useFilters } from "./useFilters";
import type { Changes } from "./useLive";

/** The state of a list, for the parts around its table. */
export interface Shown<Row> {
  /** The rows of the page; undefined while loading. */
  rows: Row[] | undefined;
  /** All loaded rows, including rows that the filters exclude. */
  loaded: Row[] | undefined;
  filters: Filters;
  /** The keys of the selected rows. */
  selected: string[];
  refresh: () => void;
  /** Clears the selection and refreshes the list, after an action on the selected rows. */
  done: () => void;
}

interface Details<Row> {
  title: (row: Row) => string;
  content: (row: Row, list: { filters: Filters; close: () => void }) => ReactNode;
}

interface Props<Row> {
  list: ListOf<Row>;
  /** The accessible name of the table, such as "API keys". */
  label: string;
  /** The columns, or a function that returns them; `open` shows the details of a row. Pass the same value at each render. */
  columns: Column<Row>[] | ((open: (row: Row) => void) => Column<Row>[]);
  /** Shown if the list is empty: the reason and the next step. */
  empty: { icon: LucideIcon; title: string; text: string; action?: (shown: Shown<Row>) => ReactNode };
  /** Adds a switch that refreshes the list after each change reported by a subscription, or every three seconds. */
  live?: true | ((values: Filters["values"]) => Changes);
  /** Filters without a field. */
  without?: string[];
  /** Shown at the end of the filter row. */
  bar?: (shown: Shown<Row>) => ReactNode;
  /** Makes rows selectable. Returns the accessible name of a row. */
  selectable?: (row: Row) => string;
  /** Shown between the filters and the table, such as an action on the selected rows. */
  above?: (shown: Shown<Row>) => ReactNode;
  /** Shown in a drawer when a row is opened. */
  details?: Details<Row>;
  /** Shown below the table. */
  children?: (shown: Shown<Row>) => ReactNode;
}

/** A list with its filters, for a page or part of one. */
export function List<Row>(props: Props<Row>) {
  const { list, columns, selectable, details } = props;
  const { keyOf } = list;
  const filters = useFilters(...list.filters);
  const [search] = useSearchParams();
  const { rows, loaded, next, error, again } = list.useRows(search);
  const [ticked, setTicked] = useState<string[]>([]);
  const [opened, setOpened] = useState<Row>();
  // A row that is no longer on the page is deselected, because the user can't see it.
  const selected = useMemo(
    () => ticked.filter((key) => rows?.some((row) => keyOf(row) === key)),
    [ticked, rows, keyOf],
  );
  const shownColumns = useMemo(() => {
    const own = typeof columns === "function" ? columns((row) => setOpened(() => row)) : columns;
    if (!selectable) return own;
    const boxes = { rows: rows ?? [], keyOf, nameOf: selectable, selected, select: setTicked };
    return [selectionColumn(boxes), ...own];
  }, [columns, selectable, keyOf, rows, selected]);
  const refresh = () => again({ requestPolicy: "network-only" });
  function done() {
    setTicked([]);
    refresh();
  }
  const shown = { rows, loaded, filters, selected, refresh, done };
  return (
    <>
      <Fields {...props} shown={shown} />
      {props.above?.(shown)}
      <DataTable
        label={props.label}
        columns={shownColumns}
        rows={rows}
        rowKey={keyOf}
        error={error}
        onRetry={again}
        filtered={filters.filtered}
        onClearFilters={filters.clear}
        paging={list.paged ? { ...filters, next } : undefined}
        empty={{ ...props.empty, action: props.empty.action?.(shown) }}
      />
      {details && (
        <DetailsDrawer
          {...details}
          row={opened && (rows?.find((row) => keyOf(row) === keyOf(opened)) ?? opened)}
          filters={filters}
          close={() => setOpened(undefined)}
        />
      )}
      {props.children?.(shown)}
    </>
  );
}

function Fields<Row>({ list, live, without = [], bar, shown }: Props<Row> & { shown: Shown<Row> }) {
  const { filters, refresh } = shown;
  const fields = list.fields.filter((field) => !field.filters.some((filter) => without.includes(nameOf(filter))));
  const more = list.more.flatMap((field) => field.filters.map((filter) => filters.values[nameOf(filter)]));
  if (fields.length === 0 && !live && !bar) return null;
  return (
    <FilterBar>
      {fields.map((field, at) => field.show(filters, at === 0))}
      {list.more.length > 0 && (
        <MoreFilters values={more}>{list.more.map((field) => field.show(filters, false))}</MoreFilters>
      )}
      {live && <LiveSwitch refresh={refresh} changes={live === true ? undefined : live(filters.values)} />}
      {bar?.(shown)}
    </FilterBar>
  );
}

interface DrawerProps<Row> extends Details<Row> {
  row: Row | undefined;
  filters: Filters;
  close: () => void;
}

function DetailsDrawer<Row>({ row, title, content, filters, close }: DrawerProps<Row>) {
  return (
    <Drawer
      opened={row !== undefined}
      onClose={close}
      title={row && title(row)}
      position="right"
      size="lg"
      closeButtonProps={{ "aria-label": "Close" }}
    >
      {row && content(row, { filters, close })}
    </Drawer>
  );
}

interface PageProps<Row> extends Omit<Props<Row>, "label"> {
  title: string;
  /** The accessible name of the table; the title if omitted. */
  label?: string;
  /** One sentence about the list. */
  text: string;
  parents?: { to: string; label: string }[];
  /** The page that creates a record, for users with the role. */
  create?: { to: string; label: string; role: Role };
  /** Other buttons in the page header. */
  actions?: ReactNode;
}

/** A page that consists of a list. */
export function ListPage<Row>({ title, label = title, text, parents, create, actions, ...list }: PageProps<Row>) {
  const mayCreate = useMay(create?.role);
  const button = create && mayCreate && (
    <Button component={Link} to={create.to} leftSection={<Plus size={16} aria-hidden />}>
      {create.label}
    </Button>
  );
  const buttons = (actions || button) && (
    <>
      {actions}
      {button}
    </>
  );
  return (
    <Page title={title} text={text} parents={parents} actions={buttons}>
      <List {...list} label={label} empty={{ action: () => button, ...list.empty }} />
    </Page>
  );
}
