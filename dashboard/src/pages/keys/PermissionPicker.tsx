import { Checkbox, Table } from "@mantine/core";
import { useMemo, useState } from "react";
import { Picker, withSome } from "../../components/Picker";
import { actions, byResource, type ResourcePermissions } from "./keys";
import classes from "./keys.module.css";

interface Props {
  all: string[];
  value?: string[];
  onChange: (permissions: string[]) => void;
  error?: React.ReactNode;
}

/** Permissions by resource and action, with a search and presets. */
export function PermissionPicker({ all, value = [], onChange, error }: Props) {
  const [search, setSearch] = useState("");
  const rows = useMemo(() => byResource(all), [all]);
  const shown = rows.filter((row) => row.resource.toLowerCase().includes(search.trim().toLowerCase()));
  const chosen = new Set(value);
  const set = (permissions: string[], on: boolean) => onChange(withSome(all, value, permissions, on));
  return (
    <Picker
      label="Permissions"
      all={all}
      value={value}
      onChange={onChange}
      error={error}
      searchLabel="Search resources"
      search={search}
      onSearch={setSearch}
      preset={{ label: "Select read-only", values: all.filter((permission) => permission.endsWith(":list")) }}
      notFound={shown.length === 0 ? "No resources match." : undefined}
      nothing="No permissions selected. Select at least one."
      className={classes.permissions}
    >
      <Table stickyHeader verticalSpacing={6} horizontalSpacing={8}>
        <Table.Thead>
          <Table.Tr>
            <Table.Th>Resource</Table.Th>
            {actions.map((action) => (
              <Table.Th key={action} ta="center" tt="capitalize">
                {action}
              </Table.Th>
            ))}
          </Table.Tr>
        </Table.Thead>
        <Table.Tbody>
          {shown.map((row) => (
            <Resource key={row.resource} row={row} chosen={chosen} set={set} />
          ))}
        </Table.Tbody>
      </Table>
    </Picker>
  );
}

interface ResourceProps {
  row: ResourcePermissions;
  chosen: Set<string>;
  set: (permissions: string[], on: boolean) => void;
}

function Resource({ row, chosen, set }: ResourceProps) {
  const permissions = Object.values(row.actions);
  const count = permissions.filter((permission) => chosen.has(permission)).length;
  return (
    <Table.Tr>
      <Table.Td>
        <Checkbox
          size="xs"
          label={row.resource}
          checked={count === permissions.length}
          indeterminate={count > 0 && count < permissions.length}
          onChange={() => set(permissions, count < permissions.length)}
        />
      </Table.Td>
      {actions.map((action) => {
        const permission = row.actions[action];
        return (
          <Table.Td key={action}>
            {permission && (
              <Checkbox
                size="xs"
                className={classes.center}
                aria-label={permission}
                checked={chosen.has(permission)}
                onChange={(event) => set([permission], event.currentTarget.checked)}
              />
            )}
          </Table.Td>
        );
      })}
    </Table.Tr>
  );
}
