import { Button, Stack, Text, Title } from "@mantine/core";
import { useForm } from "@mantine/form";
import { useState } from "react";
import { NewPasswordInput } from "../../components/NewPasswordInput";
import { showFailure, useAction } from "../../components/useAction";
import { VisitorPage } from "../../components/VisitorPage";
import { sentence } from "../../lib/failure";
import { takeCode } from "../invitation/code";
import { ResetPasswordDocument } from "./reset.generated";

/** The page behind a password reset link. */
export default function ResetPasswordPage() {
  const [code] = useState(takeCode);
  return (
    <VisitorPage title="New password">
      <NewPassword code={code} />
    </VisitorPage>
  );
}

function NewPassword({ code }: { code: string }) {
  const form = useForm({ initialValues: { newPassword: "" } });
  const [done, setDone] = useState(false);
  const [gone, setGone] = useState(!code);
  const [reset, busy] = useAction(ResetPasswordDocument, {
    onFailure(failure) {
      const wrong = failure.fields.find((field) => field.path === "newPassword");
      if (wrong) form.setFieldError("newPassword", sentence(wrong.message));
      else if (failure.code === "NOT_FOUND") setGone(true);
      else showFailure(failure);
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
            ? "Sign in with the new password. All your sessions were ended."
            : "The link has expired, or it was used or replaced. Ask an administrator for a new one."}
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
        <NewPasswordInput label="New password" {...form.getInputProps("newPassword")} />
        <Button type="submit" loading={busy}>
          Change password
        </Button>
      </Stack>
    </form>
  );
}
