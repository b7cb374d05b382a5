import { Button, Group, PasswordInput } from "@mantine/core";
import type { ReactNode } from "react";
import { newSigningKey } from "../lib/signing";
import { CopyButton } from "./CopyButton";

interface Props {
  value?: string;
  onChange?: (value: string) => void;
  error?: ReactNode;
}

/** The key that signs requests to an endpoint: typed, or generated here. */
export function SigningKeyInput({ value = "", onChange, ...input }: Props) {
  return (
    <Group align="flex-end" gap="xs">
      <PasswordInput
        label="Signing key"
        description="Used to sign each request. Leave empty to send unsigned requests."
        autoComplete="off"
        flex={1}
        miw={220}
        visibilityToggleButtonProps={{ "aria-label": "Show signing key" }}
        value={value}
        onChange={(event) => onChange?.(event.currentTarget.value)}
        {...input}
      />
      <Button variant="default" onClick={() => onChange?.(newSigningKey())}>
        Generate key
      </Button>
      {value && <CopyButton value={value} label="Copy signing key" />}
    </Group>
  );
}
