import type { CreateScanGroupInput, DeviceColor, ScanGroupFieldsFragment } from "./scangroups.generated";

export type ScanGroup = ScanGroupFieldsFragment;
type EventSettings = NonNullable<NonNullable<ScanGroup["scanConfig"]>["events"]>[number];

/** The form values of an event. Empty numbers are unset. */
export interface EventValues {
  eventId: string;
  allTypes: boolean;
  ticketTypeIds: string[];
  beforeMinutes: number | string;
  afterMinutes: number | string;
  checkTime: boolean;
  beforeHours: number | string;
  afterHours: number | string;
}

/** The form values of a scan group. */
export interface GroupValues {
  name: string;
  locked: boolean;
  events: EventValues[];
  scanZoneId: string | null;
  checkin: boolean;
  checkout: boolean;
  multiCheckin: boolean;
  checkTimeslots: boolean;
  tapAndGo: boolean;
  tapEvents: "all" | "some";
  tapEventIds: string[];
  repeated: DeviceColor | null;
  highlighted: DeviceColor | null;
  actionRequired: DeviceColor | null;
  sound: boolean;
  haptic: boolean;
  revealSeconds: string | null;
  syncSeconds: string | null;
}

export const colors: DeviceColor[] = ["green", "orange", "red", "blue", "pink"];
export const revealSeconds = [1, 3, 5, 10, 15, 30];
export const syncSeconds = [5, 15, 30, 60, 300, 600, 900];

export function eventValues(eventId: string, settings?: EventSettings): EventValues {
  return {
    eventId,
    allTypes: settings ? Boolean(settings.allowAllTicketTypes) : true,
    ticketTypeIds: settings?.allowedTicketTypeIds ?? [],
    beforeMinutes: settings?.timeslotSettings?.beforeMinutes ?? "",
    afterMinutes: settings?.timeslotSettings?.afterMinutes ?? "",
    checkTime: settings?.eventTimeSettings?.active ?? false,
    beforeHours: settings?.eventTimeSettings?.beforeHours ?? "",
    afterHours: settings?.eventTimeSettings?.afterHours ?? "",
  };
}

/** Returns the form values of a scan group; the defaults if there is none. */
export function groupValues(group?: ScanGroup): GroupValues {
  return { name: group?.name ?? "", ...scanValues(group?.scanConfig), ...deviceValues(group?.deviceSettings) };
}

function scanValues(config?: ScanGroup["scanConfig"]) {
  return {
    locked: config?.mode === "lock",
    events: (config?.events ?? []).map((settings) => eventValues(settings.eventId, settings)),
    scanZoneId: config?.scanZoneId ?? null,
    // Without scan types, only check-in is allowed.
    checkin: config?.scanTypes?.checkin ?? true,
    checkout: config?.scanTypes?.checkout ?? false,
    multiCheckin: config?.enableMultiCheckin ?? false,
    checkTimeslots: config?.checkTimeslots ?? false,
    tapAndGo: config?.tapAndGo?.enabled ?? false,
    tapEvents: config?.tapAndGo?.eventIds ? ("some" as const) : ("all" as const),
    tapEventIds: config?.tapAndGo?.eventIds ?? [],
  };
}

function deviceValues(settings?: ScanGroup["deviceSettings"]) {
  return {
    repeated: settings?.colorSettings?.repeated ?? null,
    highlighted: settings?.colorSettings?.highlighted ?? null,
    actionRequired: settings?.colorSettings?.actionRequired ?? null,
    sound: settings?.enableSoundFeedback ?? false,
    haptic: settings?.enableHapticFeedback ?? false,
    revealSeconds: settings?.scanRevealInterval?.toString() ?? null,
    syncSeconds: settings?.ticketSyncInterval?.toString() ?? null,
  };
}

/** Returns the API input for the form values, without unset fields. */
export function groupInput(values: GroupValues): CreateScanGroupInput {
  return {
    name: values.name.trim(),
    scanConfig: {
      mode: values.locked ? "lock" : "default",
      events: values.events.map(eventInput),
      scanZoneId: values.scanZoneId,
      scanTypes: { checkin: values.checkin, checkout: values.checkout },
      enableMultiCheckin: values.multiCheckin,
      checkTimeslots: values.checkTimeslots,
      tapAndGo: {
        enabled: values.tapAndGo,
        ...(values.tapEvents === "some" ? { eventIds: values.tapEventIds } : {}),
      },
    },
    deviceSettings: {
      colorSettings: {
        success: "green",
        declined: "red",
        ...chosen({
          repeated: values.repeated,
          highlighted: values.highlighted,
          actionRequired: values.actionRequired,
        }),
      },
      enableSoundFeedback: values.sound,
      enableHapticFeedback: values.haptic,
      ...chosen({
        scanRevealInterval: number(values.revealSeconds),
        ticketSyncInterval: number(values.syncSeconds),
      }),
    },
  };
}

function eventInput(values: EventValues) {
  const slot = chosen({ beforeMinutes: number(values.beforeMinutes), afterMinutes: number(values.afterMinutes) });
  const time = chosen({ beforeHours: number(values.beforeHours), afterHours: number(values.afterHours) });
  return {
    eventId: values.eventId,
    allowAllTicketTypes: values.allTypes,
    ...(values.ticketTypeIds.length > 0 ? { allowedTicketTypeIds: values.ticketTypeIds } : {}),
    ...(Object.keys(slot).length > 0 ? { timeslotSettings: slot } : {}),
    eventTimeSettings: { active: values.checkTime, ...time },
  };
}

function number(value: number | string | null): number | null {
  return value === "" || value === null ? null : Number(value);
}

/** Returns the fields that are not null. */
function chosen<Members extends object>(
  members: Members,
): Partial<{ [Name in keyof Members]: NonNullable<Members[Name]> }> {
  return Object.fromEntries(Object.entries(members).filter(([, value]) => value !== null)) as Partial<{
    [Name in keyof Members]: NonNullable<Members[Name]>;
  }>;
}

/** Formats seconds as seconds or minutes. */
export function seconds(count: number): string {
  if (count < 60) return count === 1 ? "1 second" : `${count} seconds`;
  return count === 60 ? "1 minute" : `${count / 60} minutes`;
}
