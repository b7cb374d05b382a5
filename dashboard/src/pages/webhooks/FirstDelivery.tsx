import { Anchor, Stack, Text } from "@mantine/core";
import { Link } from "react-router";
import { CodeView } from "../../components/CodeView";
import { useProduction } from "../../session/session";
import { SendTestEvent } from "./SendTestEvent";
import { listenCommand, unsettled, type Webhook } from "./webhooks";

/** The steps to the first delivery of a webhook: its settings, an endpoint, and an event. */
export function FirstDelivery({ of: webhook }: { of: Webhook }) {
  const command = useProduction() ? undefined : listenCommand(webhook);
  const open = unsettled(webhook);
  return (
    <Stack gap="sm" w="100%" maw={560}>
      {open.map((text) => (
        <Text key={text} size="sm" c="dimmed" ta="center">
          {text}
        </Text>
      ))}
      {open.length > 0 && (
        <Anchor component={Link} to="?tab=settings" size="sm" ta="center">
          Edit settings
        </Anchor>
      )}
      {command && <CodeView label="Receive it on this machine" value={command} />}
      <SendTestEvent of={webhook} mx="auto" />
    </Stack>
  );
}
