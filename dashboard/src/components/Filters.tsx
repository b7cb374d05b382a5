import { CloseButton, Group, Select, Switch, TextInput } from "@mantine/core";
import { useDebouncedCallback, useHotkeys } from "@mantine/hooks";
import { Search } from "lucide-react";
import { type ReactNode, useEffect, useRef, useState } from "react";
import { useSearchParams } from "react-router";
import classes from "./filters.module.css";
import { type Changes, useLive } from "./useLive";

/** The filter row above a list. */
export function FilterBar({ children }: { children: ReactNode }) {
  return (
    <Group gap="sm" align="flex-end" role="search" aria-label="Filters">
      {children}
    </Group>
  );
}

interface SearchProps {
  label: string;
  placeholder?: string;
  value: string | undefined;
  onChange: (value: string) => void;
  /** Whether `/` focuses this field: only the first search field of a page. */
  slash?: boolean;
}

/** A text filter. `/` focuses it, Esc clears it. */
export function SearchFilter({ label, placeholder, value, onChange, slash = true }: SearchProps) {
  const input = useRef<HTMLInputElement>(null);
  const [text, setText] = useState(value ?? "");
  const tell = useDebouncedCallback(onChange, 250);
  useHotkeys(slash ? [["/", () => input.current?.focus()]] : []);
  useEffect(() => setText(value ?? ""), [value]);
  function change(next: string) {
    setText(next);
    tell(next.trim());
  }
  return (
    <TextInput
      ref={input}
      aria-label={label}
      data-slash={slash || undefined}
      placeholder={placeholder ?? label}
      value={text}
      onChange={(event) => change(event.currentTarget.value)}
      onKeyDown={(event) => event.key === "Escape" && change("")}
      leftSection={<Search size={16} aria-hidden />}
      rightSection={
        text ? <CloseButton size="sm" aria-label="Clear search" onClick={() => change("")} /> : slash && <kbd>/</kbd>
      }
      className={classes.search}
    />
  );
}

interface SelectProps {
  label: string;
  /** The label for no value, such as "Any status". */
  any: string;
  options: { value: string; label: string }[] | string[];
  value: string | undefined;
  onChange: (value: string | null) => void;
  searchable?: boolean;
}

/** A filter by one value. */
export function SelectFilter({ label, any, options, value, onChange, searchable }: SelectProps) {
  return (
    <Select
      aria-label={label}
      placeholder={any}
      data={options}
      value={value ?? null}
      onChange={onChange}
      searchable={searchable}
      clearable
      clearButtonProps={{ "aria-label": `Clear ${label.toLowerCase()}` }}
      className={classes.choice}
      comboboxProps={{ width: "max-content", position: "bottom-start" }}
    />
  );
}

interface LiveProps {
  refresh: () => void;
  /** Reports changes; if omitted, the list is refreshed every three seconds. */
  changes?: Changes;
}

/** The live switch: while it is on, the list is refreshed after each change. */
export function LiveSwitch({ refresh, changes }: LiveProps) {
  const [search, setSearch] = useSearchParams();
  const on = search.get("live") === "1";
  useLive(changes, refresh, on && changes !== undefined);
  const latest = useRef(refresh);
  latest.current = refresh;
  const polls = on && !changes;
  useEffect(() => {
    if (!polls) return;
    const timer = setInterval(() => latest.current(), 3000);
    return () => clearInterval(timer);
  }, [polls]);
  function toggle(next: boolean) {
    setSearch(
      (before) => {
        const after = new URLSearchParams(before);
        if (next) after.set("live", "1");
        else after.delete("live");
        return after;
      },
      { replace: true },
    );
  }
  return <Switch label="Live" checked={on} onChange={(event) => toggle(event.currentTarget.checked)} mb={8} />;
}
