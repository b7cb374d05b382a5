import { Select, SimpleGrid, Stack, Text } from "@mantine/core";
import { leftOut, members, unnamed } from "./columns";

const labels: Record<(typeof members)[number], string> = {
  externalCode: "Code",
  customerId: "Id of the customer",
  firstname: "First name",
  lastname: "Last name",
  email: "E-mail",
  phone: "Phone",
};

interface Props {
  /** What the columns are called. */
  names: string[];
  /** What each means. */
  columns: string[];
  onChange: (at: number, column: string) => void;
}

/** What each column of a text means. */
export function Columns({ names, columns, onChange }: Props) {
  return (
    <Stack gap={6} role="group" aria-label="Columns">
      <Text size="sm" fw={500}>
        Columns
      </Text>
      <SimpleGrid cols={{ base: 1, xs: 2, sm: 3 }} spacing="sm" verticalSpacing="sm">
        {names.map((name, at) => (
          <Select
            // biome-ignore lint/suspicious/noArrayIndexKey: a column is known by its place
            key={at}
            label={name || `Column ${at + 1}`}
            labelProps={{ style: { overflowWrap: "anywhere", fontWeight: 400 } }}
            data={[
              ...(name.trim() ? [] : [{ value: unnamed, label: "Must be empty" }]),
              { value: leftOut, label: "Left out" },
              ...members.map((member) => ({ value: member, label: labels[member] })),
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

/** Keeping a column in the entry's meta, under its name. */
function metaOf(name: string, column: string) {
  const value = column.startsWith("meta.") ? column : `meta.${name.trim()}`;
  return value === "meta." ? [] : [{ value, label: `Meta: ${value.slice(5)}` }];
}
