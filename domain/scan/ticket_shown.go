package scan

import (
	"context"

	"ticketgate/domain"
	"ticketgate/domain/ticket"
)

// AnsweredTicket is the ticket of an answer, for a caller that asks for it by itself: a device gets what the answer has,
// others need tickets:list or a session with VIEWER besides (decisions 4.4).
func (s Scans) AnsweredTicket(ctx context.Context, answer Answer) (*ticket.Record, error) {
	if domain.ActorOf(ctx).Kind == domain.DeviceActor {
		return answer.Ticket, nil
	}
	_, err := domain.Authorize(ctx, domain.GetTicket)
	return answer.Ticket, err
}

// SimulatedTicket is the ticket that a simulation is about: tickets:list, or a session with VIEWER.
func (s Scans) SimulatedTicket(ctx context.Context, simulated Simulated) (*ticket.Record, error) {
	if _, err := domain.Authorize(ctx, domain.GetTicket); err != nil {
		return nil, err
	}
	return simulated.Ticket, nil
}

// seesTickets reports whether the answer to a scan has the ticket. A key that may scan and not read tickets is answered
// without it.
func seesTickets(ctx context.Context) bool {
	return domain.ActorOf(ctx).Kind == domain.DeviceActor || domain.May(ctx, domain.GetTicket)
}
