import { Anchor, Stack, Table, Text } from "@mantine/core";
import type { ReactNode } from "react";
import { Link } from "react-router";
import { CopyValue } from "../../components/CopyValue";
import { Quiet } from "../../components/cells";
import { Facts } from "../../components/Facts";
import { exactTime } from "../../components/RelativeTime";
import { address } from "../../lib/address";
import type { AuditLogQuery } from "./audit.generated";
import classes from "./audit.module.css";
import { differences } from "./changes";
import { inWords } from "./words";

export type Entry = AuditLogQuery["auditLog"]["nodes"][number];

const actors: Record<string, string> = {
  USER: "User",
  APP: "App",
  API_KEY: "API key",
  ORGANIZATION_KEY: "Organization key",
  DEVICE: "Device",
  BUYER: "Buyer",
  SYSTEM: "Platform",
};

/** Returns the kind of caller that made a change. */
const actorOf = ({ actorType }: Entry) => actors[actorType] ?? actorType;

interface Props {
  of: Entry;
  /** Filters the log by the same actor or the same object. */
  onNarrow: (filter: { actor: string } | { object: string }) => void;
}

/** The details of a change: actor, time, IP address and changed fields. */
export function EntryDetails({ of: entry, onNarrow }: Props) {
  return (
    <Stack>
      <Facts
        columns={2}
        facts={[
          ["Time", exactTime(entry.at)],
          ["IP address", entry.address || "None – changed by the server"],
          ["Action", <Identified key="action">{entry.action}</Identified>],
          ["Actor", <Actor key="by" of={entry} />],
          [
            "Object",
            <Named
              key="object"
              name={inWords(entry.object)}
              kind={<Identified>{entry.object}</Identified>}
              id={entry.objectId}
            />,
          ],
          [
            "Request ID",
            entry.requestId ? <CopyValue key="request" value={entry.requestId} label="Copy request ID" /> : "None",
          ],
        ]}
      />
      <Stack gap={4} align="flex-start">
        <Anchor component="button" size="sm" onClick={() => onNarrow({ object: entry.objectId })}>
          View all changes to this object
        </Anchor>
        {entry.actorId && (
          <Anchor component="button" size="sm" onClick={() => onNarrow({ actor: entry.actorId })}>
            View all changes by this actor
          </Anchor>
        )}
      </Stack>
      <Changes of={entry} />
    </Stack>
  );
}

function Changes({ of: { before, after } }: { of: Entry }) {
  const changes = differences(before, after);
  if (changes.length === 0) return <Text c="dimmed">No visible fields changed. Secrets are never shown.</Text>;
  return (
    <Table.ScrollContainer minWidth={0} type="native">
      <Table aria-label="Changed fields" verticalSpacing="xs" layout="fixed">
        <Table.Thead>
          <Table.Tr>
            <Table.Th>Field</Table.Th>
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
    None
  </Text>
);

/** The pages of actors, by kind. */
const actorPages: Record<string, (id: string) => string> = {
  USER: () => "/settings",
  API_KEY: (id) => address("/keys", id),
  DEVICE: (id) => address("/devices", id),
};

/** The actor of a change, by name if the reader may see it. */
export function Actor({ of: entry }: { of: Entry }) {
  const { actorName, actorId, actorType } = entry;
  if (!actorName) return <Named name={actorOf(entry)} id={actorId} />;
  const page = actorPages[actorType]?.(actorId);
  const name = page ? (
    <Anchor component={Link} to={page} size="sm">
      {actorName}
    </Anchor>
  ) : (
    actorName
  );
  return <Named name={name} kind={<Quiet>{actorOf(entry)}</Quiet>} id={actorId} />;
}

/** The API name of an action or object type, as used in filters and the reference. */
export function Identified({ children }: { children: string }) {
  return (
    <Quiet>
      <code>{children}</code>
    </Quiet>
  );
}

/** An object or actor with its name, kind and ID. */
export function Named({ name, kind, id }: { name: ReactNode; kind?: ReactNode; id: string }) {
  return (
    <Stack gap={2}>
      <Text size="sm" component="div">
        {name}
      </Text>
      {kind}
      {id && <CopyValue value={id} label="Copy ID" />}
    </Stack>
  );
}
