import { Button, Group, Modal, Skeleton, Stack, Text } from "@mantine/core";
import { useDisclosure } from "@mantine/hooks";
import { Link2 } from "lucide-react";
import { lazy, Suspense, useState } from "react";
import { CopyButton } from "../../components/CopyButton";
import { CopyValue } from "../../components/CopyValue";
import { RelativeTime } from "../../components/RelativeTime";
import { useAction } from "../../components/useAction";
import { leaving, useUnsaved } from "../../session/unsaved";
import { IssuePairingCodeDocument, type IssuePairingCodeMutation } from "./devices.generated";

// Fetched once there is a code to show.
const QrPicture = lazy(() => import("../../components/QrPicture"));

type Code = IssuePairingCodeMutation["issuePairingCode"];

/** Makes a code to be typed at the device; as it ends the device's token, it asks first. */
export function PairingButton({ id, onMade }: { id: string; onMade: () => void }) {
  const [opened, { open, close }] = useDisclosure();
  const [code, setCode] = useState<Code>();
  const [issue, busy] = useAction(IssuePairingCodeDocument);
  useUnsaved(() => code && "The pairing code is not shown again.");
  async function make() {
    const issued = await issue({ id });
    if (issued) setCode(issued.issuePairingCode);
  }
  function done() {
    close();
    if (code) onMade();
    setCode(undefined);
  }
  return (
    <>
      <Button variant="default" leftSection={<Link2 size={16} aria-hidden />} onClick={open}>
        Pair
      </Button>
      <Modal
        opened={opened}
        onClose={() => leaving(done, code !== undefined)}
        title="Pair this device"
        centered
        closeOnClickOutside={!code}
      >
        {code ? (
          <Pairing code={code} onDone={done} />
        ) : (
          <Stack>
            <Text size="sm">
              A pairing code is scanned by the device, or typed at it, once and within a day, and gives it a token of
              its own. The token that the device has now stops working at once, and so does an earlier code.
            </Text>
            <Group justify="flex-end">
              <Button variant="default" onClick={done}>
                Cancel
              </Button>
              <Button onClick={make} loading={busy}>
                Make a pairing code
              </Button>
            </Group>
          </Stack>
        )}
      </Modal>
    </>
  );
}

function Pairing({ code: { code, qrPayload, expiresAt }, onDone }: { code: Code; onDone: () => void }) {
  return (
    <Stack>
      <Group justify="center" gap="xs" wrap="nowrap" role="status">
        <Text ff="monospace" fz={28} fw={650} ta="center" style={{ overflowWrap: "anywhere" }}>
          {code}
        </Text>
        <CopyButton value={code} label="Copy the pairing code" />
      </Group>
      <Suspense fallback={<Skeleton h={220} w={220} mx="auto" />}>
        <QrPicture value={qrPayload} label="The pairing code as a QR code" />
      </Suspense>
      <Text size="sm" ta="center">
        Scan it with the device, or type it there. It works once, and ends <RelativeTime at={expiresAt} />. It is not
        shown again.
      </Text>
      <Stack gap={4}>
        <Text size="sm" c="dimmed">
          What the QR code holds
        </Text>
        <CopyValue value={qrPayload} label="Copy what the QR code holds" />
      </Stack>
      <Group justify="flex-end">
        <Button onClick={onDone}>Done</Button>
      </Group>
    </Stack>
  );
}
