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

type CreatedKey = CreateKeyMutation["createApiKey"];

export default function NewKeyPage() {
  const [{ data, error }, again] = useQuery({ query: PermissionsDocument });
  const [created, setCreated] = useState<CreatedKey>();
  const navigate = useNavigate();
  return (
    <Page title="Create key" parents={[{ to: "/keys", label: "API keys" }]}>
      <Loaded data={data} error={error} onRetry={again}>
        {({ permissions }) => <NewKeyForm all={permissions} onCreated={setCreated} />}
      </Loaded>
      <SecretDialog
        title={`Secret key for “${created?.name}”`}
        secret={created?.key ?? undefined}
        onClose={() => void navigate(address("/keys", created?._id ?? ""), { replace: true })}
      >
        <CodeView label="Try it" value={firstCall(created)} />
      </SecretDialog>
    </Page>
  );
}

/** Returns a request that the new key may make. */
function firstCall(created: CreatedKey | undefined): string {
  return `curl ${window.location.origin}/api/keys/info \\\n  -H "Authorization: Bearer ${created?.key}"`;
}

function NewKeyForm({ all, onCreated }: { all: string[]; onCreated: (key: CreatedKey) => void }) {
  const form = useForm({
    initialValues: { name: "", access: "some", permissions: [] as string[], expiresAt: null as string | null },
    validate: { name: nameError },
  });
  const [create, busy] = useAction(CreateKeyDocument, { form });
  const { access } = form.values;
  async function submit({ name, permissions, expiresAt }: typeof form.values) {
    const scope = access === "full" ? { fullSellerAccess: true } : { permissions };
    const data = await create({ input: { name: name.trim(), expiresAt, ...scope } });
    if (data) onCreated(data.createApiKey);
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
