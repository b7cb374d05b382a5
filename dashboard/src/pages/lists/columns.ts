/** The fields of an entry that a column can hold. */
export const members = ["externalCode", "customerId", "firstname", "lastname", "email", "phone"] as const;

/** A column without a name, whose cells must be empty, and one that is left out: as the form has them. */
export const unnamed = "unnamed";
export const leftOut = "";

/** A column as the form has it, from what the API says of it. */
export function shownColumn(column: string | null | undefined): string {
  if (column == null) return leftOut;
  return column === "" ? unnamed : column;
}

/** The names of the columns as the API takes them. */
export function sentColumns(columns: string[]): (string | null)[] {
  return columns.map((column) => {
    if (column === leftOut) return null;
    return column === unnamed ? "" : column;
  });
}
