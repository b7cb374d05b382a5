import { Button, Drawer, Group, JsonInput, SimpleGrid, Stack, TextInput } from "@mantine/core";
import { useForm } from "@mantine/form";
import { type RefObject, useRef } from "react";
import { CodeView } from "../../components/CodeView";
import { CopyValue } from "../../components/CopyValue";
import { DangerZone } from "../../components/DangerZone";
import { DeleteAction } from "../../components/DeleteAction";
import { Editor } from "../../components/Editor";
import { Facts } from "../../components/Facts";
import { exactTime } from "../../components/RelativeTime";
import { useAction } from "../../components/useAction";
import { useEdit } from "../../components/useEdit";
import { useNow } from "../../components/useNow";
import { changedOf } from "../../lib/changed";
import type { Fields } from "../../lib/conflict";
import { useMay } from "../../session/session";
import { leaving } from "../../session/unsaved";
import { CreateEntryDocument, DeleteEntryDocument, EntryDocument, UpdateEntryDocument } from "./entries.generated";
import { type Entry, holderOf } from "./lists";

interface Props {
  listId: string;
  /** The entry in the drawer. The drawer is open while this is set. */
  of: Entry | "new" | undefined;
  onClose: () => void;
  /** Called if the entry has changed on the server. */
  onStale: () => void;
}

/** A drawer with an entry, or with the form of a new one. */
export function EntryDrawer({ listId, of, onClose, onStale }: Props) {
  const mayChange = useMay("MANAGER");
  const entry = of === "new" ? undefined : of;
  const changed = useRef(() => false);
  const form = { listId, changed, onDone: onClose, onStale };
  return (
    <Drawer
      opened={of !== undefined}
      onClose={() => leaving(onClose, changed.current())}
      title={entry ? "Entry" : "Add entry"}
      position="right"
      size="lg"
      closeButtonProps={{ "aria-label": "Close" }}
    >
      {of && (
        <Stack gap="lg">
          {entry && <EntryFacts of={entry} all={!mayChange} />}
          {mayChange && !entry && <EntryForm of={undefined} {...form} />}
          {mayChange && entry && <Editor of={entry}>{(opened) => <EntryForm of={opened} {...form} />}</Editor>}
          {entry && mayChange && <DeleteEntry of={entry} onDone={onClose} />}
        </Stack>
      )}
    </Drawer>
  );
}

function EntryFacts({ of: entry, all }: { of: Entry; all: boolean }) {
  const facts: [string, React.ReactNode][] = [
    ["ID", <CopyValue key="id" value={entry._id} label="Copy ID" />],
    ["Code", <CopyValue key="code" value={entry.externalCode} label="Copy code" />],
    ["Created", exactTime(entry.createdAt)],
    ["Updated", exactTime(entry.updatedAt)],
  ];
  if (all) {
    facts.push(["Holder", holderOf(entry) || "–"], ["Email", entry.email ?? "–"]);
    facts.push(["Phone", entry.phone ?? "–"], ["Customer ID", entry.customerId ?? "–"]);
  }
  return (
    <Stack>
      <Facts columns={2} facts={facts} />
      {all && entry.meta != null && <CodeView label="Meta" value={entry.meta} />}
    </Stack>
  );
}

interface FormProps {
  listId: string;
  /** The entry to edit; undefined to create one. */
  of: Entry | undefined;
  /** Set to a function that reports whether the form has changes. */
  changed: RefObject<() => boolean>;
  onDone: () => void;
  onStale: () => void;
}

/** Returns the form values of an entry; empty strings for missing values. */
function entryValues(entry?: Entry) {
  return {
    externalCode: entry?.externalCode ?? "",
    customerId: entry?.customerId ?? "",
    firstname: entry?.firstname ?? "",
    lastname: entry?.lastname ?? "",
    email: entry?.email ?? "",
    phone: entry?.phone ?? "",
    meta: entry?.meta == null ? "" : JSON.stringify(entry.meta, null, 2),
  };
}

type EntryValues = ReturnType<typeof entryValues>;

const entryFields: Fields<EntryValues> = {
  externalCode: "Code",
  customerId: "Customer ID",
  firstname: "First name",
  lastname: "Last name",
  email: "Email",
  phone: "Phone",
  meta: "Meta",
};

/** Returns the API input: all fields of a new entry, or the changed fields of an existing one. */
const invalidMeta = "Enter a JSON object or leave empty";

function entryInput({ externalCode, meta, ...holder }: EntryValues, over?: Entry) {
  const known: Record<string, unknown> = Object.fromEntries(
    Object.entries(holder).map(([name, value]) => [name, value.trim() || null]),
  );
  const input = { ...known, meta: meta.trim() ? JSON.parse(meta) : null };
  return { externalCode, ...(over ? changedOf<object>(input, over) : input) };
}

function EntryForm({ listId, of: entry, changed, onDone, onStale }: FormProps) {
  const form = useForm({
    initialValues: entryValues(entry),
    validate: {
      externalCode: (code) => (code ? null : "Enter a code"),
      meta: (meta) => (isObject(meta) ? null : invalidMeta),
    },
  });
  changed.current = form.isDirty;
  const [create, creating] = useAction(CreateEntryDocument, { form, done: "Entry added" });
  const load = useNow(EntryDocument);
  const { save, busy, dialog } = useEdit(UpdateEntryDocument, {
    of: entry,
    form,
    values: entryValues,
    fields: entryFields,
    variables: (values, over) => ({
      listId,
      id: over._id,
      input: entryInput(values, over),
      expectedUpdatedAt: over.updatedAt,
    }),
    async load() {
      onStale();
      return (await load({ listId, id: entry?._id ?? "" }))?.accessListEntry;
    },
    done: "Entry saved",
    onSaved: onDone,
  });
  async function submit(values: EntryValues) {
    if (entry) await save();
    else if (await create({ listId, input: entryInput(values) })) onDone();
  }
  return (
    <form onSubmit={form.onSubmit(submit)}>
      <Stack>
        <TextInput
          label="Code"
          description="Stored exactly as typed. Codes are case-sensitive."
          required
          data-autofocus
          autoComplete="off"
          spellCheck={false}
          {...form.getInputProps("externalCode")}
        />
        <TextInput
          label="Customer ID"
          description="The customer whose ticket devices get for this code"
          {...form.getInputProps("customerId")}
        />
        <SimpleGrid cols={{ base: 1, xs: 2 }}>
          <TextInput label="First name" {...form.getInputProps("firstname")} />
          <TextInput label="Last name" {...form.getInputProps("lastname")} />
          <TextInput label="Email" type="email" {...form.getInputProps("email")} />
          <TextInput label="Phone" type="tel" {...form.getInputProps("phone")} />
        </SimpleGrid>
        <JsonInput
          label="Meta"
          description="Your own data as a JSON object, up to 16 KiB"
          autosize
          minRows={2}
          maxRows={12}
          validationError={invalidMeta}
          {...form.getInputProps("meta")}
        />
        <Group justify="flex-end">
          <Button variant="default" onClick={onDone}>
            Cancel
          </Button>
          <Button type="submit" loading={creating || busy} disabled={entry && !form.isDirty()}>
            {entry ? "Save changes" : "Add entry"}
          </Button>
        </Group>
      </Stack>
      {dialog}
    </form>
  );
}

/** Reports whether a text is a JSON object or empty. */
function isObject(text: string): boolean {
  if (!text.trim()) return true;
  try {
    const value: unknown = JSON.parse(text);
    return typeof value === "object" && value !== null && !Array.isArray(value);
  } catch {
    return false;
  }
}

function DeleteEntry({ of: entry, onDone }: { of: Entry; onDone: () => void }) {
  return (
    <DangerZone>
      <DeleteAction
        title="Delete entry"
        text="Devices decline this code immediately. This can't be undone."
        document={DeleteEntryDocument}
        variables={{ listId: entry.listId, id: entry._id }}
        done="Entry deleted"
        after={onDone}
      />
    </DangerZone>
  );
}
