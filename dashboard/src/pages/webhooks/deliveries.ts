import { daySpan } from "../../lib/days";
import { oneOf } from "../../lib/states";
import type { DeliveryFilter } from "./deliveries.generated";
import { deliveryStates } from "./webhooks";

type Filters = "webhook" | "state" | "type" | "outcome" | "object" | "from" | "until";

/** Returns the API filter for the filters in the address. Unknown statuses are left out. */
export function deliveryFilter(
  { webhook, state, type, outcome, object, from, until }: Partial<Record<Filters, string | undefined>>,
  webhookId: string | undefined,
): DeliveryFilter {
  return {
    webhookId: webhookId ?? webhook,
    type,
    outcome: outcome?.toLowerCase(),
    objectId: object,
    state: oneOf(deliveryStates, state),
    ...daySpan("created", from, until),
  };
}
