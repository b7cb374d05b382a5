import { nameOf, useEventChoices, useZoneChoices, withSeries } from "../../components/choices";
import { type Fields, shown } from "../../lib/conflict";
import { type EventValues, type GroupValues, seconds } from "./scangroups";

/** The editor's fields, with names in place of ids. */
export function useGroupFields(): Fields<GroupValues> {
  const events = useEventChoices(withSeries);
  const zones = useZoneChoices();
  return {
    name: "Name",
    locked: "Lock the configuration",
    events: {
      label: "Events",
      show: (chosen) => chosen.map((event) => eventWords(event, nameOf(events, event.eventId))).join("; ") || "–",
    },
    scanZoneId: { label: "Zone", show: (id) => (id ? nameOf(zones, id) : "–") },
    checkin: "Check-in",
    checkout: "Check-out",
    multiCheckin: "Check in again after a check-out",
    checkTimeslots: "Check timeslots",
    tapAndGo: "Tap and go",
    tapEvents: { label: "Tap and go for", show: (which) => (which === "all" ? "Every event" : "Chosen events") },
    tapEventIds: { label: "Events for tap and go", show: (ids) => shown(ids.map((id) => nameOf(events, id))) },
    repeated: "Scanned before",
    highlighted: "Highlighted",
    actionRequired: "Something to do",
    sound: "Sound",
    haptic: "Vibration",
    revealSeconds: { label: "A result is shown for", show: secondsOf },
    syncSeconds: { label: "Tickets are fetched every", show: secondsOf },
  };
}

const secondsOf = (count: string | null) => (count ? seconds(Number(count)) : "–");

/** Shows an event of a scan group with its settings. */
export function eventWords(event: EventValues, name: string): string {
  const { allTypes, ticketTypeIds, beforeMinutes, afterMinutes, checkTime, beforeHours, afterHours } = event;
  const words = [
    allTypes ? "all ticket types" : `ticket types: ${ticketTypeIds.length}`,
    span("slot", beforeMinutes, afterMinutes, "min"),
    checkTime && (span("event", beforeHours, afterHours, "h") || "only around the event"),
  ];
  return `${name} (${words.filter(Boolean).join(", ")})`;
}

function span(what: string, before: number | string, after: number | string, unit: string): string {
  return before === "" && after === "" ? "" : `${what} −${before || 0}/+${after || 0} ${unit}`;
}
