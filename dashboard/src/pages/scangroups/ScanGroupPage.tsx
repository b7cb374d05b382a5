import { Button, Stack, Tabs } from "@mantine/core";
import { useNavigate, useSearchParams } from "react-router";
import { useQuery } from "urql";
import { CodeView } from "../../components/CodeView";
import { DangerAction, DangerZone } from "../../components/DangerZone";
import { Editor } from "../../components/Editor";
import { Loaded } from "../../components/Loaded";
import { Page } from "../../components/Page";
import { useAction } from "../../components/useAction";
import { useEdit } from "../../components/useEdit";
import { useNow } from "../../components/useNow";
import { useRecordId } from "../../lib/address";
import { useMay } from "../../session/session";
import { useGroupFields } from "./groupFields";
import { ScanGroupForm } from "./ScanGroupForm";
import { groupInput, groupValues, type ScanGroup } from "./scangroups";
import { DeleteScanGroupDocument, ScanGroupDocument, UpdateScanGroupDocument } from "./scangroups.generated";
import { useScanGroupForm } from "./useScanGroupForm";

export default function ScanGroupPage() {
  const id = useRecordId();
  const [search, setSearch] = useSearchParams();
  const [{ data, error }, again] = useQuery({ query: ScanGroupDocument, variables: { id } });
  return (
    <Page title={data?.scanGroup.name ?? "Scan group"} parents={[{ to: "/scan-groups", label: "Scan groups" }]}>
      <Loaded data={data} error={error} onRetry={again}>
        {({ scanGroup }) => (
          <Tabs
            value={search.get("tab") ?? "editor"}
            onChange={(tab) => setSearch(tab === "editor" ? {} : { tab: tab ?? "" })}
          >
            <Tabs.List mb="lg">
              <Tabs.Tab value="editor">Editor</Tabs.Tab>
              <Tabs.Tab value="json">JSON</Tabs.Tab>
            </Tabs.List>
            <Tabs.Panel value="editor">
              <Editor of={scanGroup}>{(opened) => <ChangeScanGroup of={opened} />}</Editor>
            </Tabs.Panel>
            <Tabs.Panel value="json">
              <CodeView label="The scan group as it is stored" value={printed(scanGroup)} maxHeight={720} />
            </Tabs.Panel>
          </Tabs>
        )}
      </Loaded>
    </Page>
  );
}

/** Without what is not set, and without what only this page's cache needs. */
function printed(group: ScanGroup): string {
  return JSON.stringify(group, (name, value) => (value === null || name === "__typename" ? undefined : value), 2);
}

function ChangeScanGroup({ of: group }: { of: ScanGroup }) {
  const navigate = useNavigate();
  const manager = useMay("MANAGER");
  const form = useScanGroupForm(group);
  const load = useNow(ScanGroupDocument);
  const { save, busy, dialog } = useEdit(UpdateScanGroupDocument, {
    of: group,
    form,
    values: groupValues,
    fields: useGroupFields(),
    variables: (values, over) => ({
      id: over._id,
      input: { ...groupInput(values), expectedUpdatedAt: over.updatedAt },
    }),
    load: async () => (await load({ id: group._id }))?.scanGroup,
    done: "The scan group was changed",
  });
  const [remove] = useAction(DeleteScanGroupDocument, { done: "The scan group was deleted" });
  return (
    <Stack gap="lg">
      <ScanGroupForm form={form} onSubmit={save} disabled={!manager}>
        <Button type="submit" loading={busy} disabled={!manager || !form.isDirty()}>
          Save changes
        </Button>
      </ScanGroupForm>
      {dialog}
      {manager && (
        <DangerZone>
          <DangerAction
            title="Delete this scan group"
            text="It is refused while a device uses it. This can't be undone."
            button="Delete"
            typed={group.name}
            onConfirm={async () => {
              if (await remove({ id: group._id })) await navigate("/scan-groups", { replace: true });
            }}
          />
        </DangerZone>
      )}
    </Stack>
  );
}
