import { StatusPill } from "../../components/StatusPill";
import { ticketStates } from "./tickets";
import type { TicketStatus } from "./tickets.generated";

export function TicketPill({ status }: { status: TicketStatus }) {
  return <StatusPill {...ticketStates[status]} />;
}
