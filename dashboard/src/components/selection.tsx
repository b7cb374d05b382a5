import classes from "./components.module.css";
import type { Column } from "./DataTable";

interface Selection<Row> {
  /** The rows that the page shows. */
  rows: Row[];
  keyOf: (row: Row) => string;
  /** What a row is called for screen readers. */
  nameOf: (row: Row) => string;
  selected: string[];
  select: (keys: string[]) => void;
}

/** The column of boxes that tick the rows of a page, with one above them for all. */
export function selectionColumn<Row>({ rows, keyOf, nameOf, selected, select }: Selection<Row>): Column<Row> {
  const all = rows.length > 0 && selected.length === rows.length;
  return {
    header: "Selected",
    head: (
      <input
        type="checkbox"
        className={classes.box}
        aria-label="Select all on this page"
        checked={all}
        ref={(box) => {
          if (box) box.indeterminate = selected.length > 0 && !all;
        }}
        onChange={() => select(all ? [] : rows.map(keyOf))}
      />
    ),
    cell: (row) => {
      const key = keyOf(row);
      return (
        <input
          type="checkbox"
          className={classes.box}
          aria-label={`Select ${nameOf(row)}`}
          checked={selected.includes(key)}
          onChange={(event) =>
            select(event.currentTarget.checked ? [...selected, key] : selected.filter((other) => other !== key))
          }
        />
      );
    },
    width: 44,
  };
}
