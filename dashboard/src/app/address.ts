/** The address of a record's page. Ids of records that other services made may hold any character. */
export const address = (list: string, id: string) => `${list}/${encodeURIComponent(id)}`;

/** The address of a list that is narrowed to what belongs to a record. */
export const narrowed = (list: string, by: string, id: string) => `${list}?${new URLSearchParams({ [by]: id })}`;
