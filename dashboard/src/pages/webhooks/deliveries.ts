import { choice, type NameOf } from "../../components/useFilters";
import { daySpan } from "../../lib/days";
import type { DeliveryFilter, DeliveryState } from "./deliveries.generated";
import { deliveryStates } from "./webhooks";

export const filterNames = [
  "webhook",
  choice("state", Object.keys(deliveryStates)),
  "type",
  "outcome",
  "object",
  "from",
  "until",
] as const;

export type FilterName = NameOf<(typeof filterNames)[number]>;

/** What the API takes of the filters in the address; a state that there is not is left out. */
export function deliveryFilter(
  { webhook, state, type, outcome, object, from, until }: Record<FilterName, string | undefined>,
  webhookId: string | undefined,
): DeliveryFilter {
  const span = daySpan(from, until);
  return {
    webhookId: webhookId ?? webhook,
    type,
    outcome: outcome?.toLowerCase(),
    objectId: object,
    state: state && state in deliveryStates ? (state as DeliveryState) : undefined,
    createdFrom: span.from,
    createdUntil: span.until,
  };
}
