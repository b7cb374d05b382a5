import type { EventValues, GroupValues } from "./scangroups";
import type { DeviceColor } from "./scangroups.generated";

/** The results that a device can show, in the order of the preview. */
export const results = ["success", "declined", "repeated", "highlighted", "actionRequired"] as const;
export type Result = (typeof results)[number];

/** The texts of each result on a device. */
export const texts: Record<Result, { choice: string; title: string; text: string }> = {
  success: { choice: "Approved", title: "Welcome", text: "Valid ticket" },
  declined: { choice: "Declined", title: "No entry", text: "This ticket isn't valid at this entrance" },
  repeated: { choice: "Scanned before", title: "Scanned before", text: "Checked in at 19:42" },
  highlighted: { choice: "Highlighted", title: "Welcome", text: "Highlighted ticket type" },
  actionRequired: { choice: "Action required", title: "Check", text: "Ask for proof of age" },
};

/** Returns the color of a result. Approved and declined are fixed; others have a device default unless one is selected. */
export function colorOf(result: Result, values: Pick<GroupValues, "repeated" | "highlighted" | "actionRequired">) {
  if (result === "success") return "green";
  if (result === "declined") return "red";
  return values[result];
}

const names: Record<DeviceColor, string> = { green: "green", orange: "orange", red: "red", blue: "blue", pink: "pink" };

/** Returns the name of a color, for users who can't see it. */
export function colorName(color: DeviceColor | null): string {
  return color ? names[color] : "device default color";
}

/** Returns the directions that the device's operator can select. */
export function directionsOf({ checkin, checkout }: Pick<GroupValues, "checkin" | "checkout">): string[] {
  return [checkin && "Check-in", checkout && "Check-out"].filter((name) => name !== false);
}

interface Times {
  start: string;
  end?: string | null | undefined;
}

/** Returns when an event's tickets are admitted: from some hours before its start until some hours after its end. */
export function windowOf(event: EventValues, { start, end }: Times): { from: Date; until: Date } | undefined {
  if (!event.checkTime) return undefined;
  const hour = 3_600_000;
  return {
    from: new Date(new Date(start).getTime() - Number(event.beforeHours) * hour),
    until: new Date(new Date(end ?? start).getTime() + Number(event.afterHours) * hour),
  };
}

/** Returns the position of a time between two others, in percent. */
export function placeOf(at: Date, from: Date, until: Date): number {
  const length = until.getTime() - from.getTime();
  if (length <= 0) return 0;
  return Math.min(100, Math.max(0, (100 * (at.getTime() - from.getTime())) / length));
}
