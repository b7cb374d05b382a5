import { Button, Group, Input, Paper, Stack, Text, TextInput } from "@mantine/core";
import { Search } from "lucide-react";
import type { ReactNode } from "react";
import classes from "./picker.module.css";

interface Props {
  label: string;
  /** All values to choose from. */
  all: string[];
  value: string[];
  onChange: (values: string[]) => void;
  error?: ReactNode;
  /** The label of the search. */
  searchLabel: string;
  search: string;
  onSearch: (text: string) => void;
  /** A button that selects several values. */
  preset: { label: string; values: string[] };
  /** Shown if the search has no results; undefined otherwise. */
  notFound: string | undefined;
  /** Shown if no value is selected. */
  nothing: string;
  className?: string;
  /** The checkboxes. */
  children: ReactNode;
}

/** A multiple choice with a search, a preset and checkboxes. */
export function Picker(props: Props) {
  const { all, value, onChange, searchLabel, search, onSearch, preset } = props;
  return (
    <Input.Wrapper
      label={props.label}
      description={`${value.length} of ${all.length} selected`}
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
            Clear
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

/** Returns the values after adding or removing some, in the order of all values. */
export function withSome(all: string[], value: string[], some: string[], on: boolean): string[] {
  return all.filter((one) => (some.includes(one) ? on : value.includes(one)));
}
