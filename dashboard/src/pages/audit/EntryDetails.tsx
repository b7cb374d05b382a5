import { Anchor, Stack, Table, Text } from "@mantine/core";
import { CopyValue } from "../../components/CopyValue";
import { Facts } from "../../components/Facts";
import { exactTime } from "../../components/RelativeTime";
import type { AuditLogQuery } from "./audit.generated";
import classes from "./audit.module.css";
import { differences } from "./changes";

export type Entry = AuditLogQuery["auditLog"]["nodes"][number];

const actors: Record<string, string> = {
  USER: "User",
  APP: "App",
  API_KEY: "API key",
  ORGANIZATION_KEY: "Organization's key",
  SYSTEM: "Platform",
};

/** What kind of caller made a change. */
export const actorOf = ({ actorType }: Entry) => actors[actorType] ?? actorType;

interface Props {
  of: Entry;
  /** Narrows the log to what the same actor did, or what was done to the same object. */
  onNarrow: (filter: { actor: string } | { object: string }) => void;
}

/** One change: who, when, from where, and what was different afterwards. */
export function EntryDetails({ of: entry, onNarrow }: Props) {
  return (
    <Stack>
      <Facts
        columns={2}
        facts={[
          ["When", exactTime(entry.at)],
          ["Address", entry.address || "none: the program itself"],
          ["By", <Named key="by" name={actorOf(entry)} id={entry.actorId} />],
          ["Object", <Named key="object" name={entry.object} id={entry.objectId} />],
          [
            "Request id",
            entry.requestId ? <CopyValue key="request" value={entry.requestId} label="Copy the request id" /> : "none",
          ],
        ]}
      />
      <Stack gap={4} align="flex-start">
        <Anchor component="button" size="sm" onClick={() => onNarrow({ object: entry.objectId })}>
          All changes of this object
        </Anchor>
        {entry.actorId && (
          <Anchor component="button" size="sm" onClick={() => onNarrow({ actor: entry.actorId })}>
            All changes by this actor
          </Anchor>
        )}
      </Stack>
      <Changes of={entry} />
    </Stack>
  );
}

function Changes({ of: { before, after } }: { of: Entry }) {
  const changes = differences(before, after);
  if (changes.length === 0)
    return <Text c="dimmed">No member that is shown has changed. Secrets are never shown.</Text>;
  return (
    <Table.ScrollContainer minWidth={0} type="native">
      <Table aria-label="What has changed" verticalSpacing="xs" layout="fixed">
        <Table.Thead>
          <Table.Tr>
            <Table.Th>Member</Table.Th>
            <Table.Th>Before</Table.Th>
            <Table.Th>After</Table.Th>
          </Table.Tr>
        </Table.Thead>
        <Table.Tbody>
          {changes.map((change) => (
            <Table.Tr key={change.member} className={classes.change}>
              <Table.Td fw={550}>{change.member}</Table.Td>
              <Table.Td>{change.before === undefined ? <None /> : <del>{change.before}</del>}</Table.Td>
              <Table.Td>{change.after === undefined ? <None /> : <ins>{change.after}</ins>}</Table.Td>
            </Table.Tr>
          ))}
        </Table.Tbody>
      </Table>
    </Table.ScrollContainer>
  );
}

const None = () => (
  <Text span size="sm" c="dimmed">
    none
  </Text>
);

/** An object or actor by its kind and id. */
export function Named({ name, id }: { name: string; id: string }) {
  return (
    <Stack gap={2}>
      <Text size="sm">{name}</Text>
      {id && <CopyValue value={id} label="Copy the id" />}
    </Stack>
  );
}
