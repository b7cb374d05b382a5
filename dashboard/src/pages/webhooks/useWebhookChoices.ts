import { useMemo } from "react";
import { useQuery } from "urql";
import { type Choice, toChoices } from "../../components/choices";
import { WebhookChoicesDocument } from "./deliveries.generated";

const context = { additionalTypenames: ["Webhook"] };

/** The seller's webhooks, each by its name; nothing until they are known. */
export function useWebhookChoices(): Choice[] | undefined {
  const [{ data }] = useQuery({ query: WebhookChoicesDocument, context });
  return useMemo(() => data && toChoices(data.webhooks.nodes), [data]);
}

/** What a delivery's webhook is called, which may have been deleted since. */
export function webhookNamed(choices: Choice[] | undefined, id: string): string {
  if (!choices) return "…";
  return choices.find(({ value }) => value === id)?.label ?? "a deleted webhook";
}
