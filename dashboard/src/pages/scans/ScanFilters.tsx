import { useDeviceChoices, useEventChoices, withChosen } from "../../components/choices";
import { FilterBar, LiveSwitch, SearchFilter, SelectFilter } from "../../components/Filters";
import { MoreFilters } from "../../components/MoreFilters";
import type { useFilters } from "../../components/useFilters";
import { directions, type FilterName, kinds, periods, reasons, results } from "./scans";
import { ScansChangedDocument } from "./scans.generated";

interface Props {
  filters: ReturnType<typeof useFilters<FilterName>>;
  refresh: () => void;
}

export function ScanFilters({ filters, refresh }: Props) {
  const { code, result, reason, direction, device, event, kind, period } = filters.values;
  const devices = withChosen(useDeviceChoices(), [device]);
  const events = withChosen(useEventChoices(), [event]);
  return (
    <FilterBar>
      <SearchFilter label="Code, exactly" value={code} onChange={(value) => filters.set({ code: value })} />
      <SelectFilter
        label="Result"
        any="Any result"
        options={results}
        value={result}
        onChange={(value) => filters.set({ result: value })}
      />
      <MoreFilters values={[period, reason, direction, device, event, kind]}>
        <SelectFilter
          label="Period"
          any="Last 24 hours"
          options={periods.map(({ value, label }) => ({ value, label }))}
          value={period}
          onChange={(value) => filters.set({ period: value })}
        />
        <SelectFilter
          label="Reason"
          any="Any reason"
          searchable
          options={Object.entries(reasons).map(([value, label]) => ({ value, label }))}
          value={reason}
          onChange={(value) => filters.set({ reason: value })}
        />
        <SelectFilter
          label="Direction"
          any="Any direction"
          options={directions}
          value={direction}
          onChange={(value) => filters.set({ direction: value })}
        />
        <SelectFilter
          label="Device"
          any="Any device"
          searchable
          options={devices}
          value={device}
          onChange={(value) => filters.set({ device: value })}
        />
        <SelectFilter
          label="Event"
          any="Any event"
          searchable
          options={events}
          value={event}
          onChange={(value) => filters.set({ event: value })}
        />
        <SelectFilter
          label="Kind"
          any="Any kind"
          options={Object.entries(kinds).map(([value, { label }]) => ({ value, label }))}
          value={kind}
          onChange={(value) => filters.set({ kind: value })}
        />
      </MoreFilters>
      <LiveSwitch refresh={refresh} changes={{ document: ScansChangedDocument, variables: {} }} />
    </FilterBar>
  );
}
