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
  /** Shown instead of the header's text, such as a box that ticks all rows. */
  head?: ReactNode;
  cell: (row: Row) => ReactNode;
  /** Left out below this width; what matters there belongs into the first column. */
  visibleFrom?: "xs" | "sm" | "md" | "lg";
  align?: "right";
  width?: number | string;
}

interface Props<Row> {
  /** What the rows are, for screen readers: "API keys". */
  label: string;
  /** The same array as long as the cells are the same. */
  columns: Column<Row>[];
  /** The rows once they have been loaded. */
  rows: Row[] | undefined;
  rowKey: (row: Row) => string;
  error?: CombinedError | undefined;
  onRetry: () => void;
  /** Whether the list is narrowed: the way out of no match, and of a refusal, is to clear the filters. */
  filtered?: boolean;
  onClearFilters?: () => void;
  /** When there is nothing at all: why, and the next step. */
  empty: { icon: LucideIcon; title: string; text: string; action?: ReactNode };
  /** Going on and back to the start; absent for lists that come whole. */
  paging?: {
    after: string | undefined;
    setAfter: (cursor: string | undefined) => void;
    next: string | null | undefined;
  };
}

/**
 * A list in its four states: loading, failed, nothing (because of filters, or at all), and rows. What there are hundreds of
 * are elements with classes: as components of the library they would take longer than everything else on the page.
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

/** The library's class that leaves a cell out where there is no room for it, and ours that aligns it. */
function classOf({ visibleFrom, align }: Pick<Column<never>, "visibleFrom" | "align">): string | undefined {
  return (
    [visibleFrom && `mantine-visible-from-${visibleFrom}`, align && classes.right].filter(Boolean).join(" ") ||
    undefined
  );
}

/** How low a row is at least, and what stands above the first one. */
const rowHeight = 40;
const above = 160;

/** As many rows as the window can show at once. */
const screenful = () => Math.max(5, Math.ceil((window.innerHeight - above) / rowHeight));

/** Of other rows than before, at first what the screen shows: the rest comes when that has been painted. */
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

/** A page renders again with every letter of a filter; the same rows in the same columns stay as they are. */
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

/** What is answered to filters that say nothing, or name what is not there. */
const mayBeOfFilters = ["INVALID_REQUEST", "VALIDATION_FAILED", "NOT_FOUND"];

/**
 * What could not be loaded. An address that names a page of the list may be of another list, or of another day, and one
 * that was typed may name filters that are refused.
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
      <EmptyState icon={SearchX} title="No match" text="Nothing fits these filters.">
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
        {!next && <Text size="sm">End of the list</Text>}
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
