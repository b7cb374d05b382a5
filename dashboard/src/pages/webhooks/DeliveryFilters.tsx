import { useQuery } from "urql";
import { withChosen } from "../../components/choices";
import { DayFilter } from "../../components/DayFilter";
import { FilterBar, LiveSwitch, SearchFilter, SelectFilter } from "../../components/Filters";
import { MoreFilters } from "../../components/MoreFilters";
import type { useFilters } from "../../components/useFilters";
import type { FilterName } from "./deliveries";
import { DeliveriesChangedDocument } from "./deliveries.generated";
import { useWebhookChoices } from "./useWebhookChoices";
import { deliveryStates, failures, outcomeLabel } from "./webhooks";
import { EventTypesDocument } from "./webhooks.generated";

interface Props {
  filters: ReturnType<typeof useFilters<FilterName>>;
  webhookId: string | undefined;
  refresh: () => void;
}

/** What listeners mostly answer; any other outcome is filtered by where it is shown. */
const statuses = [
  "200",
  "201",
  "202",
  "204",
  "302",
  "400",
  "401",
  "403",
  "404",
  "410",
  "429",
  "500",
  "502",
  "503",
  "504",
];

export function DeliveryFilters({ filters, webhookId, refresh }: Props) {
  const { webhook, state, type, outcome, object, from, until } = filters.values;
  const [{ data: known }] = useQuery({ query: EventTypesDocument, requestPolicy: "cache-first" });
  const webhooks = useWebhookChoices();
  // What is asked for is shown, also where this server knows no such event: there may be deliveries of it.
  const types = [...new Set([...(known?.eventTypes.map((kind) => kind.type) ?? []), ...(type ? [type] : [])])];
  const outcomes = [...new Set([...Object.keys(failures), ...statuses, ...(outcome ? [outcome] : [])])];
  return (
    <FilterBar>
      <SearchFilter label="Id of the object" value={object} onChange={(value) => filters.set({ object: value })} />
      <SelectFilter
        label="State"
        any="Any state"
        options={Object.entries(deliveryStates).map(([value, { label }]) => ({ value, label }))}
        value={state}
        onChange={(value) => filters.set({ state: value })}
      />
      {!webhookId && (
        <SelectFilter
          label="Webhook"
          any="Any webhook"
          searchable
          options={withChosen(webhooks ?? [], [webhook])}
          value={webhook}
          onChange={(value) => filters.set({ webhook: value })}
        />
      )}
      <MoreFilters values={[type, outcome, from, until]}>
        <SelectFilter
          label="Event type"
          any="Any event"
          searchable
          options={types}
          value={type}
          onChange={(value) => filters.set({ type: value })}
        />
        <SelectFilter
          label="Latest call"
          any="Any outcome"
          searchable
          options={outcomes.map((value) => ({ value, label: outcomeLabel(value) }))}
          value={outcome}
          onChange={(value) => filters.set({ outcome: value })}
        />
        <DayFilter
          label="Happened"
          from={from}
          until={until}
          onChange={(from, until) => filters.set({ from, until })}
        />
      </MoreFilters>
      <LiveSwitch
        refresh={refresh}
        changes={{ document: DeliveriesChangedDocument, variables: { webhookId: webhookId ?? webhook } }}
      />
    </FilterBar>
  );
}
