import { Badge, Button, Group, SimpleGrid, Stack, Table, Text, Title } from "@mantine/core";
import { Check, Plus } from "lucide-react";
import { useQuery } from "urql";
import { Bars } from "../../components/Bars";
import { Loaded } from "../../components/Loaded";
import { Panel } from "../../components/Panel";
import { RelativeTime } from "../../components/RelativeTime";
import { useAction } from "../../components/useAction";
import { useNow } from "../../components/useNow";
import { shownDay } from "../../lib/days";
import type { Key } from "./keys";
import { KeyDocument, KeyUsageDocument, UpdateKeyDocument } from "./keys.generated";
import { byStatus, dayBars, type Usage } from "./usage";

const series = [
  { name: "accepted", label: "accepted", tone: "good" },
  { name: "refused", label: "rejected (4xx)", tone: "warning" },
  { name: "failed", label: "failed (5xx)", tone: "bad" },
] as const;

/** The requests made with a key, and those rejected for a missing permission. */
export function KeyUsage({ of: key }: { of: Key }) {
  const [{ data, error }, again] = useQuery({ query: KeyUsageDocument, variables: { id: key._id } });
  return (
    <Panel title="Usage">
      <Loaded data={data} error={error} onRetry={again}>
        {({ apiKey: { usage } }) =>
          usage && (
            <Stack gap="lg">
              <Calls of={usage} />
              <Refused of={usage} by={key} />
              <Used of={usage} />
            </Stack>
          )
        }
      </Loaded>
    </Panel>
  );
}

function Calls({ of: { calls } }: { of: Usage }) {
  if (calls.length === 0) {
    return <Text c="dimmed">No requests in the last 30 days. New requests appear within seconds.</Text>;
  }
  return (
    <Stack gap="sm">
      <Bars
        label="Requests per day in the last 30 days"
        series={series}
        bars={dayBars(calls).map(({ day, ...counts }) => ({ label: shownDay(day), counts }))}
      />
      <Group gap="xs" role="list" aria-label="Requests by status in the last 30 days">
        {byStatus(calls).map(({ status, calls: count }) => (
          <Badge key={status} variant="default" tt="none" role="listitem">
            {status}: {count.toLocaleString()}
          </Badge>
        ))}
      </Group>
    </Stack>
  );
}

/** Requests rejected for a missing permission, with a button to add it. */
function Refused({ of: { refused }, by: key }: { of: Usage; by: Key }) {
  const [update, busy] = useAction(UpdateKeyDocument, { done: "Permission added" });
  const load = useNow(KeyDocument);
  if (refused.length === 0) return null;
  const held = key.permissions ?? [];
  async function add(permission: string) {
    const current = (await load({ id: key._id }))?.apiKey;
    if (!current) return;
    const permissions = [...new Set([...(current.permissions ?? []), permission])];
    await update({ id: key._id, input: { permissions, expectedUpdatedAt: current.updatedAt } });
  }
  return (
    <div>
      <Title order={3} size="h5" mb="xs">
        Rejected for a missing permission
      </Title>
      <Table aria-label="Rejected for a missing permission">
        <Table.Tbody>
          {refused.map(({ permission, calls, lastAt }) => (
            <Table.Tr key={permission}>
              <Table.Td fw={550}>{permission}</Table.Td>
              <Table.Td>
                {times(calls)}, last <RelativeTime at={lastAt} />
              </Table.Td>
              <Table.Td ta="right">
                {key.fullSellerAccess || held.includes(permission) ? (
                  <Badge variant="default" tt="none" leftSection={<Check size={13} aria-hidden />}>
                    Permission added
                  </Badge>
                ) : (
                  <Button
                    variant="default"
                    size="compact-sm"
                    leftSection={<Plus size={14} aria-hidden />}
                    loading={busy}
                    onClick={() => add(permission)}
                    aria-label={`Add ${permission}`}
                  >
                    Add permission
                  </Button>
                )}
              </Table.Td>
            </Table.Tr>
          ))}
        </Table.Tbody>
      </Table>
    </div>
  );
}

function Used({ of: { used } }: { of: Usage }) {
  if (used.length === 0) return null;
  return (
    <div>
      <Title order={3} size="h5" mb="xs">
        Permissions used
      </Title>
      <SimpleGrid cols={{ base: 1, sm: 2, lg: 3 }} spacing="md" verticalSpacing="xs">
        {used.map(({ permission, calls, lastAt }) => (
          <Text key={permission} size="sm">
            <b>{permission}</b>
            <br />
            <Text span size="xs" c="dimmed">
              {times(calls)}, last <RelativeTime at={lastAt} />
            </Text>
          </Text>
        ))}
      </SimpleGrid>
    </div>
  );
}

function times(calls: number): string {
  return calls === 1 ? "Once" : `${calls.toLocaleString()} times`;
}
