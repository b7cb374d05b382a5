import { Select, SimpleGrid, Stack, Text } from "@mantine/core";
import { labelOf, leftOut, members, unnamed } from "./columns";

interface Props {
  /** The names of the columns. */
  names: string[];
  /** The field that each column holds. */
  columns: string[];
  onChange: (at: number, column: string) => void;
}

/** Maps the columns of the text to fields. */
export function Columns({ names, columns, onChange }: Props) {
  return (
    <Stack gap={6} role="group" aria-label="Columns">
      <Text size="sm" fw={500}>
        Columns
      </Text>
      <SimpleGrid cols={{ base: 1, xs: 2, sm: 3 }} spacing="sm" verticalSpacing="sm">
        {names.map((name, at) => (
          <Select
            // biome-ignore lint/suspicious/noArrayIndexKey: columns have no other key
            key={at}
            label={name || `Column ${at + 1}`}
            labelProps={{ style: { overflowWrap: "anywhere", fontWeight: 400 } }}
            data={[
              ...(name.trim() ? [] : [{ value: unnamed, label: "Must be empty" }]),
              { value: leftOut, label: "Skip column" },
              ...members.map((member) => ({ value: member, label: labelOf(member) })),
              ...metaOf(name, columns[at] ?? ""),
            ]}
            value={columns[at] ?? ""}
            onChange={(next) => onChange(at, next ?? "")}
            allowDeselect={false}
          />
        ))}
      </SimpleGrid>
    </Stack>
  );
}

/** Returns the option that keeps a column in the entry's meta under the column's name. */
function metaOf(name: string, column: string) {
  const value = column.startsWith("meta.") ? column : `meta.${name.trim()}`;
  return value === "meta." ? [] : [{ value, label: labelOf(value) }];
}
