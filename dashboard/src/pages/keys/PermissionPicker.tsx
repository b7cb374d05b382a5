import { Button, Checkbox, Group, Input, Paper, Stack, Table, Text, TextInput } from "@mantine/core";
import { Search } from "lucide-react";
import { useMemo, useState } from "react";
import { actions, byResource, type ResourcePermissions } from "./keys";
import classes from "./keys.module.css";

interface Props {
  all: string[];
  value?: string[];
  onChange: (permissions: string[]) => void;
  error?: React.ReactNode;
}

/** Permissions by resource: a row for each, a column for each action, a search, and presets. */
export function PermissionPicker({ all, value = [], onChange, error }: Props) {
  const [search, setSearch] = useState("");
  const rows = useMemo(() => byResource(all), [all]);
  const shown = rows.filter((row) => row.resource.toLowerCase().includes(search.trim().toLowerCase()));
  const chosen = new Set(value);
  function set(permissions: string[], on: boolean) {
    const next = new Set(value);
    for (const permission of permissions) {
      if (on) next.add(permission);
      else next.delete(permission);
    }
    onChange(all.filter((permission) => next.has(permission)));
  }
  return (
    <Input.Wrapper
      label="Permissions"
      description={`${value.length} of ${all.length} chosen`}
      error={error}
      component="fieldset"
      className={classes.fieldset}
    >
      <Stack gap="xs" mt={6}>
        <Group gap="xs">
          <TextInput
            aria-label="Search resources"
            placeholder="Search resources"
            leftSection={<Search size={16} aria-hidden />}
            value={search}
            onChange={(event) => setSearch(event.currentTarget.value)}
            className={classes.search}
          />
          <Button
            variant="default"
            size="sm"
            onClick={() => onChange(all.filter((permission) => permission.endsWith(":list")))}
          >
            Read all
          </Button>
          <Button variant="default" size="sm" onClick={() => onChange([])} disabled={value.length === 0}>
            None
          </Button>
        </Group>
        <Paper withBorder className={classes.picker}>
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
          {shown.length === 0 && (
            <Text p="md" size="sm" c="dimmed">
              No resource has this in its name.
            </Text>
          )}
        </Paper>
        {value.length === 0 && <Text size="sm">It may do nothing yet: choose what it may.</Text>}
      </Stack>
    </Input.Wrapper>
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
