import { DatePickerInput } from "@mantine/dates";
import "@mantine/dates/styles.css";
import { CalendarDays } from "lucide-react";
import { useState } from "react";
import { shownDay } from "../lib/days";
import type { Field } from "./fields";
import classes from "./filters.module.css";

type Range = [string | null, string | null];

interface Props {
  label: string;
  from: string | undefined;
  until: string | undefined;
  onChange: (from: string | null, until: string | null) => void;
}

/** An address may name only one of the two days. */
function spanWords([first, last]: Range): string {
  const words = (day: string | null) => (day ? shownDay(day) : "");
  return first || last ? `${words(first)} – ${words(last)}`.trim() : "";
}

/** A filter by a range of days, both inclusive. */
export function DayFilter({ label, from, until, onChange }: Props) {
  // Wait for the second day before filtering.
  const [half, setHalf] = useState<string | null>(null);
  function change([first, last]: Range) {
    setHalf(first && !last ? first : null);
    if (!first === !last) onChange(first, last);
  }
  return (
    <DatePickerInput
      type="range"
      aria-label={label}
      placeholder={label}
      value={half ? [half, null] : [from ?? null, until ?? null]}
      onChange={change}
      allowSingleDateInRange
      clearable
      clearButtonProps={{ "aria-label": `Clear ${label.toLowerCase()}` }}
      valueFormatter={({ date }) => spanWords(date as Range)}
      leftSection={<CalendarDays size={16} aria-hidden />}
      className={classes.days}
    />
  );
}

/** A field that filters a list by days. */
export function days(label: string): Field<"from" | "until"> {
  return {
    filters: ["from", "until"],
    show: ({ values, set }) => (
      <DayFilter
        key="days"
        label={label}
        from={values.from}
        until={values.until}
        onChange={(from, until) => set({ from, until })}
      />
    ),
  };
}
