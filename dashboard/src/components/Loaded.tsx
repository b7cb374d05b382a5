import { Skeleton, Stack } from "@mantine/core";
import type { ReactNode } from "react";
import type { CombinedError } from "urql";
import { ErrorState } from "./ErrorState";

interface Props<Data> {
  data: Data | undefined;
  error?: CombinedError | undefined;
  onRetry: () => void;
  children: (data: Data) => ReactNode;
}

/** Content that depends on a query: loading, failed, or loaded. */
export function Loaded<Data>({ data, error, onRetry, children }: Props<Data>) {
  if (data) return children(data);
  if (error) return <ErrorState error={error} onRetry={onRetry} />;
  return (
    <Stack aria-busy role="status" aria-label="Loading">
      <Skeleton height={28} width="40%" />
      <Skeleton height={120} />
      <Skeleton height={220} />
    </Stack>
  );
}
