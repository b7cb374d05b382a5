/** The fields of an entry that a column can hold. */
export const members = ["externalCode", "customerId", "firstname", "lastname", "email", "phone"] as const;

const labels: Record<(typeof members)[number], string> = {
  externalCode: "Code",
  customerId: "Customer ID",
  firstname: "First name",
  lastname: "Last name",
  email: "Email",
  phone: "Phone",
};

/** Returns the label of a field, or of a key of the entry's meta such as `meta.seat`. */
export function labelOf(column: string): string {
  const known = members.find((member) => member === column);
  return known ? labels[known] : column.replace(/^meta\./, "Meta: ");
}

/** The form's values for a column without a name, whose cells must be empty, and for a skipped column. */
export const unnamed = "unnamed";
export const leftOut = "";

/** Returns the form's value for a column that the API has detected. */
export function shownColumn(column: string | null | undefined): string {
  if (column == null) return leftOut;
  return column === "" ? unnamed : column;
}

/** Returns the names of the columns for the API. */
export function sentColumns(columns: string[]): (string | null)[] {
  return columns.map((column) => {
    if (column === leftOut) return null;
    return column === unnamed ? "" : column;
  });
}
