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

type Made = CreateDeviceMutation["createAccessUser"];

export default function NewDevicePage() {
  const navigate = useNavigate();
  const form = useDeviceForm();
  const [made, setMade] = useState<Made>();
  const [create, busy] = useAction(CreateDeviceDocument, { form });
  async function submit(values: DeviceValues) {
    const created = await create({ input: deviceInput(values) });
    if (created) setMade(created.createAccessUser);
  }
  return (
    <Page title="Create device" parents={[{ to: "/devices", label: "Devices" }]}>
      <DeviceForm form={form} onSubmit={submit}>
        <CreateButtons back="/devices" busy={busy}>
          Create device
        </CreateButtons>
      </DeviceForm>
      <SecretDialog
        title={`Device token for “${made?.name}”`}
        secret={made?.token ?? undefined}
        onClose={() => void navigate(address("/devices", made?._id ?? ""), { replace: true })}
      >
        <CodeView label="Try it" value={firstCall(made)} />
      </SecretDialog>
    </Page>
  );
}

/** Returns a request that the new device may make. */
function firstCall(made: Made | undefined): string {
  const query = '{"query":"{ thisAccessUser { name active } }"}';
  return `curl ${window.location.origin}/graphql \\\n  -H "token: ${made?.token}" \\\n  -H "Content-Type: application/json" -d '${query}'`;
}
