import { realInstant } from "../../lib/days";
import type { SimulateScanInput } from "./scans.generated";

/** The parameters of a simulation, as in the address. */
export const questionNames = ["code", "ticket", "device", "group", "event", "direction", "time"] as const;

export type Question = Record<(typeof questionNames)[number], string | undefined>;

/** Returns the API input of a simulation; undefined if the ticket or the rules are missing. */
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
