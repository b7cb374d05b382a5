import { useNavigate } from "react-router";
import { CreateButtons } from "../../components/CreateButtons";
import { Page } from "../../components/Page";
import { useAction } from "../../components/useAction";
import { address } from "../../lib/address";
import { ScanGroupForm } from "./ScanGroupForm";
import { type GroupValues, groupInput } from "./scangroups";
import { CreateScanGroupDocument } from "./scangroups.generated";
import { useScanGroupForm } from "./useScanGroupForm";

export default function NewScanGroupPage() {
  const navigate = useNavigate();
  const form = useScanGroupForm();
  const [create, busy] = useAction(CreateScanGroupDocument, { form, done: "Scan group created" });
  async function submit(values: GroupValues) {
    const made = await create({ input: groupInput(values) });
    if (made) await navigate(address("/scan-groups", made.createScanGroup._id), { replace: true });
  }
  return (
    <Page title="Create scan group" parents={[{ to: "/scan-groups", label: "Scan groups" }]}>
      <ScanGroupForm form={form} onSubmit={submit}>
        <CreateButtons back="/scan-groups" busy={busy}>
          Create scan group
        </CreateButtons>
      </ScanGroupForm>
    </Page>
  );
}
