import { Anchor, Group, Stack, Text, ThemeIcon } from "@mantine/core";
import { Check, Circle } from "lucide-react";
import { Link } from "react-router";
import { useQuery } from "urql";
import { ErrorState } from "../../components/ErrorState";
import { Panel } from "../../components/Panel";
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

/** The queries of the steps. The last two require the role Developer. */
export const gateFilled = { query: OverviewGateDocument, context: ofGate };
export const keysThere = { query: OverviewKeysDocument, context: ofKeys };
export const webhooksThere = { query: OverviewWebhooksDocument, context: ofWebhooks };

/** The steps from an empty account to the first delivery and the first scan. Hidden once all are done. */
export function Checklist({ developer, webhooks }: { developer: boolean; webhooks: boolean }) {
  const [keys] = useQuery({ ...keysThere, pause: !developer });
  const [hooks] = useQuery({ ...webhooksThere, pause: !developer || !webhooks });
  const [gate, again] = useQuery(gateFilled);
  const steps: Step[] = [
    ...(developer
      ? [
          {
            title: "Create an API key",
            text: "Programs use a key to call the API for this seller.",
            to: "/keys",
            done: keys.data && keys.data.keys.nodes.length > 0,
          },
        ]
      : []),
    {
      title: "Fill an access list",
      text: "Add the codes of cards and wristbands that admit people at the gate.",
      to: "/lists",
      done: gate.data && gate.data.accessLists.totalCount > 0,
    },
    {
      title: "Pair a device",
      text: "Connect a scanner or turnstile that checks tickets.",
      to: "/devices",
      done: gate.data && gate.data.accessUsers.totalCount > 0,
    },
    ...(developer && webhooks
      ? [
          {
            title: "Create a webhook",
            text: "Get notified when something happens, and see your first delivery.",
            to: "/webhooks",
            done: hooks.data && hooks.data.webhooks.totalCount > 0,
          },
        ]
      : []),
  ];
  if (gate.error && !gate.data) return <ErrorState error={gate.error} onRetry={again} />;
  // Hidden if all steps are done, and shown only once loaded, so that the content below doesn't move.
  const waiting = gate.fetching || keys.fetching || hooks.fetching;
  if (steps.every(({ done }) => done ?? waiting)) return null;
  return (
    <Panel title="First steps">
      <Stack component="ol" gap="md" p={0} m={0} style={{ listStyle: "none" }}>
        {steps.map((step) => (
          <ShownStep key={step.title} {...step} />
        ))}
      </Stack>
    </Panel>
  );
}

function ShownStep({ title, text, to, done }: Step) {
  return (
    <Group component="li" wrap="nowrap" gap="md" align="flex-start">
      <ThemeIcon variant={done ? "filled" : "default"} radius="xl" size={26} mt={2}>
        {done ? <Check size={15} aria-label="Done" /> : <Circle size={13} aria-label="To do" />}
      </ThemeIcon>
      <div>
        <Anchor component={Link} to={to} fw={550}>
          {title}
        </Anchor>
        <Text size="sm" c="dimmed">
          {text}
        </Text>
      </div>
    </Group>
  );
}
