import { Button, Group, Loader, Modal, Paper, Stack, Text } from "@mantine/core";
import { Send } from "lucide-react";
import { useState } from "react";
import { useQuery } from "urql";
import { ErrorState } from "../../components/ErrorState";
import { useAction } from "../../components/useAction";
import { CountDeliveriesDocument, type DeliveryFilter, RetriggerDeliveriesDocument } from "./deliveries.generated";

/** How many are taken at once. */
const most = 1000;

interface Props {
  /** Those that are selected. */
  ids: string[];
  /** The filters, when they show failed deliveries and nothing else. */
  filter: DeliveryFilter | undefined;
  onDone: () => void;
}

type Wanted = { ids: string[] } | { filter: DeliveryFilter };

/** Sends several deliveries once more: those that are selected, or all failed ones that the filters show. */
export function Retrigger({ ids, filter, onDone }: Props) {
  const [wanted, setWanted] = useState<Wanted>();
  if (ids.length === 0 && !filter && !wanted) return null;
  return (
    <Paper withBorder px="md" py="xs">
      <Group justify="space-between" gap="xs">
        <Text size="sm" role="status">
          {ids.length > 0 ? `${ids.length} selected` : "Select deliveries to send them once more."}
        </Text>
        <Group gap="xs">
          {filter && (
            <Button variant="default" size="xs" onClick={() => setWanted({ filter })}>
              Re-trigger all that failed
            </Button>
          )}
          <Button
            size="xs"
            leftSection={<Send size={14} aria-hidden />}
            disabled={ids.length === 0}
            onClick={() => setWanted({ ids })}
          >
            Re-trigger selected
          </Button>
        </Group>
      </Group>
      <Modal opened={wanted !== undefined} onClose={() => setWanted(undefined)} title="Send once more" centered>
        {wanted && (
          <Confirm
            wanted={wanted}
            close={(done) => {
              setWanted(undefined);
              if (done) onDone();
            }}
          />
        )}
      </Modal>
    </Paper>
  );
}

function Confirm({ wanted, close }: { wanted: Wanted; close: (done: boolean) => void }) {
  const filter = "filter" in wanted ? wanted.filter : undefined;
  const [{ data, error }, again] = useQuery({
    query: CountDeliveriesDocument,
    variables: { filter },
    pause: !filter,
    requestPolicy: "network-only",
  });
  const [retrigger, busy] = useAction(RetriggerDeliveriesDocument, { done: "The attempts were asked for" });
  const count = "ids" in wanted ? wanted.ids.length : data?.webhookDeliveries.totalCount;
  if (error) return <ErrorState error={error} onRetry={again} />;
  if (count === undefined) return <Loader aria-label="Counting" />;
  async function confirm() {
    const input = "ids" in wanted ? { ids: wanted.ids } : { filter: wanted.filter, count };
    if (await retrigger({ input })) close(true);
    else if (filter) again(); // there may be others by now: the number is confirmed anew
  }
  const deliveries = count === 1 ? "1 delivery" : `${count.toLocaleString()} deliveries`;
  return (
    <Stack>
      <Text size="sm">
        {filter ? `These filters show ${deliveries} that failed.` : `${deliveries} selected.`} Each is attempted once
        more at once, with the same id and the same bytes.
      </Text>
      {count > most && (
        <Text size="sm" role="alert">
          At most {most.toLocaleString()} are sent at a time. Narrow the filters, for example by the day on which it
          happened.
        </Text>
      )}
      <Group justify="flex-end">
        <Button variant="default" onClick={() => close(false)}>
          Cancel
        </Button>
        <Button onClick={confirm} loading={busy} disabled={count === 0 || count > most} data-autofocus>
          Re-trigger {deliveries}
        </Button>
      </Group>
    </Stack>
  );
}
