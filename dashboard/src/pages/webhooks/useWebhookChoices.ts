import { useMemo } from "react";
import { useQuery } from "urql";
import { type Choice, toChoices } from "../../components/choices";
import { WebhookChoicesDocument } from "./deliveries.generated";

const context = { additionalTypenames: ["Webhook"] };

/** Returns the seller's webhooks as options; undefined while loading. */
export function useWebhookChoices(): Choice[] | undefined {
  const [{ data }] = useQuery({ query: WebhookChoicesDocument, context });
  return useMemo(() => data && toChoices(data.webhooks.nodes), [data]);
}

/** Returns the name of a delivery's webhook, which may have been deleted. */
export function webhookNamed(choices: Choice[] | undefined, id: string): string {
  if (!choices) return "…";
  return choices.find(({ value }) => value === id)?.label ?? "Deleted webhook";
}
