import { realInstant } from "../../lib/days";
import type { SimulateScanInput } from "./scans.generated";

/** What is asked, as the address has it. */
export const questionNames = ["code", "ticket", "device", "group", "event", "direction", "time"] as const;

export type Question = Record<(typeof questionNames)[number], string | undefined>;

/** What the API takes of a question; undefined while it lacks whom or by what to judge. */
export function simulationInput(question: Question): SimulateScanInput | undefined {
  const { code, ticket, device, group, event, direction, time } = question;
  if (!(code || ticket) || !(device || group)) return undefined;
  return {
    ...(ticket ? { ticketId: ticket } : { barcode: code }),
    ...(device ? { deviceId: device } : { scanGroupId: group }),
    eventId: event,
    direction: direction === "OUT" ? "OUT" : "IN",
    time: realInstant(time),
  };
}
