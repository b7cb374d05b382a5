import { Code, Group, Stack, Text } from "@mantine/core";
import { CopyButton } from "./CopyButton";
import classes from "./components.module.css";

interface Props {
  label: string;
  /** Strings are shown unchanged, other values as indented JSON. */
  value: unknown;
  maxHeight?: number;
}

/** Text or JSON in a scrolling box with a copy button. */
export function CodeView({ label, value, maxHeight = 420 }: Props) {
  const text = typeof value === "string" ? value : JSON.stringify(value, null, 2);
  return (
    <Stack gap={4}>
      <Group justify="space-between">
        <Text size="sm" fw={500}>
          {label}
        </Text>
        <CopyButton value={text} label={`Copy: ${label}`} />
      </Group>
      {/* biome-ignore lint/a11y/noNoninteractiveTabindex: scrollable areas must be reachable by keyboard */}
      <section className={classes.codeView} style={{ maxHeight }} tabIndex={0} aria-label={label}>
        <Code block>{text}</Code>
      </section>
    </Stack>
  );
}
