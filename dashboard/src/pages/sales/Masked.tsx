import { ActionIcon, Code, Group, Text, Tooltip } from "@mantine/core";
import { Eye, EyeOff } from "lucide-react";
import { useState } from "react";
import { CopyButton } from "../../components/CopyButton";
import classes from "./sales.module.css";

/** A secret value, masked until the user reveals it. */
export function Masked({ value, name }: { value: string; name: string }) {
  const [shown, setShown] = useState(false);
  const Icon = shown ? EyeOff : Eye;
  const label = `${shown ? "Hide" : "Show"} ${name}`;
  return (
    <Group gap={4} wrap="nowrap" miw={0}>
      {shown ? (
        <Code className={classes.revealed}>{value}</Code>
      ) : (
        <Text span size="sm" c="dimmed" role="img" aria-label="hidden">
          ••••••••
        </Text>
      )}
      <Tooltip label={label} withArrow>
        <ActionIcon variant="subtle" color="gray" size="sm" aria-label={label} onClick={() => setShown(!shown)}>
          <Icon size={14} aria-hidden />
        </ActionIcon>
      </Tooltip>
      {shown && <CopyButton value={value} label={`Copy ${name}`} />}
    </Group>
  );
}
