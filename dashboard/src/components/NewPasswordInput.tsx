import { PasswordInput, type PasswordInputProps } from "@mantine/core";

/** An input for a password that is chosen. */
export function NewPasswordInput(props: PasswordInputProps) {
  return (
    <PasswordInput
      description="At least 12 characters"
      autoComplete="new-password"
      required
      visibilityToggleButtonProps={{ "aria-label": "Show the password" }}
      {...props}
    />
  );
}
