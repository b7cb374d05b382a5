import { Box, Button, Group, Paper, Skeleton, Text } from "@mantine/core";
import { ChevronRight, ChevronsLeft, type LucideIcon, SearchX } from "lucide-react";
import { memo, type ReactNode, startTransition, useEffect, useState } from "react";
import type { CombinedError } from "urql";
import { failureOf } from "../lib/failure";
import classes from "./components.module.css";
import { EmptyState } from "./EmptyState";
import { ErrorState } from "./ErrorState";

export interface Column<Row> {
  header: string;
  /** Replaces the text of the header, for example with a checkbox for all rows. */
  head?: ReactNode;
  cell: (row: Row) => ReactNode;
  /** Hidden below this width. Important values also belong in the first column. */
  visibleFrom?: "xs" | "sm" | "md" | "lg";
  align?: "right";
  width?: number | string;
}

interface Props<Row> {
  /** The accessible name of the table, such as "API keys". */
  label: string;
  /** Keep the array identical as long as the cells are. */
  columns: Column<Row>[];
  /** The rows; undefined while loading. */
  rows: Row[] | undefined;
  rowKey: (row: Row) => string;
  error?: CombinedError | undefined;
  onRetry: () => void;
  /** Whether the list is filtered. If so, "no match" and errors offer to clear the filters. */
  filtered?: boolean;
  onClearFilters?: () => void;
  /** Shown if the list is empty: the reason and the next step. */
  empty: { icon: LucideIcon; title: string; text: string; action?: ReactNode };
  /** Paging; omitted for lists without pages. */
  paging?: {
    after: string | undefined;
    setAfter: (cursor: string | undefined) => void;
    next: string | null | undefined;
  };
}

/**
 * A list in one of four states: loading, failed, empty (with or without filters), or with rows. Cells are plain elements with
 * classes, because hundreds of library components would dominate the rendering time of a page.
 */
export function DataTable<Row>(props: Props<Row>) {
  const { rows, error } = props;
  if (error && !rows) return <Refused {...props} error={error} />;
  if (rows?.length === 0) return <NoRows {...props} />;
  return (
    <Paper withBorder className={classes.tablePaper}>
      <div className={classes.tableScroll}>
        <table className={classes.table} aria-label={props.label} aria-busy={!rows}>
          <thead>
            <tr>
              {props.columns.map((column) => (
                <th key={column.header} scope="col" className={classOf(column)} style={{ width: column.width }}>
                  {column.head ?? column.header}
                </th>
              ))}
            </tr>
          </thead>
          <tbody>{rows ? <Rows {...props} rows={rows} /> : <LoadingRows columns={props.columns} />}</tbody>
        </table>
      </div>
      {rows && props.paging && <Paging {...props.paging} />}
    </Paper>
  );
}

/** Mantine's class that hides a cell below a width, and our class for alignment. */
function classOf({ visibleFrom, align }: Pick<Column<never>, "visibleFrom" | "align">): string | undefined {
  return (
    [visibleFrom && `mantine-visible-from-${visibleFrom}`, align && classes.right].filter(Boolean).join(" ") ||
    undefined
  );
}

/** The minimum height of a row, and the height above the first row. */
const rowHeight = 40;
const above = 160;

/** The number of rows that fit into the window. */
const screenful = () => Math.max(5, Math.ceil((window.innerHeight - above) / rowHeight));

/** Renders new rows in two steps: first what fits on the screen, then, after painting, the rest. */
function useScreenfulFirst<Row>(rows: Row[], rowKey: (row: Row) => string): Row[] {
  const [drawn, setDrawn] = useState<Row[]>([]);
  useEffect(() => {
    let painted: ReturnType<typeof setTimeout> | undefined;
    const frame = requestAnimationFrame(() => {
      painted = setTimeout(() => startTransition(() => setDrawn(rows)));
    });
    return () => {
      cancelAnimationFrame(frame);
      clearTimeout(painted);
    };
  }, [rows]);
  if (drawn === rows) return rows;
  const known = new Set(drawn.map(rowKey));
  return rows.some((row) => known.has(rowKey(row))) ? rows : rows.slice(0, screenful());
}

interface RowsProps<Row> {
  rows: Row[];
  columns: Column<Row>[];
  rowKey: (row: Row) => string;
}

function TableRows<Row>({ rows, columns, rowKey }: RowsProps<Row>): ReactNode {
  return useScreenfulFirst(rows, rowKey).map((row) => (
    <tr key={rowKey(row)}>
      {columns.map((column) => (
        <td key={column.header} className={classOf(column)}>
          {column.cell(row)}
        </td>
      ))}
    </tr>
  ));
}

/** Memoized, because a page renders again with each letter of a filter, and unchanged rows need not. */
const Rows = memo(TableRows, (a, b) => a.rows === b.rows && a.columns === b.columns) as typeof TableRows;

function LoadingRows<Row>({ columns }: { columns: Column<Row>[] }) {
  return [1, 2, 3, 4].map((row) => (
    <tr key={row}>
      {columns.map((column) => (
        <td key={column.header} className={classOf(column)}>
          <Skeleton height={14} my={4} width={`${50 + ((row * 17) % 40)}%`} />
        </td>
      ))}
    </tr>
  ));
}

/** The error codes for filters that are empty or refer to missing records. */
const mayBeOfFilters = ["INVALID_REQUEST", "VALIDATION_FAILED", "NOT_FOUND"];

/**
 * An error while loading. A cursor in the address may belong to another list or be out of date, and filters typed into the
 * address may be invalid. Both get a way out.
 */
function Refused<Row>({ error, onRetry, filtered, onClearFilters, paging }: Props<Row> & { error: CombinedError }) {
  return (
    <ErrorState error={error} onRetry={onRetry}>
      {filtered && mayBeOfFilters.includes(failureOf(error).code) && (
        <Button size="xs" variant="default" onClick={onClearFilters}>
          Clear filters
        </Button>
      )}
      {paging?.after && (
        <Button size="xs" variant="default" onClick={() => paging.setAfter(undefined)}>
          First page
        </Button>
      )}
    </ErrorState>
  );
}

function NoRows<Row>({ filtered, onClearFilters, empty, paging }: Props<Row>) {
  if (filtered) {
    return (
      <EmptyState icon={SearchX} title="No results" text="No records match these filters.">
        <Button variant="default" onClick={onClearFilters}>
          Clear filters
        </Button>
      </EmptyState>
    );
  }
  if (paging?.after) {
    return (
      <EmptyState icon={SearchX} title="No more rows" text="The list ends before this page.">
        <Button variant="default" onClick={() => paging.setAfter(undefined)}>
          First page
        </Button>
      </EmptyState>
    );
  }
  return (
    <EmptyState icon={empty.icon} title={empty.title} text={empty.text}>
      {empty.action}
    </EmptyState>
  );
}

function Paging({ after, setAfter, next }: NonNullable<Props<unknown>["paging"]>) {
  if (!after && !next) return null;
  return (
    <Box component="nav" aria-label="Pages" className={classes.paging}>
      <Group justify="space-between">
        <Button
          variant="subtle"
          size="compact-sm"
          leftSection={<ChevronsLeft size={16} aria-hidden />}
          disabled={!after}
          onClick={() => setAfter(undefined)}
        >
          First page
        </Button>
        {!next && <Text size="sm">End of list</Text>}
        <Button
          variant="subtle"
          size="compact-sm"
          rightSection={<ChevronRight size={16} aria-hidden />}
          disabled={!next}
          onClick={() => setAfter(next ?? undefined)}
        >
          Next page
        </Button>
      </Group>
    </Box>
  );
}

export interface PageInfo {
  hasNextPage: boolean;
  endCursor?: string | null;
}

/** The cursor of a connection's next page, if there is one. */
export function nextPage(info: PageInfo | undefined): string | undefined {
  return info?.hasNextPage ? (info.endCursor ?? undefined) : undefined;
}
