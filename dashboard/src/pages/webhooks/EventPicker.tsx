import { Button, Checkbox, Group, Input, Paper, Stack, Text, TextInput } from "@mantine/core";
import { Search } from "lucide-react";
import { useState } from "react";
import { byTopic } from "./webhooks";
import type { EventTypesQuery } from "./webhooks.generated";
import classes from "./webhooks.module.css";

type Kind = EventTypesQuery["eventTypes"][number];

interface Props {
  kinds: Kind[];
  /** The chosen types. */
  value?: string[];
  onChange: (types: string[]) => void;
  error?: React.ReactNode;
}

/** The event types as a tree by resource, with a search. */
export function EventPicker({ kinds, value = [], onChange, error }: Props) {
  const [search, setSearch] = useState("");
  const words = search.trim().toLowerCase();
  const shown = kinds.filter((kind) => `${kind.type} ${kind.trigger}`.toLowerCase().includes(words));
  function set(types: string[], on: boolean) {
    const next = new Set(value);
    for (const type of types) {
      if (on) next.add(type);
      else next.delete(type);
    }
    onChange(kinds.map((kind) => kind.type).filter((type) => next.has(type)));
  }
  return (
    <Input.Wrapper
      label="Events"
      description={`${value.length} of ${kinds.length} chosen`}
      error={error}
      component="fieldset"
      className={classes.fieldset}
    >
      <Stack gap="xs" mt={6}>
        <Group gap="xs">
          <TextInput
            aria-label="Search events"
            placeholder="Search events"
            leftSection={<Search size={16} aria-hidden />}
            value={search}
            onChange={(event) => setSearch(event.currentTarget.value)}
            className={classes.search}
          />
          <Button
            variant="default"
            onClick={() =>
              set(
                shown.map((kind) => kind.type),
                true,
              )
            }
          >
            All shown
          </Button>
          <Button variant="default" disabled={value.length === 0} onClick={() => onChange([])}>
            None
          </Button>
        </Group>
        <Paper withBorder className={classes.picker}>
          {byTopic(shown).map(([topic, ofTopic]) => (
            <Topic key={topic} topic={topic} kinds={ofTopic} chosen={value} set={set} />
          ))}
          {shown.length === 0 && (
            <Text p="md" size="sm" c="dimmed">
              No event has this in its name.
            </Text>
          )}
        </Paper>
        {value.length === 0 && <Text size="sm">It is told nothing yet: choose its events.</Text>}
      </Stack>
    </Input.Wrapper>
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
