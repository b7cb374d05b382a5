import { minutesAgo } from "../../lib/days";
import { oneOf } from "../../lib/states";
import type { ScanFieldsFragment, ScanFilter, ScanReason } from "./scans.generated";

export type Scan = ScanFieldsFragment;

/** The reasons for declining a scan, in the order of the checks. */
export const reasons: Record<ScanReason, string> = {
  EVENT_NOT_ASSIGNED: "Event not assigned",
  DIRECTION_NOT_ENABLED: "Direction not enabled",
  UNKNOWN_CODE: "Unknown code",
  TICKET_INVALID: "Ticket invalid",
  TICKET_EXPIRED: "Ticket expired",
  DETAILS_REQUIRED: "Details required",
  WRONG_EVENT: "Wrong event",
  BLOCKED_FOR_EVENT: "Blocked for event",
  TICKET_TYPE_NOT_ALLOWED: "Ticket type not allowed",
  OUTSIDE_TIMESLOT: "Outside timeslot",
  OUTSIDE_EVENT_TIME: "Outside event time",
  ALREADY_CHECKED_IN: "Already checked in",
  NOT_CHECKED_IN: "Not checked in",
};

/** What each rule requires, phrased so that a check mark means it is met. */
export const requirements: Record<ScanReason, string> = {
  EVENT_NOT_ASSIGNED: "The event is assigned to the device",
  DIRECTION_NOT_ENABLED: "The direction is enabled",
  UNKNOWN_CODE: "The code is known",
  TICKET_INVALID: "The ticket is valid",
  TICKET_EXPIRED: "The ticket hasn't expired",
  DETAILS_REQUIRED: "The holder's details are complete",
  WRONG_EVENT: "The ticket is for this event",
  BLOCKED_FOR_EVENT: "The ticket isn't blocked for the event",
  TICKET_TYPE_NOT_ALLOWED: "The ticket type is allowed",
  OUTSIDE_TIMESLOT: "The scan is within the timeslot",
  OUTSIDE_EVENT_TIME: "The scan is within the event time",
  ALREADY_CHECKED_IN: "The ticket isn't checked in",
  NOT_CHECKED_IN: "The ticket is checked in",
};

export const directions = { checkin: "Check-in", checkout: "Check-out" };

/** The periods that the filter offers. */
export const periods = {
  "15m": { label: "Last 15 minutes", minutes: 15 },
  "1h": { label: "Last hour", minutes: 60 },
  "7d": { label: "Last 7 days", minutes: 7 * 24 * 60 },
  all: { label: "Any time", minutes: Number.POSITIVE_INFINITY },
};

/** Returns the start of a period; one day ago by default. */
export function since(period: string | undefined, now?: number): string | undefined {
  const known = oneOf(periods, period);
  const minutes = known ? periods[known].minutes : 24 * 60;
  return Number.isFinite(minutes) ? minutesAgo(minutes, now) : undefined;
}

/** Filters for exceptional scans. */
export const kinds: Record<string, { label: string; filter: ScanFilter }> = {
  late: { label: "Late", filter: { late: true } },
  conflict: { label: "Conflict", filter: { conflict: true } },
  offline: { label: "Offline", filter: { offline: true } },
  annulled: { label: "Annulled", filter: { annulled: true } },
};

export const results = { approved: "Approved", declined: "Declined" };

type Filters = "code" | "result" | "reason" | "direction" | "device" | "event" | "kind";

/** Returns the API filter for the filters in the address. Invalid values are left out. */
export function scanFilter(values: Partial<Record<Filters, string | undefined>>): ScanFilter {
  const { code, result, reason, direction, device, event, kind } = values;
  return {
    ...kinds[kind ?? ""]?.filter,
    barcode: code,
    deviceId: device,
    eventId: event,
    scanResult: oneOf(results, result),
    type: oneOf(directions, direction),
    reason: oneOf(reasons, reason),
  };
}
