import { nameOf, useEventChoices, useZoneChoices, withSeries } from "../../components/choices";
import { type Fields, shown } from "../../lib/conflict";
import { type EventValues, type GroupValues, seconds } from "./scangroups";

/** The fields of the form, with names instead of IDs. */
export function useGroupFields(): Fields<GroupValues> {
  const events = useEventChoices(withSeries);
  const zones = useZoneChoices();
  return {
    name: "Name",
    locked: "Lock configuration",
    events: {
      label: "Events",
      show: (chosen) => chosen.map((event) => eventWords(event, nameOf(events, event.eventId))).join("; ") || "–",
    },
    scanZoneId: { label: "Zone", show: (id) => (id ? nameOf(zones, id) : "–") },
    checkin: "Check-in",
    checkout: "Check-out",
    multiCheckin: "Allow re-entry",
    checkTimeslots: "Check timeslots",
    tapAndGo: "Allow tap and go",
    tapEvents: { label: "Tap and go for", show: (which) => (which === "all" ? "All events" : "Selected events") },
    tapEventIds: { label: "Tap and go events", show: (ids) => shown(ids.map((id) => nameOf(events, id))) },
    repeated: "Scanned before",
    highlighted: "Highlighted",
    actionRequired: "Action required",
    sound: "Sound",
    haptic: "Vibration",
    revealSeconds: { label: "Result duration", show: secondsOf },
    syncSeconds: { label: "Sync interval", show: secondsOf },
  };
}

const secondsOf = (count: string | null) => (count ? seconds(Number(count)) : "–");

/** Describes an event of a scan group with its settings. */
export function eventWords(event: EventValues, name: string): string {
  const { allTypes, ticketTypeIds, beforeMinutes, afterMinutes, checkTime, beforeHours, afterHours } = event;
  const words = [
    allTypes ? "all ticket types" : `ticket types: ${ticketTypeIds.length}`,
    span("slot", beforeMinutes, afterMinutes, "min"),
    checkTime && (span("event", beforeHours, afterHours, "h") || "limited to event time"),
  ];
  return `${name} (${words.filter(Boolean).join(", ")})`;
}

function span(what: string, before: number | string, after: number | string, unit: string): string {
  return before === "" && after === "" ? "" : `${what} −${before || 0}/+${after || 0} ${unit}`;
}
