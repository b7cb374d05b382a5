import { Code, Group, Tooltip } from "@mantine/core";
import { CopyButton } from "./CopyButton";
import classes from "./components.module.css";

/** An id, address or code with a button that copies it; cut in the middle of a narrow place, never in what is copied. */
export function CopyValue({ value, label }: { value: string; label: string }) {
  return (
    <Group gap={4} wrap="nowrap" className={classes.copyValue}>
      <Tooltip label={value} multiline maw={420} openDelay={500} classNames={{ tooltip: classes.breakable }}>
        <Code className={classes.copyText}>{value}</Code>
      </Tooltip>
      <CopyButton value={value} label={label} />
    </Group>
  );
}
