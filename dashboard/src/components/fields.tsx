import type { ComponentType, ReactNode } from "react";
import { optionsOf } from "../lib/states";
import { type Choice, withChosen } from "./choices";
import { SearchFilter, SelectFilter } from "./Filters";
import { choice, type Filter, type Filters } from "./useFilters";

/** A field above a list. It sets one or more of the list's filters. */
export interface Field<Name extends string> {
  filters: readonly Filter<Name>[];
  /** Renders the field; `slash` is whether the key `/` focuses it. */
  show: (filters: Filters, slash: boolean) => ReactNode;
}

/** A text field. */
export function search<Name extends string>(name: Name, label: string): Field<Name> {
  return {
    filters: [name],
    show: ({ values, set }, slash) => (
      <SearchFilter
        key={name}
        slash={slash}
        label={label}
        value={values[name]}
        onChange={(value) => set({ [name]: value })}
      />
    ),
  };
}

interface SelectProps<Name extends string> {
  name: Name;
  label: string;
  /** The label for no value; "Any" plus the field's label if omitted. */
  any?: string;
  /** The values with their labels. Other values in the address are ignored. */
  of: Record<string, string | { label: string }>;
  searchable?: boolean;
}

/** A field with a few values. */
export function select<Name extends string>({ name, label, any, of, searchable }: SelectProps<Name>): Field<Name> {
  const options = optionsOf(of);
  return {
    filters: [choice(name, Object.keys(of))],
    show: ({ values, set }) => (
      <SelectFilter
        key={name}
        label={label}
        any={any ?? `Any ${label.toLowerCase()}`}
        options={options}
        searchable={searchable}
        value={values[name]}
        onChange={(value) => set({ [name]: value })}
      />
    ),
  };
}

interface InputProps {
  value: string | undefined;
  onChange: (value: string | null) => void;
}

/** A field with its own input, for example with options that are loaded. */
export function field<Name extends string>(name: Name, Input: ComponentType<InputProps>): Field<Name> {
  return {
    filters: [name],
    show: ({ values, set }) => <Input key={name} value={values[name]} onChange={(value) => set({ [name]: value })} />,
  };
}

interface ChoicesProps<Name extends string> {
  name: Name;
  label: string;
  any?: string;
  /** Returns the options; undefined while loading. An unknown value is shown as is. */
  useOptions: () => Choice[];
}

/** A searchable field with many values. */
export function choices<Name extends string>({ name, label, any, useOptions }: ChoicesProps<Name>): Field<Name> {
  return field(name, ({ value, onChange }) => (
    <SelectFilter
      label={label}
      any={any ?? `Any ${label.toLowerCase()}`}
      searchable
      options={withChosen(useOptions(), [value])}
      value={value}
      onChange={onChange}
    />
  ));
}
