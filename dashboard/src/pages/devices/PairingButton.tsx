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

// Loaded when there is a code to show.
const QrPicture = lazy(() => import("../../components/QrPicture"));

type Code = IssuePairingCodeMutation["issuePairingCode"];

/** Creates a pairing code. Asks first, because the code ends the device's token. */
export function PairingButton({ id, onMade }: { id: string; onMade: () => void }) {
  const [opened, { open, close }] = useDisclosure();
  const [code, setCode] = useState<Code>();
  const [issue, busy] = useAction(IssuePairingCodeDocument);
  useUnsaved(() => code && "You won't be able to see this pairing code again.");
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
        Pair device
      </Button>
      <Modal
        opened={opened}
        onClose={() => leaving(done, code !== undefined)}
        title="Pair device"
        centered
        closeOnClickOutside={!code}
      >
        {code ? (
          <Pairing code={code} onDone={done} />
        ) : (
          <Stack>
            <Text size="sm">
              Scan the pairing code with the device, or enter it there. The code works once and expires after a day. The
              device's current token and earlier pairing codes stop working immediately.
            </Text>
            <Group justify="flex-end">
              <Button variant="default" onClick={done}>
                Cancel
              </Button>
              <Button onClick={make} loading={busy}>
                Create pairing code
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
        <CopyButton value={code} label="Copy pairing code" />
      </Group>
      <Suspense fallback={<Skeleton h={220} w={220} mx="auto" />}>
        <QrPicture value={qrPayload} label="Pairing code as a QR code" />
      </Suspense>
      <Text size="sm" ta="center">
        Scan this code with the device, or enter it there. The code works once and expires{" "}
        <RelativeTime at={expiresAt} />. You won't be able to see it again.
      </Text>
      <Stack gap={4}>
        <Text size="sm" c="dimmed">
          QR code content
        </Text>
        <CopyValue value={qrPayload} label="Copy QR code content" />
      </Stack>
      <Group justify="flex-end">
        <Button onClick={onDone}>Done</Button>
      </Group>
    </Stack>
  );
}
