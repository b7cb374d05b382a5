import { Button, Group, Stack, Text } from "@mantine/core";
import { Eye, EyeOff } from "lucide-react";
import { useState } from "react";
import { CodeView } from "../../components/CodeView";
import { raw } from "./sales";

interface Props {
  value: object;
  /** Fields that lead to other records, and are not part of this one. */
  edges?: string[];
  secrets?: string[];
}

/** All that is known of a thing, as JSON; its secrets only when they are asked for. */
export function RawJson({ value, edges = [], secrets = [] }: Props) {
  const [shown, setShown] = useState(false);
  const Icon = shown ? EyeOff : Eye;
  const record = Object.fromEntries(Object.entries(value).filter(([name]) => !edges.includes(name)));
  return (
    <Stack gap="sm">
      <Group justify="space-between" gap="sm">
        <Text size="sm" c="dimmed">
          As GraphQL answers it, without what is null.
        </Text>
        {secrets.length > 0 && (
          <Button
            variant="default"
            size="xs"
            leftSection={<Icon size={14} aria-hidden />}
            onClick={() => setShown(!shown)}
          >
            {`${shown ? "Hide" : "Show"} ${secrets.join(" and ")}`}
          </Button>
        )}
      </Group>
      <CodeView label="JSON" value={raw(record, shown ? [] : secrets)} maxHeight={640} />
    </Stack>
  );
}
