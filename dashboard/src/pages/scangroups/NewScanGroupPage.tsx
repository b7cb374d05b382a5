import { Button } from "@mantine/core";
import { Link, useNavigate } from "react-router";
import { Page } from "../../components/Page";
import { useAction } from "../../components/useAction";
import { ScanGroupForm, useScanGroupForm } from "./ScanGroupForm";
import { type GroupValues, groupInput } from "./scangroups";
import { CreateScanGroupDocument } from "./scangroups.generated";

export default function NewScanGroupPage() {
  const navigate = useNavigate();
  const form = useScanGroupForm();
  const [create, busy] = useAction(CreateScanGroupDocument, { form, done: "The scan group was created" });
  async function submit(values: GroupValues) {
    const made = await create({ input: groupInput(values) });
    if (made) await navigate(`/scan-groups/${made.createScanGroup._id}`, { replace: true });
  }
  return (
    <Page title="Create a scan group" parents={[{ to: "/scan-groups", label: "Scan groups" }]}>
      <ScanGroupForm form={form} onSubmit={submit}>
        <Button component={Link} to="/scan-groups" variant="default">
          Cancel
        </Button>
        <Button type="submit" loading={busy}>
          Create scan group
        </Button>
      </ScanGroupForm>
    </Page>
  );
}
