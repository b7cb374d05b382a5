import { useQuery } from "urql";
import type { Choice } from "../../components/choices";
import { SelectFilter } from "../../components/Filters";
import { useWebhookChoices } from "./useWebhookChoices";
import { failures, outcomeLabel } from "./webhooks";
import { EventTypesDocument } from "./webhooks.generated";

export const useWebhooks = () => useWebhookChoices() ?? [];

/** The types of events that this server knows. There may be deliveries of others. */
export function useEventTypes(): Choice[] {
  const [{ data }] = useQuery({ query: EventTypesDocument, requestPolicy: "cache-first" });
  return data?.eventTypes.map(({ type }) => ({ value: type, label: type })) ?? [];
}

/** What listeners mostly answer; any other outcome is filtered by where it is shown. */
const statuses = [200, 201, 202, 204, 302, 400, 401, 403, 404, 410, 429, 500, 502, 503, 504].map(String);

interface Props {
  value: string | undefined;
  onChange: (value: string | null) => void;
}

/** How the latest call of a delivery ended. */
export function OutcomeFilter({ value, onChange }: Props) {
  const outcomes = [...new Set([...Object.keys(failures), ...statuses, ...(value ? [value] : [])])];
  return (
    <SelectFilter
      label="Latest call"
      any="Any outcome"
      searchable
      options={outcomes.map((outcome) => ({ value: outcome, label: outcomeLabel(outcome) }))}
      value={value}
      onChange={onChange}
    />
  );
}
