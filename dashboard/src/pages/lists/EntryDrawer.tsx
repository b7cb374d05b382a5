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
  /** The entry that is looked at; the drawer is open as long as there is one. */
  of: Entry | "new" | undefined;
  onClose: () => void;
  /** Called when the entry turns out to have changed. */
  onStale: () => void;
}

/** One entry, or the making of one. */
export function EntryDrawer({ listId, of, onClose, onStale }: Props) {
  const mayChange = useMay("MANAGER");
  const entry = of === "new" ? undefined : of;
  const changed = useRef(() => false);
  const form = { listId, changed, onDone: onClose, onStale };
  return (
    <Drawer
      opened={of !== undefined}
      onClose={() => leaving(onClose, changed.current())}
      title={entry ? "Entry" : "Add an entry"}
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
    ["Id", <CopyValue key="id" value={entry._id} label="Copy the id" />],
    ["Code", <CopyValue key="code" value={entry.externalCode} label="Copy the code" />],
    ["Created", exactTime(entry.createdAt)],
    ["Changed", exactTime(entry.updatedAt)],
  ];
  if (all) {
    facts.push(["Holder", holderOf(entry) || "–"], ["E-mail", entry.email ?? "–"]);
    facts.push(["Phone", entry.phone ?? "–"], ["Customer", entry.customerId ?? "–"]);
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
  /** The entry to change; without one, one is made. */
  of: Entry | undefined;
  /** Gets what tells whether something was changed. */
  changed: RefObject<() => boolean>;
  onDone: () => void;
  onStale: () => void;
}

/** What is typed into the form; empty where there is nothing. */
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
  customerId: "Customer",
  firstname: "First name",
  lastname: "Last name",
  email: "E-mail",
  phone: "Phone",
  meta: "Meta",
};

/** What the API takes of the values: all of a new entry, and what differs of one that is there. */
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
      externalCode: (code) => (code ? null : "Give the code"),
      meta: (meta) => (isObject(meta) ? null : "Give a JSON object, or nothing"),
    },
  });
  changed.current = form.isDirty;
  const [create, creating] = useAction(CreateEntryDocument, { form, done: "The entry was added" });
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
    done: "The entry was changed",
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
          description="Kept exactly as it is typed, upper and lower case too"
          required
          data-autofocus
          autoComplete="off"
          spellCheck={false}
          {...form.getInputProps("externalCode")}
        />
        <TextInput
          label="Customer"
          description="The id of whose ticket the code stands for"
          {...form.getInputProps("customerId")}
        />
        <SimpleGrid cols={{ base: 1, xs: 2 }}>
          <TextInput label="First name" {...form.getInputProps("firstname")} />
          <TextInput label="Last name" {...form.getInputProps("lastname")} />
          <TextInput label="E-mail" type="email" {...form.getInputProps("email")} />
          <TextInput label="Phone" type="tel" {...form.getInputProps("phone")} />
        </SimpleGrid>
        <JsonInput
          label="Meta"
          description="A JSON object of your own, of at most 16 KiB"
          autosize
          minRows={2}
          maxRows={12}
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

/** Whether a text is a JSON object, or nothing. */
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
        title="Delete this entry"
        text="Devices no longer know the code. This can't be undone."
        document={DeleteEntryDocument}
        variables={{ listId: entry.listId, id: entry._id }}
        done="The entry was deleted"
        after={onDone}
      />
    </DangerZone>
  );
}
