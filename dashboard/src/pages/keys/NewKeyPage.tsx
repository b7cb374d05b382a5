import { Group, Paper, Radio, Stack, TextInput } from "@mantine/core";
import { useForm } from "@mantine/form";
import { useState } from "react";
import { useNavigate } from "react-router";
import { useQuery } from "urql";
import { CodeView } from "../../components/CodeView";
import { CreateButtons } from "../../components/CreateButtons";
import { ExpiryInput } from "../../components/ExpiryInput";
import { Loaded } from "../../components/Loaded";
import { Page } from "../../components/Page";
import { SecretDialog } from "../../components/SecretDialog";
import { useAction } from "../../components/useAction";
import { address } from "../../lib/address";
import { nameError } from "../../lib/validation";
import { CreateKeyDocument, type CreateKeyMutation, PermissionsDocument } from "./keys.generated";
import { PermissionPicker } from "./PermissionPicker";

type Made = CreateKeyMutation["createApiKey"];

export default function NewKeyPage() {
  const [{ data, error }, again] = useQuery({ query: PermissionsDocument });
  const [made, setMade] = useState<Made>();
  const navigate = useNavigate();
  return (
    <Page title="Create key" parents={[{ to: "/keys", label: "API keys" }]}>
      <Loaded data={data} error={error} onRetry={again}>
        {({ permissions }) => <NewKeyForm all={permissions} onMade={setMade} />}
      </Loaded>
      <SecretDialog
        title={`Secret key for “${made?.name}”`}
        secret={made?.key ?? undefined}
        onClose={() => void navigate(address("/keys", made?._id ?? ""), { replace: true })}
      >
        <CodeView label="Try it" value={firstCall(made)} />
      </SecretDialog>
    </Page>
  );
}

/** Returns a request that the new key may make. */
function firstCall(made: Made | undefined): string {
  return `curl ${window.location.origin}/api/keys/info \\\n  -H "Authorization: Bearer ${made?.key}"`;
}

function NewKeyForm({ all, onMade }: { all: string[]; onMade: (key: Made) => void }) {
  const form = useForm({
    initialValues: { name: "", access: "some", permissions: [] as string[], expiresAt: null as string | null },
    validate: { name: nameError },
  });
  const [create, busy] = useAction(CreateKeyDocument, { form });
  const { access } = form.values;
  async function submit({ name, permissions, expiresAt }: typeof form.values) {
    const scope = access === "full" ? { fullSellerAccess: true } : { permissions };
    const made = await create({ input: { name: name.trim(), expiresAt, ...scope } });
    if (made) onMade(made.createApiKey);
  }
  return (
    <form onSubmit={form.onSubmit(submit)}>
      <Stack gap="lg" maw={760}>
        <Paper withBorder p="lg">
          <Stack>
            <TextInput
              label="Name"
              description="The program that uses the key, such as “Shop backend”"
              required
              autoFocus
              {...form.getInputProps("name")}
            />
            <ExpiryInput {...form.getInputProps("expiresAt")} />
          </Stack>
        </Paper>
        <Paper withBorder p="lg">
          <Stack>
            <Radio.Group label="Access" {...form.getInputProps("access")}>
              <Stack gap="sm" mt="xs">
                <Radio value="some" label="Selected permissions" description="Only the permissions selected below." />
                <Radio
                  value="full"
                  label="Full access"
                  description="All permissions, including those added in future versions."
                />
              </Stack>
            </Radio.Group>
            {access === "some" && <PermissionPicker all={all} {...form.getInputProps("permissions")} />}
          </Stack>
        </Paper>
        <Group justify="flex-end">
          <CreateButtons back="/keys" busy={busy}>
            Create key
          </CreateButtons>
        </Group>
      </Stack>
    </form>
  );
}
