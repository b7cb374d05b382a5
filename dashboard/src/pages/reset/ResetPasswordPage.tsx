import { Button, Center, Paper, PasswordInput, Stack, Text, Title } from "@mantine/core";
import { useForm } from "@mantine/form";
import { useEffect, useMemo, useState } from "react";
import { Provider } from "urql";
import { Logo } from "../../components/Logo";
import { useAction } from "../../components/useAction";
import { newClient } from "../../session/client";
import { takeCode } from "../invitation/code";
import { ResetPasswordDocument } from "./reset.generated";

/** Where the link for a new password leads. */
export default function ResetPasswordPage() {
  const client = useMemo(() => newClient(), []);
  const [code] = useState(takeCode);
  useEffect(() => {
    document.title = "New password · Ticketgate";
  }, []);
  return (
    <Provider value={client}>
      <Center component="main" mih="100dvh" p="md">
        <Stack w="100%" maw={400} gap="lg">
          <Center>
            <Logo size="lg" />
          </Center>
          <Paper withBorder p="xl" shadow="sm" radius="lg">
            <NewPassword code={code} />
          </Paper>
        </Stack>
      </Center>
    </Provider>
  );
}

function NewPassword({ code }: { code: string }) {
  const form = useForm({ initialValues: { newPassword: "" } });
  const [done, setDone] = useState(false);
  const [gone, setGone] = useState(!code);
  const [reset, busy] = useAction(ResetPasswordDocument, {
    onFailure(failure) {
      const wrong = failure.fields.find((field) => field.path === "newPassword");
      if (wrong) form.setFieldError("newPassword", wrong.message);
      else setGone(true);
    },
  });
  async function submit({ newPassword }: typeof form.values) {
    if (await reset({ input: { code, newPassword } })) setDone(true);
  }
  const link = (
    <Button component="a" href="/login">
      Sign in
    </Button>
  );
  if (done || gone) {
    return (
      <Stack>
        <Title order={1} size="h3">
          {done ? "Password changed" : "This link doesn't work"}
        </Title>
        <Text size="sm">
          {done
            ? "Sign in with the new password. All earlier sessions have ended."
            : "It may have been used, replaced, or expired. Ask an administrator for a new link."}
        </Text>
        {link}
      </Stack>
    );
  }
  return (
    <form onSubmit={form.onSubmit(submit)}>
      <Stack>
        <Title order={1} size="h3">
          Choose a new password
        </Title>
        <PasswordInput
          label="New password"
          description="At least 12 characters"
          autoComplete="new-password"
          required
          visibilityToggleButtonProps={{ "aria-label": "Show the password" }}
          {...form.getInputProps("newPassword")}
        />
        <Button type="submit" loading={busy}>
          Change password
        </Button>
      </Stack>
    </form>
  );
}
