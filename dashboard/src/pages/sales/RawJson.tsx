import { Button, Group, Stack, Text } from "@mantine/core";
import { Eye, EyeOff } from "lucide-react";
import { useState } from "react";
import { CodeView } from "../../components/CodeView";
import { raw } from "./sales";

/** All that is known of a thing, as JSON; its secrets only when they are asked for. */
export function RawJson({ value, secrets = [] }: { value: object; secrets?: string[] }) {
  const [shown, setShown] = useState(false);
  const Icon = shown ? EyeOff : Eye;
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
      <CodeView label="JSON" value={raw(value, shown ? [] : secrets)} maxHeight={640} />
    </Stack>
  );
}
