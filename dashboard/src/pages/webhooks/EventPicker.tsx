import { Checkbox, Stack } from "@mantine/core";
import { useState } from "react";
import { Picker, withSome } from "../../components/Picker";
import { byTopic } from "./webhooks";
import type { EventTypesQuery } from "./webhooks.generated";
import classes from "./webhooks.module.css";

type Kind = EventTypesQuery["eventTypes"][number];

interface Props {
  kinds: Kind[];
  /** The selected types. */
  value?: string[];
  onChange: (types: string[]) => void;
  error?: React.ReactNode;
}

/** Event types grouped by resource, with a search. */
export function EventPicker({ kinds, value = [], onChange, error }: Props) {
  const [search, setSearch] = useState("");
  const words = search.trim().toLowerCase();
  const shown = kinds.filter((kind) => `${kind.type} ${kind.trigger}`.toLowerCase().includes(words));
  const all = kinds.map((kind) => kind.type);
  const set = (types: string[], on: boolean) => onChange(withSome(all, value, types, on));
  const shownTypes = shown.map((kind) => kind.type);
  return (
    <Picker
      label="Events"
      all={all}
      value={value}
      onChange={onChange}
      error={error}
      searchLabel="Search events"
      search={search}
      onSearch={setSearch}
      preset={{ label: "Select all", values: withSome(all, value, shownTypes, true) }}
      notFound={shown.length === 0 ? "No events match." : undefined}
      nothing="No events selected. Select at least one."
    >
      {byTopic(shown).map(([topic, ofTopic]) => (
        <Topic key={topic} topic={topic} kinds={ofTopic} chosen={value} set={set} />
      ))}
    </Picker>
  );
}

interface TopicProps {
  topic: string;
  kinds: Kind[];
  chosen: string[];
  set: (types: string[], on: boolean) => void;
}

function Topic({ topic, kinds, chosen, set }: TopicProps) {
  const types = kinds.map((kind) => kind.type);
  const count = types.filter((type) => chosen.includes(type)).length;
  return (
    <div className={classes.topic}>
      <Checkbox
        label={topic}
        fw={550}
        checked={count === types.length}
        indeterminate={count > 0 && count < types.length}
        onChange={() => set(types, count < types.length)}
      />
      <Stack gap={8} mt={8} pl={30}>
        {kinds.map(({ type, trigger }) => (
          <Checkbox
            key={type}
            size="xs"
            label={type}
            description={trigger}
            checked={chosen.includes(type)}
            onChange={(event) => set([type], event.currentTarget.checked)}
          />
        ))}
      </Stack>
    </div>
  );
}
