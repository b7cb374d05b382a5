package scan

import (
	"context"

	"ticketgate/domain"
	"ticketgate/domain/ticket"
)

// AnsweredTicket returns the ticket of an answer, for callers that request it as a field. Callers other than devices
// need tickets:list, or a session with role VIEWER (GATE-18).
func (s Scans) AnsweredTicket(ctx context.Context, answer Answer) (*ticket.Record, error) {
	if domain.ActorOf(ctx).Kind == domain.DeviceActor {
		return answer.Ticket, nil
	}
	_, err := domain.Authorize(ctx, domain.GetTicket)
	return answer.Ticket, err
}

// SimulatedTicket returns the ticket of a simulation. It requires tickets:list, or a session with role VIEWER.
func (s Scans) SimulatedTicket(ctx context.Context, simulated Simulated) (*ticket.Record, error) {
	if _, err := domain.Authorize(ctx, domain.GetTicket); err != nil {
		return nil, err
	}
	return simulated.Ticket, nil
}

// seesTickets reports whether the caller may see the ticket in the answer to a scan (GATE-18).
func seesTickets(ctx context.Context) bool {
	return domain.ActorOf(ctx).Kind == domain.DeviceActor || domain.May(ctx, domain.GetTicket)
}
