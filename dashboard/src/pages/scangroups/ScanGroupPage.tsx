import { Stack } from "@mantine/core";
import { useQuery } from "urql";
import { CodeView } from "../../components/CodeView";
import { DangerZone } from "../../components/DangerZone";
import { DeleteRecord } from "../../components/DeleteAction";
import { Editor } from "../../components/Editor";
import { Loaded } from "../../components/Loaded";
import { Page } from "../../components/Page";
import { PageTabs } from "../../components/PageTabs";
import { SaveButton } from "../../components/SaveButton";
import { useRecordEdit } from "../../components/useEdit";
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
                label: "Settings",
                panel: <Editor of={scanGroup}>{(opened) => <ChangeScanGroup of={opened} />}</Editor>,
              },
              {
                name: "json",
                label: "JSON",
                panel: <CodeView label="Stored scan group" value={printed(scanGroup)} maxHeight={720} />,
              },
            ]}
          />
        )}
      </Loaded>
    </Page>
  );
}

/** Removes unset fields, and fields that only the page's cache needs. */
function printed(group: ScanGroup): string {
  return JSON.stringify(group, (name, value) => (value === null || name === "__typename" ? undefined : value), 2);
}

function ChangeScanGroup({ of: group }: { of: ScanGroup }) {
  const manager = useMay("MANAGER");
  const form = useScanGroupForm(group);
  const { save, busy, dialog } = useRecordEdit(UpdateScanGroupDocument, {
    of: group,
    form,
    values: groupValues,
    fields: useGroupFields(),
    input: groupInput,
    query: ScanGroupDocument,
    found: ({ scanGroup }) => scanGroup,
    done: "Scan group saved",
  });
  return (
    <Stack gap="lg">
      <ScanGroupForm form={form} onSubmit={save} disabled={!manager}>
        <SaveButton busy={busy} changed={manager && form.isDirty()} />
      </ScanGroupForm>
      {dialog}
      {manager && (
        <DangerZone>
          <DeleteRecord
            noun="scan group"
            of={group}
            text="This can't be undone. A scan group can't be deleted while a device uses it."
            document={DeleteScanGroupDocument}
            after="/scan-groups"
          />
        </DangerZone>
      )}
    </Stack>
  );
}
