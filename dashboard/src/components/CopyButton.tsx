import { ActionIcon, Button, CopyButton as MantineCopyButton } from "@mantine/core";
import { Check, Copy } from "lucide-react";
import { Hint } from "./Hint";

interface Props {
  value: string;
  /** The accessible name, such as "Copy ID". */
  label: string;
  /** The text next to the icon; only the icon if omitted. */
  text?: string;
}

/** Copies a value and confirms it. */
export function CopyButton({ value, label, text }: Props) {
  return (
    <MantineCopyButton value={value} timeout={1500}>
      {({ copied, copy }) => {
        const icon = copied ? <Check size={14} aria-hidden /> : <Copy size={14} aria-hidden />;
        if (text) {
          return (
            <Button
              variant="subtle"
              color="gray"
              size="compact-xs"
              rightSection={icon}
              onClick={copy}
              aria-label={label}
            >
              {copied ? "Copied" : text}
            </Button>
          );
        }
        return (
          <Hint label={copied ? "Copied" : label}>
            <ActionIcon variant="subtle" color="gray" size="sm" onClick={copy} aria-label={copied ? "Copied" : label}>
              {icon}
            </ActionIcon>
          </Hint>
        );
      }}
    </MantineCopyButton>
  );
}
