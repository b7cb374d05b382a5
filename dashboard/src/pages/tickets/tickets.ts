import type { States } from "../../lib/states";
import type { TicketKind, TicketOrigin, TicketQuery, TicketStatus } from "./tickets.generated";

export type Ticket = TicketQuery["ticket"];

export const ticketStates: States<TicketStatus> = {
  VALID: { tone: "good", label: "Valid", explanation: "The ticket admits its holder." },
  INVALID: { tone: "bad", label: "Invalid", explanation: "The ticket doesn't admit anyone." },
  RESERVED: { tone: "warning", label: "Reserved", explanation: "The ticket is on hold and doesn't admit anyone yet." },
  DETAILSREQUIRED: { tone: "info", label: "Details required", explanation: "The holder's details are missing." },
  BLANK: {
    tone: "idle",
    label: "Blank",
    explanation: "The ticket was printed without a sale and doesn't admit anyone yet.",
  },
};

export const ticketKinds: Record<TicketKind, string> = { SINGLE: "One person", MULTI: "Several people" };

export const ticketOrigins: Record<TicketOrigin, string> = {
  yourticket: "Online shop",
  pos: "Point of sale",
  rebooking: "Rebooking",
  upgrade: "Upgrade",
  subscription: "Subscription",
  transfer: "Transfer",
};

/** Returns the seat or area of a ticket in words; undefined if it has none. */
export function placeOf({ seat, seatingInfo }: Pick<Ticket, "seat" | "seatingInfo">): string | undefined {
  if (seat) return seat;
  const { sectionName, groupName, rowName, seatName, name } = seatingInfo ?? {};
  return [sectionName, groupName, rowName, seatName, name].filter(Boolean).join(", ") || undefined;
}
