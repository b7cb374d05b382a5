import { minutesAgo } from "../../lib/days";
import { oneOf, type States } from "../../lib/states";
import type { DeviceFieldsFragment } from "./devices.generated";

export type Device = DeviceFieldsFragment;

export type DeviceState = "active" | "off" | "expired" | "unpaired";

/** The statuses of a device. */
export const deviceStates: States<DeviceState> = {
  active: { tone: "good", label: "Active", explanation: "Requests from the device are accepted." },
  unpaired: {
    tone: "info",
    label: "Not paired",
    explanation: "The device has no token yet. Scan its pairing code with the device, or enter it there.",
  },
  expired: {
    tone: "warning",
    label: "Expired",
    explanation: "The device has expired. Its requests are rejected.",
  },
  off: {
    tone: "idle",
    label: "Disabled",
    explanation: "The device is disabled. Its requests are rejected.",
  },
};

/** Returns the status of a device: active, or why it can't send requests. */
export function deviceState({ active, expires, hint }: Pick<Device, "active" | "expires" | "hint">): DeviceState {
  if (!active) return "off";
  if (expires && new Date(expires).getTime() <= Date.now()) return "expired";
  return hint ? "active" : "unpaired";
}

/** The durations without activity that the filter offers. */
export const silences = {
  hour: { label: "Silent for 1 hour", hours: 1 },
  day: { label: "Silent for 24 hours", hours: 24 },
  week: { label: "Silent for 7 days", hours: 7 * 24 },
};

/** Returns the time since which a silent device has sent no request. */
export function silentSince(silence: string | undefined, now?: number): string | undefined {
  const known = oneOf(silences, silence);
  return known && minutesAgo(silences[known].hours * 60, now);
}
