import { Anchor, Group, Paper, Stack, Text, ThemeIcon, Title } from "@mantine/core";
import { Check, Circle } from "lucide-react";
import { Link } from "react-router";
import { useQuery } from "urql";
import { Loaded } from "../../components/Loaded";
import { pages } from "../index";
import { OverviewGateDocument, OverviewKeysDocument, OverviewWebhooksDocument } from "./overview.generated";

interface Step {
  title: string;
  text: string;
  to: string;
  done: boolean | undefined;
}

const ofKeys = { additionalTypenames: ["ApiKey"] };
const ofWebhooks = { additionalTypenames: ["Webhook", "Delivery"] };
const ofGate = { additionalTypenames: ["AccessList", "AccessUser"] };

/** The question for what lets people in; that of a developer's steps is asked when the role is known. */
export const gateFilled = { query: OverviewGateDocument, context: ofGate };

/** The way from an empty account to the first delivery and the first scan, until it has been gone. */
export function Checklist({ developer, webhooks }: { developer: boolean; webhooks: boolean }) {
  const [keys] = useQuery({ query: OverviewKeysDocument, pause: !developer, context: ofKeys });
  const [hooks] = useQuery({ query: OverviewWebhooksDocument, pause: !developer || !webhooks, context: ofWebhooks });
  const [gate, again] = useQuery(gateFilled);
  const steps: Step[] = [
    ...(developer
      ? [
          {
            title: "Create an API key",
            text: "A program acts for this seller with a key of its own.",
            to: "/keys",
            done: keys.data && keys.data.apiKeys.length > 0,
          },
        ]
      : []),
    {
      title: "Fill an access list",
      text: "Cards and codes that open the gate.",
      to: "/lists",
      done: gate.data && gate.data.accessLists.totalCount > 0,
    },
    {
      title: "Pair a device",
      text: "A scanner or turnstile that asks for admission.",
      to: "/devices",
      done: gate.data && gate.data.accessUsers.totalCount > 0,
    },
    ...(developer && webhooks
      ? [
          {
            title: "Create a webhook",
            text: "Be told when something has happened. Its page leads to the first delivery.",
            to: "/webhooks",
            done: hooks.data && hooks.data.webhooks.totalCount > 0,
          },
        ]
      : []),
  ];
  if (steps.every(({ done }) => done)) return null;
  return (
    <Loaded data={gate.data} error={gate.error} onRetry={again}>
      {() => (
        <Paper withBorder p="lg" component="section" aria-labelledby="first-steps">
          <Title order={2} size="h4" id="first-steps" mb="md">
            First steps
          </Title>
          <Stack component="ol" gap="md" p={0} m={0} style={{ listStyle: "none" }}>
            {steps.map((step) => (
              <ShownStep key={step.title} {...step} />
            ))}
          </Stack>
        </Paper>
      )}
    </Loaded>
  );
}

const hasPage = (path: string) => pages.some((page) => page.path === path);

function ShownStep({ title, text, to, done }: Step) {
  return (
    <Group component="li" wrap="nowrap" gap="md" align="flex-start">
      <ThemeIcon variant={done ? "filled" : "default"} radius="xl" size={26} mt={2}>
        {done ? <Check size={15} aria-label="Done" /> : <Circle size={13} aria-label="To do" />}
      </ThemeIcon>
      <div>
        {hasPage(to) ? (
          <Anchor component={Link} to={to} fw={550}>
            {title}
          </Anchor>
        ) : (
          <Text fw={550}>{title}</Text>
        )}
        <Text size="sm" c="dimmed">
          {text}
        </Text>
      </div>
    </Group>
  );
}
