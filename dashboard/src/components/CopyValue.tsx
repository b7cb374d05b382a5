import { Code, Group } from "@mantine/core";
import { CopyButton } from "./CopyButton";
import classes from "./components.module.css";
import { Hint } from "./Hint";

/** An ID, URL or code with a copy button. Narrow layouts truncate what is shown, never what is copied. */
export function CopyValue({ value, label }: { value: string; label: string }) {
  return (
    <Group gap={4} wrap="nowrap" className={classes.copyValue}>
      <Hint label={value}>
        <Code className={classes.copyText}>{value}</Code>
      </Hint>
      <CopyButton value={value} label={label} />
    </Group>
  );
}
