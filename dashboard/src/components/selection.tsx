import classes from "./components.module.css";
import type { Column } from "./DataTable";

interface Selection<Row> {
  /** The rows on the page. */
  rows: Row[];
  keyOf: (row: Row) => string;
  /** Returns the accessible name of a row. */
  nameOf: (row: Row) => string;
  selected: string[];
  select: (keys: string[]) => void;
}

/** The column of checkboxes, with one in the header for all rows of the page. */
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
