import { Anchor, Code, Stack } from "@mantine/core";
import { useState } from "react";
import { Link } from "react-router";
import { useQuery } from "urql";
import { CopyValue } from "../../components/CopyValue";
import { nameOf, useScanGroupChoices } from "../../components/choices";
import { DangerAction, DangerZone } from "../../components/DangerZone";
import { DeleteRecord } from "../../components/DeleteAction";
import { Editor } from "../../components/Editor";
import { Facts } from "../../components/Facts";
import { Loaded } from "../../components/Loaded";
import { Page } from "../../components/Page";
import { RelativeTime } from "../../components/RelativeTime";
import { SaveButton } from "../../components/SaveButton";
import { SecretDialog } from "../../components/SecretDialog";
import { SwitchedOff } from "../../components/SwitchedOff";
import { useAction } from "../../components/useAction";
import { useRecordEdit } from "../../components/useEdit";
import { address, narrowed, useRecordId } from "../../lib/address";
import { changedOf } from "../../lib/changed";
import { useMay } from "../../session/session";
import { DeviceForm, deviceInput, deviceValues, useDeviceFields, useDeviceForm } from "./DeviceForm";
import { DeviceStatus } from "./DeviceStatus";
import type { Device } from "./devices";
import {
  DeleteDeviceDocument,
  DeviceDocument,
  RenewDeviceTokenDocument,
  UpdateDeviceDocument,
} from "./devices.generated";
import { PairingButton } from "./PairingButton";

export default function DevicePage() {
  const id = useRecordId();
  const [{ data, error }, again] = useQuery({ query: DeviceDocument, variables: { id } });
  const [token, setToken] = useState<string>();
  const manager = useMay("MANAGER");
  const device = data?.accessUser;
  return (
    <Page
      title={device?.name ?? "Device"}
      parents={[{ to: "/devices", label: "Devices" }]}
      status={device && <DeviceStatus of={device} />}
      actions={device && manager && <PairingButton id={id} onMade={() => again({ requestPolicy: "network-only" })} />}
    >
      <Loaded data={data} error={error} onRetry={again}>
        {({ accessUser }) => (
          <Stack gap="lg">
            <DeviceFacts of={accessUser} />
            <Editor of={accessUser}>{(opened) => <ChangeDevice of={opened} disabled={!manager} />}</Editor>
            {manager && <Switches of={accessUser} onToken={setToken} />}
          </Stack>
        )}
      </Loaded>
      <SecretDialog title="New device token" secret={token} onClose={() => setToken(undefined)} />
    </Page>
  );
}

function DeviceFacts({ of: device }: { of: Device }) {
  const groups = useScanGroupChoices();
  const group = device.deviceSettings?.scanGroupId;
  return (
    <Facts
      facts={[
        ["ID", <CopyValue key="id" value={device._id} label="Copy ID" />],
        ["Token", device.hint ? <Code key="hint">{device.hint}</Code> : "None yet"],
        [
          "Scan group",
          group ? (
            <Anchor key="group" component={Link} to={address("/scan-groups", group)} size="sm">
              {nameOf(groups, group)}
            </Anchor>
          ) : (
            "None – the device can't scan"
          ),
        ],
        ["Last seen", <RelativeTime key="seen" at={device.lastUsedAt} />],
        ["Expires", <RelativeTime key="expires" at={device.expires} />],
        ["Pairing code expires", <RelativeTime key="pairing" at={device.pairingExpiresAt} never="None" />],
        ["Created", <RelativeTime key="created" at={device.createdAt} />],
        ["Updated", <RelativeTime key="changed" at={device.updatedAt} />],
        [
          "Scans",
          <Anchor key="scans" component={Link} to={narrowed("/scans", "device", device._id)} size="sm">
            View scan log
          </Anchor>,
        ],
      ]}
    />
  );
}

function ChangeDevice({ of: device, disabled }: { of: Device; disabled: boolean }) {
  const form = useDeviceForm(device);
  const { save, busy, dialog } = useRecordEdit(UpdateDeviceDocument, {
    of: device,
    form,
    values: deviceValues,
    fields: useDeviceFields(),
    input: (values, over) => changedOf(deviceInput(values), deviceInput(deviceValues(over))),
    query: DeviceDocument,
    found: ({ accessUser }) => accessUser,
    done: "Device saved",
  });
  return (
    <>
      <DeviceForm form={form} onSubmit={save} disabled={disabled}>
        <SaveButton busy={busy} changed={!disabled && form.isDirty()} />
      </DeviceForm>
      {dialog}
    </>
  );
}

/** The actions that end the device's token or delete the device. */
function Switches({ of: device, onToken }: { of: Device; onToken: (token: string) => void }) {
  const [update, busy] = useAction(UpdateDeviceDocument, {
    done: device.active ? "Device disabled" : "Device enabled",
  });
  const [renew] = useAction(RenewDeviceTokenDocument);
  const set = (active: boolean) => update({ id: device._id, input: { active } });
  return (
    <>
      {!device.active && (
        <SwitchedOff
          text="This device is disabled. Its requests are rejected."
          noun="device"
          busy={busy}
          onSwitchOn={() => set(true)}
        />
      )}
      <DangerZone>
        <DangerAction
          title="Renew token"
          text="The device gets a new token, which is shown only once. The old token stops working immediately."
          button="Renew token"
          onConfirm={async () => {
            const renewed = await renew({ id: device._id });
            if (renewed) onToken(renewed.renewAccessUserToken.token ?? "");
          }}
        />
        {device.active && (
          <DangerAction
            title="Disable device"
            text="Requests from this device are rejected immediately. You can enable the device again."
            button="Disable device"
            onConfirm={() => set(false)}
          />
        )}
        <DeleteRecord
          noun="device"
          of={device}
          text="The device's token stops working immediately. Its scans are kept. This can't be undone."
          document={DeleteDeviceDocument}
          after="/devices"
        />
      </DangerZone>
    </>
  );
}
