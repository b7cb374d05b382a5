import { Code, Group, Paper, Stack, Text, Title } from "@mantine/core";
import { useEffect, useState } from "react";
import { useQuery } from "urql";
import { CodeView } from "../../components/CodeView";
import { Loaded } from "../../components/Loaded";
import { Page } from "../../components/Page";
import { EventCatalogueDocument, type EventCatalogueQuery } from "./docs.generated";
import classes from "./docs.module.css";
import { loadEventsIntroduction } from "./guides";
import { Markdown } from "./Markdown";
import { Reference } from "./Reference";
import { Unfold } from "./Unfold";
import { useAnchor } from "./useAnchor";

type Kind = EventCatalogueQuery["eventTypes"][number];

/** The event types of webhooks, with sample data. */
export default function EventTypesPage() {
  const [{ data, error }, again] = useQuery({ query: EventCatalogueDocument });
  const [introduction, setIntroduction] = useState<string>();
  useEffect(() => void loadEventsIntroduction().then(setIntroduction), []);
  useAnchor(data && introduction);
  return (
    <Reference>
      <Page title="Webhook events">
        {introduction && <Markdown text={introduction} />}
        <Loaded data={data} error={error} onRetry={again}>
          {({ eventTypes }) =>
            grouped(eventTypes).map(([resource, kinds]) => (
              <Stack key={resource} gap="sm" component="section" aria-label={resource}>
                <Title order={2} size="h4">
                  {resource}
                </Title>
                {kinds.map((kind) => (
                  <EventKind key={kind.type} kind={kind} />
                ))}
              </Stack>
            ))
          }
        </Loaded>
      </Page>
    </Reference>
  );
}

/** Groups event types by resource, in the order of the server. */
function grouped(kinds: Kind[]): [resource: string, kinds: Kind[]][] {
  const groups = new Map<string, Kind[]>();
  for (const kind of kinds) {
    const resource = kind.type.slice(0, kind.type.lastIndexOf("."));
    groups.set(resource, [...(groups.get(resource) ?? []), kind]);
  }
  return [...groups];
}

function EventKind({ kind: { type, trigger, data, sample } }: { kind: Kind }) {
  return (
    <Paper withBorder p="md" id={type} className={classes.anchor}>
      <Group justify="space-between" gap="xs">
        <Text fw={600} className={classes.path}>
          {type}
        </Text>
        <Group gap={4}>
          {data.map((member) => (
            <Code key={member}>{member}</Code>
          ))}
        </Group>
      </Group>
      <Text size="sm" my={4} className={classes.trigger}>
        {trigger}
      </Text>
      <Unfold summary="Sample data">
        <CodeView label={type} value={sample} />
      </Unfold>
    </Paper>
  );
}
