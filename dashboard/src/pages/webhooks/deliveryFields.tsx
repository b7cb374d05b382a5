import { useQuery } from "urql";
import type { Choice } from "../../components/choices";
import { SelectFilter } from "../../components/Filters";
import { useWebhookChoices } from "./useWebhookChoices";
import { failures, outcomeLabel } from "./webhooks";
import { EventTypesDocument } from "./webhooks.generated";

export const useWebhooks = () => useWebhookChoices() ?? [];

/** The event types that this server knows. Deliveries of other types may exist. */
export function useEventTypes(): Choice[] {
  const [{ data }] = useQuery({ query: EventTypesDocument, requestPolicy: "cache-first" });
  return data?.eventTypes.map(({ type }) => ({ value: type, label: type })) ?? [];
}

/** Frequent outcomes. Other outcomes can be filtered from where they are shown. */
const statuses = [200, 201, 202, 204, 302, 400, 401, 403, 404, 410, 429, 500, 502, 503, 504].map(String);

interface Props {
  value: string | undefined;
  onChange: (value: string | null) => void;
}

/** A filter by the outcome of the latest attempt. */
export function OutcomeFilter({ value, onChange }: Props) {
  const outcomes = [...new Set([...Object.keys(failures), ...statuses, ...(value ? [value] : [])])];
  return (
    <SelectFilter
      label="Last attempt"
      any="Any result"
      searchable
      options={outcomes.map((outcome) => ({ value: outcome, label: outcomeLabel(outcome) }))}
      value={value}
      onChange={onChange}
    />
  );
}
