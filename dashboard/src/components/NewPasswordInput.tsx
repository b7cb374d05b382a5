import { PasswordInput, type PasswordInputProps } from "@mantine/core";

/** An input for a new password. */
export function NewPasswordInput(props: PasswordInputProps) {
  return (
    <PasswordInput
      description="At least 12 characters"
      autoComplete="new-password"
      required
      visibilityToggleButtonProps={{ "aria-label": "Show password" }}
      {...props}
    />
  );
}
