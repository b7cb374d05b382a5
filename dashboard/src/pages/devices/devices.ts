import { minutesAgo } from "../../lib/days";
import { oneOf, type States } from "../../lib/states";
import type { DeviceFieldsFragment } from "./devices.generated";

export type Device = DeviceFieldsFragment;

export type DeviceState = "active" | "off" | "expired" | "unpaired";

/** What a device can be, as the pill says it. */
export const deviceStates: States<DeviceState> = {
  active: { tone: "good", label: "On", explanation: "Calls with its token are answered." },
  unpaired: {
    tone: "info",
    label: "Not paired",
    explanation: "It has no token yet: its pairing code still has to be entered at the device.",
  },
  expired: { tone: "warning", label: "Expired", explanation: "Its time is over. Calls with its token are refused." },
  off: { tone: "idle", label: "Off", explanation: "It was switched off. Calls with its token are refused." },
};

/** Whether a device can call, and if not, why. */
export function deviceState({ active, expires, hint }: Pick<Device, "active" | "expires" | "hint">): DeviceState {
  if (!active) return "off";
  if (expires && new Date(expires).getTime() <= Date.now()) return "expired";
  return hint ? "active" : "unpaired";
}

/** For how long nothing was heard of a device, as the filter says it. */
export const silences = {
  hour: { label: "Silent for an hour", hours: 1 },
  day: { label: "Silent for a day", hours: 24 },
  week: { label: "Silent for a week", hours: 7 * 24 },
};

/** Since when a silence lasts. */
export function silentSince(silence: string | undefined, now?: number): string | undefined {
  const known = oneOf(silences, silence);
  return known && minutesAgo(silences[known].hours * 60, now);
}
