import { Group } from "@mantine/core";
import { StatusPill } from "../../components/StatusPill";
import { attentions, attentionsOf, type Key, keyState, keyStates } from "./keys";

export function KeyStatus({ of: key }: { of: Key }) {
  return (
    <Group gap={6}>
      <StatusPill {...keyStates[keyState(key)]} />
      {attentionsOf(key).map((attention) => (
        <StatusPill key={attention} tone="warning" {...attentions[attention]} />
      ))}
    </Group>
  );
}
