import { Button, Group, Input, Paper, Stack, Text, TextInput } from "@mantine/core";
import { Search } from "lucide-react";
import type { ReactNode } from "react";
import classes from "./picker.module.css";

interface Props {
  label: string;
  /** All values that there are to choose from. */
  all: string[];
  value: string[];
  onChange: (values: string[]) => void;
  error?: ReactNode;
  /** What the search is called. */
  searchLabel: string;
  search: string;
  onSearch: (text: string) => void;
  /** A button that chooses several at once. */
  preset: { label: string; values: string[] };
  /** What is said where the search finds nothing; undefined if it finds something. */
  notFound: string | undefined;
  /** What is said while nothing is chosen. */
  nothing: string;
  className?: string;
  /** The boxes. */
  children: ReactNode;
}

/** A choice of many values: a search, a preset, and boxes to tick. */
export function Picker(props: Props) {
  const { all, value, onChange, searchLabel, search, onSearch, preset } = props;
  return (
    <Input.Wrapper
      label={props.label}
      description={`${value.length} of ${all.length} chosen`}
      error={props.error}
      component="fieldset"
      className={classes.fieldset}
    >
      <Stack gap="xs" mt={6} className={props.className}>
        <Group gap="xs">
          <TextInput
            aria-label={searchLabel}
            placeholder={searchLabel}
            leftSection={<Search size={16} aria-hidden />}
            value={search}
            onChange={(event) => onSearch(event.currentTarget.value)}
            className={classes.search}
          />
          <Button variant="default" onClick={() => onChange(preset.values)}>
            {preset.label}
          </Button>
          <Button variant="default" disabled={value.length === 0} onClick={() => onChange([])}>
            None
          </Button>
        </Group>
        <Paper withBorder className={classes.picker}>
          {props.children}
          {props.notFound && (
            <Text p="md" size="sm" c="dimmed">
              {props.notFound}
            </Text>
          )}
        </Paper>
        {value.length === 0 && <Text size="sm">{props.nothing}</Text>}
      </Stack>
    </Input.Wrapper>
  );
}

/** Returns the values with some of them added or taken away, in the order of all. */
export function withSome(all: string[], value: string[], some: string[], on: boolean): string[] {
  return all.filter((one) => (some.includes(one) ? on : value.includes(one)));
}
