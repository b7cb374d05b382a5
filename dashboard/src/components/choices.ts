import { useMemo } from "react";
import { useQuery } from "urql";
import {
  DeviceChoicesDocument,
  EventChoicesDocument,
  type EventChoicesQuery,
  ScanGroupChoicesDocument,
  type TicketedEventType,
  ZoneChoicesDocument,
} from "./choices.generated";

export interface Choice {
  value: string;
  label: string;
}

interface Named {
  _id: string;
  name: string;
}

/** Returns options. Equal names get the end of their IDs. */
export function toChoices(nodes: Named[] | undefined): Choice[] {
  const counts = new Map<string, number>();
  for (const { name } of nodes ?? []) counts.set(name, (counts.get(name) ?? 0) + 1);
  return (nodes ?? []).map(({ _id, name }) => ({
    value: _id,
    label: (counts.get(name) ?? 0) > 1 ? `${name} · ${_id.slice(-6)}` : name,
  }));
}

/** Returns the options, plus the selected values that are missing from them, labeled with their IDs. */
export function withChosen(choices: Choice[], chosen: (string | null | undefined)[]): Choice[] {
  const known = new Set(choices.map(({ value }) => value));
  const missing = chosen.filter((id): id is string => Boolean(id) && !known.has(id as string));
  return [...choices, ...missing.map((id) => ({ value: id, label: id }))];
}

/** Returns the label of an ID, or the ID itself. */
export function nameOf(choices: Choice[], id: string): string {
  return choices.find(({ value }) => value === id)?.label ?? id;
}

const cached = { requestPolicy: "cache-and-network" } as const;

const gates: TicketedEventType[] = ["SINGLE", "RECURRENCE"];

/** Returns the events that admit people; of a series only its dates. `types` selects other types. */
export function useEventChoices(types = gates): Choice[] {
  const [{ data }] = useQuery({ query: EventChoicesDocument, ...cached });
  return useMemo(() => toChoices(data?.events.nodes.filter(({ type }) => types.includes(type))), [data, types]);
}

/** The types of events that admit people, and series. */
export const withSeries: TicketedEventType[] = [...gates, "ROOT"];

const allTypes: TicketedEventType[] = [...withSeries, "GROUP"];

/** Returns events of all types. */
export const useAllEvents = () => useEventChoices(allTypes);

export type EventTimes = EventChoicesQuery["events"]["nodes"][number];

/** Returns all events with their times. */
export function useEventTimes(): EventTimes[] {
  const [{ data }] = useQuery({ query: EventChoicesDocument, ...cached });
  return data?.events.nodes ?? [];
}

export function useScanGroupChoices(): Choice[] {
  const [{ data }] = useQuery({ query: ScanGroupChoicesDocument, context: scanGroups, ...cached });
  return useMemo(() => toChoices(data?.scanGroups.nodes), [data]);
}

export function useDeviceChoices(): Choice[] {
  const [{ data }] = useQuery({ query: DeviceChoicesDocument, context: devices, ...cached });
  return useMemo(() => toChoices(data?.accessUsers.nodes), [data]);
}

export function useZoneChoices(): Choice[] {
  const [{ data }] = useQuery({ query: ZoneChoicesDocument, ...cached });
  return useMemo(() => toChoices(data?.scanZones.nodes), [data]);
}

const scanGroups = { additionalTypenames: ["ScanGroup"] };
const devices = { additionalTypenames: ["AccessUser"] };
