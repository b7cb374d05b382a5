import { Button, Group, Stack, Text } from "@mantine/core";
import { Eye, EyeOff } from "lucide-react";
import { useState } from "react";
import { CodeView } from "../../components/CodeView";
import { raw } from "./sales";

interface Props {
  value: object;
  /** Fields that contain other records, which are left out. */
  edges?: string[];
  secrets?: string[];
}

/** A record as JSON. Secrets are masked until the user reveals them. */
export function RawJson({ value, edges = [], secrets = [] }: Props) {
  const [shown, setShown] = useState(false);
  const Icon = shown ? EyeOff : Eye;
  const record = Object.fromEntries(Object.entries(value).filter(([name]) => !edges.includes(name)));
  return (
    <Stack gap="sm">
      <Group justify="space-between" gap="sm">
        <Text size="sm" c="dimmed">
          As returned by GraphQL, without null fields.
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
