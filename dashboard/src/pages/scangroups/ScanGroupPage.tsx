import { Stack } from "@mantine/core";
import { useQuery } from "urql";
import { CodeView } from "../../components/CodeView";
import { DangerZone } from "../../components/DangerZone";
import { DeleteAction } from "../../components/DeleteAction";
import { Editor } from "../../components/Editor";
import { Loaded } from "../../components/Loaded";
import { Page } from "../../components/Page";
import { PageTabs } from "../../components/PageTabs";
import { SaveButton } from "../../components/SaveButton";
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
  const [{ data, error }, again] = useQuery({ query: ScanGroupDocument, variables: { id } });
  return (
    <Page title={data?.scanGroup.name ?? "Scan group"} parents={[{ to: "/scan-groups", label: "Scan groups" }]}>
      <Loaded data={data} error={error} onRetry={again}>
        {({ scanGroup }) => (
          <PageTabs
            keepMounted
            tabs={[
              {
                name: "editor",
                label: "Editor",
                panel: <Editor of={scanGroup}>{(opened) => <ChangeScanGroup of={opened} />}</Editor>,
              },
              {
                name: "json",
                label: "JSON",
                panel: <CodeView label="The scan group as it is stored" value={printed(scanGroup)} maxHeight={720} />,
              },
            ]}
          />
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
  return (
    <Stack gap="lg">
      <ScanGroupForm form={form} onSubmit={save} disabled={!manager}>
        <SaveButton busy={busy} changed={manager && form.isDirty()} />
      </ScanGroupForm>
      {dialog}
      {manager && (
        <DangerZone>
          <DeleteAction
            title="Delete this scan group"
            text="It is refused while a device uses it. This can't be undone."
            typed={group.name}
            document={DeleteScanGroupDocument}
            variables={{ id: group._id }}
            done="The scan group was deleted"
            after="/scan-groups"
          />
        </DangerZone>
      )}
    </Stack>
  );
}
