import { Group, Select } from "@mantine/core";
import { DateTimePicker } from "@mantine/dates";
import "@mantine/dates/styles.css";
import dayjs from "dayjs";
import { useState } from "react";
import { shownMinute } from "../lib/days";

const presets = [
  { value: "7", label: "In 7 days" },
  { value: "30", label: "In 30 days" },
  { value: "90", label: "In 90 days" },
  { value: "365", label: "In 365 days" },
  { value: "none", label: "Never" },
  { value: "custom", label: "Custom date and time" },
];

interface Props {
  /** An ISO 8601 time, or null for never. */
  value?: string | null;
  onChange: (expiresAt: string | null) => void;
  error?: React.ReactNode;
}

/** The expiry of a key: after a number of days, at a given time, or never. */
export function ExpiryInput({ value, onChange, error }: Props) {
  const [preset, setPreset] = useState(value ? "custom" : "none");
  function choose(next: string) {
    setPreset(next);
    if (next === "none") onChange(null);
    else
      onChange(
        dayjs()
          .add(next === "custom" ? 30 : Number(next), "day")
          .subtract(1, "minute")
          .toISOString(),
      );
  }
  return (
    <Group gap="sm" align="flex-start" grow preventGrowOverflow={false}>
      <Select
        label="Expires"
        data={presets}
        value={preset}
        onChange={(next) => next && choose(next)}
        allowDeselect={false}
        error={preset === "custom" ? undefined : error}
        miw={200}
      />
      {preset === "custom" && (
        <DateTimePicker
          label="Expires at"
          value={value ? new Date(value) : null}
          onChange={(next) => next && onChange(dayjs(next).toISOString())}
          minDate={new Date()}
          maxDate={dayjs().add(1, "year").toDate()}
          valueFormat={shownMinute}
          error={error}
          miw={220}
        />
      )}
    </Group>
  );
}
