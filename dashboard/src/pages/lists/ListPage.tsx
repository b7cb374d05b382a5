import { Alert, Stack, Text } from "@mantine/core";
import { Info } from "lucide-react";
import { useQuery } from "urql";
import { CopyValue } from "../../components/CopyValue";
import { DangerZone } from "../../components/DangerZone";
import { DeleteRecord } from "../../components/DeleteAction";
import { Editor } from "../../components/Editor";
import { Facts } from "../../components/Facts";
import { Loaded } from "../../components/Loaded";
import { Page } from "../../components/Page";
import { PageTabs } from "../../components/PageTabs";
import { RelativeTime } from "../../components/RelativeTime";
import { SaveButton } from "../../components/SaveButton";
import { StatusPill } from "../../components/StatusPill";
import { useRecordEdit } from "../../components/useEdit";
import { useRecordId } from "../../lib/address";
import type { Asks } from "../../session/early";
import { useMay } from "../../session/session";
import { Entries, entriesOf } from "./Entries";
import { ImportTab } from "./ImportTab";
import { failureHandler, ListForm, listFields, listInput, listValues, useListForm } from "./ListForm";
import { entryTypes, type List, listTypes } from "./lists";
import { DeleteListDocument, ListDocument, ListSizeDocument, UpdateListDocument } from "./lists.generated";
import { TryCode } from "./TryCode";

const listAt = (id: string) => ({ query: ListDocument, variables: { id } });

/** Queries the entries too, even though a remote list has none and rejects the query. */
export const asks: Asks = ({ id, search }) => [listAt(id), ...(search.has("tab") ? [] : [entriesOf(id).ask(search)])];

export default function ListPage() {
  const id = useRecordId();
  const [{ data, error }, again] = useQuery(listAt(id));
  const list = data?.accessList;
  return (
    <Page
      title={list?.name ?? "Access list"}
      parents={[{ to: "/lists", label: "Access lists" }]}
      status={list && <StatusPill {...listTypes[list.type]} />}
    >
      <Loaded data={data} error={error} onRetry={again}>
        {({ accessList }) => (
          <Stack gap="lg">
            <ListFacts of={accessList} />
            <ListTabs of={accessList} />
          </Stack>
        )}
      </Loaded>
    </Page>
  );
}

function ListFacts({ of: list }: { of: List }) {
  return (
    <Facts
      facts={[
        ["ID", <CopyValue key="id" value={list._id} label="Copy ID" />],
        list.http
          ? ["URL", <CopyValue key="url" value={list.http.url} label="Copy URL" />]
          : ["Entries", <ListSize key="size" id={list._id} />],
        ["Updated", <RelativeTime key="changed" at={list.updatedAt} />],
      ]}
    />
  );
}

const sizeContext = { additionalTypenames: entryTypes };

function ListSize({ id }: { id: string }) {
  const [{ data, error }] = useQuery({ query: ListSizeDocument, variables: { id }, context: sizeContext });
  if (error && !data) return <Text c="dimmed">Not counted</Text>;
  return <span>{data ? data.accessListEntries.totalCount.toLocaleString() : "…"}</span>;
}

/** The tabs of a list. A remote list has no entries. */
function ListTabs({ of: list }: { of: List }) {
  const mayChange = useMay("MANAGER");
  const isStatic = list.type === "static";
  return (
    <PageTabs
      tabs={[
        isStatic && { name: "entries", label: "Entries", panel: <Entries listId={list._id} /> },
        isStatic && mayChange && { name: "import", label: "Import", panel: <ImportTab listId={list._id} /> },
        { name: "try", label: "Test a code", panel: <TryCode of={list} /> },
        mayChange && {
          name: "settings",
          label: "Settings",
          panel: <Editor of={list}>{(opened) => <ChangeList of={opened} />}</Editor>,
        },
      ]}
    />
  );
}

function ChangeList({ of: list }: { of: List }) {
  const form = useListForm(list);
  const { save, busy, dialog } = useRecordEdit(UpdateListDocument, {
    of: list,
    form,
    values: listValues,
    fields: listFields,
    input: listInput,
    query: ListDocument,
    found: ({ accessList }) => accessList,
    onFailure: failureHandler(form),
    done: "List saved",
  });
  return (
    <Stack gap="lg">
      {list.type === "remote" && (
        <Alert variant="light" icon={<Info aria-hidden />} maw={760}>
          A remote list has no entries. Its endpoint receives each code that a device scans.
        </Alert>
      )}
      <ListForm form={form} onSubmit={save}>
        <SaveButton busy={busy} changed={form.isDirty()} />
      </ListForm>
      {dialog}
      <DangerZone>
        <DeleteRecord
          noun="list"
          of={list}
          text={
            list.type === "remote"
              ? "Devices decline this list's codes. This can't be undone."
              : "Its entries are deleted too, and devices decline their codes. This can't be undone."
          }
          document={DeleteListDocument}
          after="/lists"
        />
      </DangerZone>
    </Stack>
  );
}
