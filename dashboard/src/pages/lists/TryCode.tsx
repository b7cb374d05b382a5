import { Button, Code, Group, Paper, SegmentedControl, Stack, Text, TextInput, Title } from "@mantine/core";
import { type FormEvent, useState } from "react";
import { useQuery } from "urql";
import { CopyValue } from "../../components/CopyValue";
import { ErrorState } from "../../components/ErrorState";
import { Facts } from "../../components/Facts";
import { StatusPill } from "../../components/StatusPill";
import { ticketStates } from "../tickets/tickets";
import { EventSelect } from "./EventSelect";
import { TryCodeDocument, type TryCodeQueryVariables } from "./entries.generated";
import { type Entry, holderOf, type List, type Trial, verdicts } from "./lists";

/** Shows what a device would get for a code. Nothing is recorded. */
export function TryCode({ of: list }: { of: List }) {
  const [code, setCode] = useState("");
  const [eventId, setEventId] = useState<string | null>(null);
  const [scope, setScope] = useState("this");
  const [asked, setAsked] = useState<TryCodeQueryVariables>();
  const [{ data, error, fetching }, again] = useQuery({
    query: TryCodeDocument,
    variables: asked ?? { code: "", eventId: "" },
    pause: !asked,
    requestPolicy: "network-only",
  });
  function submit(event: FormEvent) {
    event.preventDefault();
    if (code && eventId) setAsked({ code, eventId, ...(scope === "this" ? { listId: list._id } : {}) });
  }
  return (
    <Stack>
      <Paper withBorder p="lg" maw={760} component="section" aria-labelledby="try-code">
        <form onSubmit={submit}>
          <Stack>
            <Title order={2} size="h4" id="try-code">
              Test a code
            </Title>
            <TextInput
              label="Code"
              description="As read by the device"
              required
              autoComplete="off"
              spellCheck={false}
              value={code}
              onChange={(event) => setCode(event.currentTarget.value)}
            />
            <EventSelect label="Event" required value={eventId} onChange={setEventId} />
            <Group justify="space-between">
              <SegmentedControl
                aria-label="Lists to search"
                data={[
                  { value: "this", label: "This list" },
                  { value: "all", label: "All lists" },
                ]}
                value={scope}
                onChange={setScope}
              />
              <Button type="submit" loading={fetching} disabled={!code || !eventId}>
                Test code
              </Button>
            </Group>
          </Stack>
        </form>
      </Paper>
      {error && !fetching && <ErrorState error={error} onRetry={() => again({ requestPolicy: "network-only" })} />}
      {data && !fetching && !error && <Answer of={data.testAccessCode} />}
    </Stack>
  );
}

function Answer({ of: trial }: { of: Trial }) {
  const verdict = verdicts[trial.verdict];
  return (
    <Paper withBorder p="lg" maw={760} role="status" aria-label="Result">
      <Stack>
        <Group gap="sm">
          <StatusPill {...verdict} explanation={trial.message} />
          <Text size="sm">{trial.message}</Text>
        </Group>
        {trial.ticketId && (
          <Facts
            columns={2}
            facts={[
              ["Ticket", <CopyValue key="ticket" value={trial.ticketId} label="Copy ticket ID" />],
              ["Ticket status", trial.ticketStatus ? ticketStates[trial.ticketStatus].label : "Unknown"],
            ]}
          />
        )}
        <Found title="Entries with this code" entries={trial.entries} />
        <Found title="Entries that differ only in case (no match)" entries={trial.differInCase} />
      </Stack>
    </Paper>
  );
}

function Found({ title, entries }: { title: string; entries: Entry[] }) {
  if (entries.length === 0) return null;
  return (
    <Stack gap={6}>
      <Text size="sm" fw={500}>
        {title}
      </Text>
      {entries.map((entry) => (
        <Group key={entry._id} gap="xs">
          <Code>{entry.externalCode}</Code>
          {(holderOf(entry) || entry.email) && <Text size="sm">{holderOf(entry) || entry.email}</Text>}
          {entry.customerId && <CopyValue value={entry.customerId} label="Copy customer ID" />}
        </Group>
      ))}
    </Stack>
  );
}
