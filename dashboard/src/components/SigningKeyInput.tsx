import { Button, Group, PasswordInput } from "@mantine/core";
import type { ReactNode } from "react";
import { newSigningKey } from "../lib/signing";
import { CopyButton } from "./CopyButton";

interface Props {
  value?: string;
  onChange?: (value: string) => void;
  error?: ReactNode;
}

/** The key that calls to a listener are signed with: typed, or made here. */
export function SigningKeyInput({ value = "", onChange, ...input }: Props) {
  return (
    <Group align="flex-end" gap="xs">
      <PasswordInput
        label="Signing key"
        description="With it the listener can check that a call comes from here. Empty: calls are not signed."
        autoComplete="off"
        flex={1}
        miw={220}
        visibilityToggleButtonProps={{ "aria-label": "Show the signing key" }}
        value={value}
        onChange={(event) => onChange?.(event.currentTarget.value)}
        {...input}
      />
      <Button variant="default" onClick={() => onChange?.(newSigningKey())}>
        Generate
      </Button>
      {value && <CopyButton value={value} label="Copy the signing key" />}
    </Group>
  );
}
