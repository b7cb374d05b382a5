import { Anchor, Badge, Code, Group, Paper, Stack, Text } from "@mantine/core";
import { Link } from "react-router";
import { type Caller, callerNames, type Operation } from "./openapi";

/** The callers of an operation, with the permission or role that each needs. */
export function Callers({ operation }: { operation: Operation }) {
  if (!operation.served) {
    return <Text size="sm">Ticketgate sends this request to your endpoint.</Text>;
  }
  return (
    <Paper withBorder p="md">
      <Stack gap="xs">
        {operation.callers.map((caller) => (
          <Group key={caller.scheme} gap="sm">
            <Text size="sm" fw={550} w={{ base: "auto", xs: 140 }}>
              {callerNames[caller.scheme] ?? caller.scheme}
            </Text>
            <Needs caller={caller} />
          </Group>
        ))}
        {operation.open && <Text size="sm">No credential required. Requests are rate-limited by IP address.</Text>}
        <Text size="xs" c="dimmed">
          All operations:{" "}
          <Anchor underline="always" component={Link} to="/docs/permissions" size="xs">
            Permissions
          </Anchor>
        </Text>
      </Stack>
    </Paper>
  );
}

function Needs({ caller: { scheme, needs } }: { caller: Caller }) {
  if (scheme === "session") {
    return (
      <>
        <Badge variant="default" tt="none" fw={550}>
          {needs[0]}
        </Badge>
        <Text size="sm" c="dimmed">
          or a higher role
        </Text>
      </>
    );
  }
  if (needs.length > 0) return needs.map((permission) => <Code key={permission}>{permission}</Code>);
  return (
    <Text size="sm" c="dimmed">
      {scheme === "apiKey" ? "no permission required" : about[scheme]}
    </Text>
  );
}

const about: Record<string, string> = {
  organizationKey: "of the organization",
  systemToken: "with the x-seller-id header",
  deviceToken: "with the token header",
  checkoutSecret: "with the checkout-secret header",
};
