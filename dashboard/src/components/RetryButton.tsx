import { Button } from "@mantine/core";
import { Send } from "lucide-react";
import type { AnyVariables, TypedDocumentNode } from "urql";
import { useAction } from "./useAction";

interface Props<Data, Variables extends AnyVariables> {
  /** The label of the button, such as "Retry". */
  label: string;
  document: TypedDocumentNode<Data, Variables>;
  variables: Variables;
  /** Whether a requested attempt has not finished yet. */
  requested: boolean;
  onRetry: () => void;
}

/** Requests another attempt. */
export function RetryButton<Data, Variables extends AnyVariables>(props: Props<Data, Variables>) {
  const { label, document, variables, requested, onRetry } = props;
  const [retry, busy] = useAction(document, { done: "Retry queued" });
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
