import { Badge, Code, Group, Stack, Text, TextInput } from "@mantine/core";
import { useForm } from "@mantine/form";
import { useState } from "react";
import { useQuery } from "urql";
import { CopyValue } from "../../components/CopyValue";
import { DangerAction, DangerZone } from "../../components/DangerZone";
import { Editor } from "../../components/Editor";
import { ExpiryInput } from "../../components/ExpiryInput";
import { Facts } from "../../components/Facts";
import { Loaded } from "../../components/Loaded";
import { Page } from "../../components/Page";
import { Panel } from "../../components/Panel";
import { exactTime, RelativeTime } from "../../components/RelativeTime";
import { SaveButton } from "../../components/SaveButton";
import { SecretDialog } from "../../components/SecretDialog";
import { SwitchedOff } from "../../components/SwitchedOff";
import { useAction } from "../../components/useAction";
import { useRecordEdit } from "../../components/useEdit";
import { useRecordId } from "../../lib/address";
import { changedOf } from "../../lib/changed";
import type { Fields } from "../../lib/conflict";
import { KeyStatus } from "./KeyStatus";
import { KeyUsage } from "./KeyUsage";
import { creatorOf, difference, type Key, keyState, type ReadKey, scopeOf } from "./keys";
import { KeyDocument, UpdateKeyDocument } from "./keys.generated";
import { PermissionPicker } from "./PermissionPicker";
import { RotateButton } from "./RotateButton";

const parents = [{ to: "/keys", label: "API keys" }];

export default function KeyPage() {
  const id = useRecordId();
  const [{ data, error }, again] = useQuery({ query: KeyDocument, variables: { id } });
  const [secret, setSecret] = useState<string>();
  const key = data?.apiKey;
  return (
    <Page
      title={key?.name ?? "API key"}
      parents={parents}
      status={key && <KeyStatus of={key} />}
      actions={key && keyState(key) === "active" && <RotateButton id={key._id} onSecret={setSecret} />}
    >
      <Loaded data={data} error={error} onRetry={again}>
        {({ apiKey, permissions }) => (
          <Stack gap="lg">
            <KeyFacts of={apiKey} />
            <KeyUsage of={apiKey} />
            <Editor of={apiKey}>{(opened) => <ChangeKey of={opened} all={permissions} />}</Editor>
            <SwitchKey of={apiKey} />
          </Stack>
        )}
      </Loaded>
      <SecretDialog title="New secret key" secret={secret} onClose={() => setSecret(undefined)} />
    </Page>
  );
}

function KeyFacts({ of: key }: { of: ReadKey }) {
  return (
    <Facts
      facts={[
        ["ID", <CopyValue key="id" value={key._id} label="Copy ID" />],
        ["Hint", <Code key="hint">{key.hint}</Code>],
        ["Permissions", scopeOf(key)],
        ["Last used", <RelativeTime key="used" at={key.lastUsedAt} />],
        ["Expires", <RelativeTime key="expires" at={key.expiresAt} />],
        ["Created", <RelativeTime key="created" at={key.createdAt} />],
        ["Created by", <KeyCreator key="creator" of={key} />],
        ["Rotated", rotations(key.version - 1)],
      ]}
    />
  );
}

function rotations(count: number): string {
  if (count === 0) return "Never";
  return count === 1 ? "Once" : `${count} times`;
}

function KeyCreator({ of: key }: { of: ReadKey }) {
  return (
    <>
      {creatorOf(key)}
      {key.createdBy.type !== "SYSTEM" && <CopyValue value={key.createdBy.id} label="Copy creator ID" />}
    </>
  );
}

interface KeyValues {
  name: string;
  expiresAt: string | null;
  permissions: string[];
}

const keyFields: Fields<KeyValues> = {
  name: "Name",
  expiresAt: { label: "Expires", show: (at) => (at ? exactTime(at) : "Never") },
  permissions: "Permissions",
};

function keyValues({ name, expiresAt = null, permissions }: Key): KeyValues {
  return { name, expiresAt, permissions: permissions ?? [] };
}

function keyInput({ name, expiresAt, permissions }: KeyValues, over: Key) {
  return changedOf<object>({ name, expiresAt, ...(over.fullSellerAccess ? {} : { permissions }) }, over);
}

/** The form of the name, expiry and permissions. It shows permission changes before they are saved. */
function ChangeKey({ of: key, all }: { of: Key; all: string[] }) {
  const form = useForm({ initialValues: keyValues(key) });
  const { save, busy, dialog } = useRecordEdit(UpdateKeyDocument, {
    of: key,
    form,
    values: keyValues,
    fields: keyFields,
    input: keyInput,
    query: KeyDocument,
    found: ({ apiKey }) => apiKey,
    done: "Key saved",
  });
  return (
    <Panel title="Edit key" maw={760}>
      <form onSubmit={form.onSubmit(save)}>
        <Stack>
          <TextInput label="Name" required {...form.getInputProps("name")} />
          <ExpiryInput {...form.getInputProps("expiresAt")} />
          {key.fullSellerAccess ? (
            <Text size="sm" c="dimmed">
              This key has full access. To restrict permissions, create a new key.
            </Text>
          ) : (
            <>
              <PermissionPicker all={all} {...form.getInputProps("permissions")} />
              <Changes before={key.permissions ?? []} after={form.values.permissions} />
            </>
          )}
          <Group justify="flex-end">
            <SaveButton busy={busy} changed={form.isDirty()} />
          </Group>
        </Stack>
      </form>
      {dialog}
    </Panel>
  );
}

function Changes({ before, after }: { before: string[]; after: string[] }) {
  const { granted, taken } = difference(before, after);
  if (granted.length + taken.length === 0) return null;
  return (
    <Group gap={6} role="status" aria-label="Permission changes">
      {granted.map((permission) => (
        <Badge key={permission} variant="default" tt="none">
          + {permission}
        </Badge>
      ))}
      {taken.map((permission) => (
        <Badge key={permission} variant="default" tt="none" td="line-through">
          − {permission}
        </Badge>
      ))}
    </Group>
  );
}

function SwitchKey({ of: key }: { of: Key }) {
  const [update, busy] = useAction(UpdateKeyDocument, {
    done: key.active ? "Key disabled" : "Key enabled",
  });
  const set = (active: boolean) => update({ id: key._id, input: { active } });
  if (!key.active) {
    const text = "This key is disabled. Its requests are rejected.";
    return <SwitchedOff text={text} noun="key" busy={busy} onSwitchOn={() => set(true)} />;
  }
  return (
    <DangerZone>
      <DangerAction
        title="Disable key"
        text="Requests with this key are rejected immediately. You can enable the key again."
        button="Disable key"
        typed={key.name}
        onConfirm={() => set(false)}
      />
    </DangerZone>
  );
}
