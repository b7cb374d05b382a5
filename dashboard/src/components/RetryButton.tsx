import { Button } from "@mantine/core";
import { Send } from "lucide-react";
import type { AnyVariables, TypedDocumentNode } from "urql";
import { useAction } from "./useAction";

interface Props<Data, Variables extends AnyVariables> {
  /** What the button says, such as "Re-trigger". */
  label: string;
  document: TypedDocumentNode<Data, Variables>;
  variables: Variables;
  /** Whether an attempt was asked for that has not ended yet. */
  requested: boolean;
  onRetry: () => void;
}

/** Asks for another attempt of what was sent. */
export function RetryButton<Data, Variables extends AnyVariables>(props: Props<Data, Variables>) {
  const { label, document, variables, requested, onRetry } = props;
  const [retry, busy] = useAction(document, { done: "An attempt was asked for" });
  return (
    <Button
      leftSection={<Send size={16} aria-hidden />}
      loading={busy}
      disabled={requested}
      onClick={async () => {
        if (await retry(variables)) onRetry();
      }}
    >
      {label}
    </Button>
  );
}
