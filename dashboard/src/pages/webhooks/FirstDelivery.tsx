import { Button, Stack, Text } from "@mantine/core";
import { Link } from "react-router";
import { CodeView } from "../../components/CodeView";
import { listenCommand, subscribed, type Webhook } from "./webhooks";

/** What is left to do until the first delivery of a webhook comes: a listener, and an event. */
export function FirstDelivery({ of: webhook }: { of: Webhook }) {
  const command = listenCommand(webhook);
  const events = subscribed(webhook.events);
  return (
    <Stack gap="sm" w="100%" maw={560}>
      {command && <CodeView label="Be the listener, in a terminal of this machine" value={command} />}
      {events.includes("event.created") ? (
        <Button component={Link} to="/events/new" mx="auto">
          Create an event to see one
        </Button>
      ) : (
        <Text size="sm" c="dimmed" ta="center">
          {events.length > 0
            ? "The quickest to try is event.created: subscribe to it in the settings, and create an event."
            : "It is subscribed to nothing: choose its events in the settings."}
        </Text>
      )}
    </Stack>
  );
}
