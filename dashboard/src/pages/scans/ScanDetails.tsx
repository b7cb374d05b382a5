import { Anchor, Button, Group, Stack } from "@mantine/core";
import { Link } from "react-router";
import { ConfirmButton } from "../../components/ConfirmButton";
import { CopyValue } from "../../components/CopyValue";
import { nameOf, useEventChoices, useZoneChoices } from "../../components/choices";
import { Facts } from "../../components/Facts";
import { exactTime } from "../../components/RelativeTime";
import { useAction } from "../../components/useAction";
import { address } from "../../lib/address";
import { useMay } from "../../session/session";
import { ScanMarks, ScanResultPill } from "./ScanPills";
import { reasons, type Scan } from "./scans";
import { AnnulScanDocument } from "./scans.generated";

/** The details of a scan. */
export function ScanDetails({ of: scan }: { of: Scan }) {
  const manager = useMay("MANAGER");
  const annullable = manager && scan.scanResult === "approved" && !scan.annulledAt;
  return (
    <Stack>
      <Group gap={6}>
        <ScanResultPill of={scan} />
        <ScanMarks of={scan} />
      </Group>
      <ScanFacts of={scan} />
      <Group justify="flex-end">
        <Button component={Link} to={simulation(scan)} variant="default">
          Simulate scan
        </Button>
        {annullable && <AnnulButton id={scan._id} />}
      </Group>
    </Stack>
  );
}

/** Returns the address that simulates the same scan. */
function simulation({ barcode, deviceId, scanGroupId, eventId, type }: Scan): string {
  const question = new URLSearchParams({ code: barcode, direction: type === "checkin" ? "IN" : "OUT" });
  if (deviceId) question.set("device", deviceId);
  else if (scanGroupId) question.set("group", scanGroupId);
  if (eventId) question.set("event", eventId);
  return `/simulator?${question}`;
}

function ScanFacts({ of: scan }: { of: Scan }) {
  const events = useEventChoices();
  const zones = useZoneChoices();
  return (
    <Facts
      columns={2}
      facts={[
        ["Time", exactTime(scan.time)],
        ["Recorded", exactTime(scan.createdAt)],
        ["Direction", scan.type === "checkin" ? "Check-in" : "Check-out"],
        ["Reason", scan.reason ? reasons[scan.reason] : "None"],
        ["Code", <CopyValue key="code" value={scan.barcode} label="Copy code" />],
        ["Ticket", scan.ticketId ? <CopyValue key="ticket" value={scan.ticketId} label="Copy ticket ID" /> : "Unknown"],
        ["Ticket type", scan.ticketName ?? "–"],
        ["Holder", scan.name ?? "–"],
        ["Event", scan.eventId ? nameOf(events, scan.eventId) : "–"],
        ["Zone", scan.scanZoneId ? nameOf(zones, scan.scanZoneId) : "None"],
        ["Device", <DeviceLink key="device" of={scan} />],
        ["Device time", scan.scannedAt ? exactTime(scan.scannedAt) : "–"],
        ["Annulled", scan.annulledAt ? exactTime(scan.annulledAt) : "No"],
        ["ID", <CopyValue key="id" value={scan._id} label="Copy ID" />],
      ]}
    />
  );
}

function DeviceLink({ of: { deviceId, deviceName } }: { of: Scan }) {
  if (!deviceId) return "–";
  return (
    <Anchor component={Link} to={address("/devices", deviceId)} size="sm">
      {deviceName ?? deviceId}
    </Anchor>
  );
}

/** Annuls an approved scan after a confirmation. */
function AnnulButton({ id }: { id: string }) {
  const [annul, busy] = useAction(AnnulScanDocument, { done: "Scan annulled" });
  return (
    <ConfirmButton
      variant="outline"
      color="red"
      label="Annul scan"
      title="Annul scan?"
      text="The scan no longer counts. This can't be undone."
      danger
      busy={busy}
      onConfirm={() => annul({ id })}
    />
  );
}
