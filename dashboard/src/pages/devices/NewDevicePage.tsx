import { useState } from "react";
import { useNavigate } from "react-router";
import { CodeView } from "../../components/CodeView";
import { CreateButtons } from "../../components/CreateButtons";
import { Page } from "../../components/Page";
import { SecretDialog } from "../../components/SecretDialog";
import { useAction } from "../../components/useAction";
import { address } from "../../lib/address";
import { DeviceForm, type DeviceValues, deviceInput, useDeviceForm } from "./DeviceForm";
import { CreateDeviceDocument, type CreateDeviceMutation } from "./devices.generated";

type CreatedDevice = CreateDeviceMutation["createAccessUser"];

export default function NewDevicePage() {
  const navigate = useNavigate();
  const form = useDeviceForm();
  const [created, setCreated] = useState<CreatedDevice>();
  const [create, busy] = useAction(CreateDeviceDocument, { form });
  async function submit(values: DeviceValues) {
    const data = await create({ input: deviceInput(values) });
    if (data) setCreated(data.createAccessUser);
  }
  return (
    <Page title="Create device" parents={[{ to: "/devices", label: "Devices" }]}>
      <DeviceForm form={form} onSubmit={submit}>
        <CreateButtons back="/devices" busy={busy}>
          Create device
        </CreateButtons>
      </DeviceForm>
      <SecretDialog
        title={`Device token for “${created?.name}”`}
        secret={created?.token ?? undefined}
        onClose={() => void navigate(address("/devices", created?._id ?? ""), { replace: true })}
      >
        <CodeView label="Try it" value={firstCall(created)} />
      </SecretDialog>
    </Page>
  );
}

/** Returns a request that the new device may make. */
function firstCall(created: CreatedDevice | undefined): string {
  const query = '{"query":"{ thisAccessUser { name active } }"}';
  return `curl ${window.location.origin}/graphql \\\n  -H "token: ${created?.token}" \\\n  -H "Content-Type: application/json" -d '${query}'`;
}
