import type { States } from "../../lib/states";
import type { TicketKind, TicketOrigin, TicketQuery, TicketStatus } from "./tickets.generated";

export type Ticket = TicketQuery["ticket"];

export const ticketStates: States<TicketStatus> = {
  VALID: { tone: "good", label: "Valid", explanation: "It admits its holder." },
  INVALID: { tone: "bad", label: "Invalid", explanation: "It admits nobody." },
  RESERVED: { tone: "warning", label: "Reserved", explanation: "It is held back, and admits nobody yet." },
  DETAILSREQUIRED: { tone: "info", label: "Details required", explanation: "The holder's details are still to come." },
  BLANK: { tone: "idle", label: "Blank", explanation: "It was printed without a sale, and admits nobody yet." },
};

export const ticketKinds: Record<TicketKind, string> = { SINGLE: "For one person", MULTI: "For several people" };

export const ticketOrigins: Record<TicketOrigin, string> = {
  yourticket: "Online shop",
  pos: "Point of sale",
  rebooking: "Rebooking",
  upgrade: "Upgrade",
  subscription: "Subscription",
  transfer: "Transfer",
};

/** The place that a ticket is for, in words; undefined when there is none. */
export function placeOf({ seat, seatingInfo }: Pick<Ticket, "seat" | "seatingInfo">): string | undefined {
  if (seat) return seat;
  const { sectionName, groupName, rowName, seatName, name } = seatingInfo ?? {};
  return [sectionName, groupName, rowName, seatName, name].filter(Boolean).join(", ") || undefined;
}
