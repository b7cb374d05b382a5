import { Alert, Button, Group, Stack, Text } from "@mantine/core";
import { RefreshCw, TriangleAlert } from "lucide-react";
import { type ReactNode, use } from "react";
import { Link } from "react-router";
import type { CombinedError } from "urql";
import { failureOf } from "../lib/failure";
import { SessionContext } from "../session/session";
import { ParentContext } from "./Page";
import { RequestId } from "./RequestId";

const titles: Record<string, string> = {
  NETWORK: "No connection",
  NOT_FOUND: "Not found",
  FORBIDDEN: "Access denied",
  FEATURE_NOT_ENABLED: "Not enabled",
};

interface Props {
  error: CombinedError;
  onRetry: () => void;
  /** Another next step. */
  children?: ReactNode;
}

/** An error while loading, with its reason and a retry button. A missing record gets a link to its list. */
export function ErrorState({ error, onRetry, children }: Props) {
  const failure = failureOf(error);
  const parent = use(ParentContext);
  const session = use(SessionContext);
  const missing = failure.code === "NOT_FOUND";
  return (
    <Alert
      color="red"
      variant="light"
      icon={<TriangleAlert aria-hidden />}
      title={titles[failure.code] ?? "Data couldn't be loaded"}
    >
      <Stack gap="sm" align="flex-start">
        <Text size="sm">{failure.message}</Text>
        {missing && session?.seller && session.sellers.length > 1 && (
          <Text size="sm">
            The current seller is {session.seller.name}. If the record belongs to another seller, switch sellers at the
            top of the page.
          </Text>
        )}
        <Group gap="sm">
          <Button size="xs" variant="default" leftSection={<RefreshCw size={14} aria-hidden />} onClick={onRetry}>
            Try again
          </Button>
          {missing && parent && (
            <Button size="xs" variant="default" component={Link} to={parent.to}>
              {parent.label}
            </Button>
          )}
          {children}
          <RequestId of={failure} />
        </Group>
      </Stack>
    </Alert>
  );
}
