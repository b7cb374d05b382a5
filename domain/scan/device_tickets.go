package scan

import (
	"context"
	"slices"

	"ticketgate/domain"
	"ticketgate/domain/ids"
	"ticketgate/domain/moment"
	"ticketgate/domain/ticket"
)

// TicketStore lists tickets by creation.
type TicketStore interface {
	Tickets(ctx context.Context, seller ids.Seller, filter ticket.Filter, page domain.Page) (domain.List[ticket.Record], error)
}

// EventName is what a device may know of an event.
type EventName struct {
	ID   string `json:"_id"`
	Name string `json:"name"`
}

// Events returns the events that the calling device has access to, by creation; with includeRoots also the ROOT and GROUP
// events above them, whose tickets open them.
func (s AtGate) Events(ctx context.Context, includeRoots bool) ([]EventName, error) {
	actor, err := domain.Authorize(ctx, domain.ListDeviceEvents)
	if err != nil {
		return nil, err
	}
	gate, err := s.Gates.Gate(ctx, actor.SellerID, actor.ID)
	if err != nil {
		return nil, err
	}
	if gate.Device.AccessAllEvents {
		return s.Store.AllEventNames(ctx, actor.SellerID, includeRoots)
	}
	ids := gate.Device.Events
	if includeRoots {
		chains, err := s.Store.Chains(ctx, actor.SellerID, ids)
		if err != nil {
			return nil, err
		}
		ids = chains.events()
	}
	return s.Store.EventNames(ctx, actor.SellerID, ids)
}

// TicketSpan is what a device wants to synchronise: tickets of an event that were created or updated in a span of time.
type TicketSpan struct {
	EventID string           `graphql:"eventId"`
	From    *moment.DateTime `graphql:"from"`  // inclusive
	Until   *moment.DateTime `graphql:"until"` // exclusive
	// IncludeRootEvents adds the tickets of the ROOT and GROUP events above, which open the event unless they exclude it.
	IncludeRootEvents bool `graphql:"includeRootEvents"`
}

// EventTickets returns tickets for the calling device, which must have access to their event or to one below it: the scan
// lets tickets of a ROOT or GROUP event in there. An event that is not there is NOT_FOUND.
func (s AtGate) EventTickets(
	ctx context.Context, span TicketSpan, page domain.Page,
) (domain.List[ticket.Record], error) {
	none := domain.List[ticket.Record]{}
	actor, err := domain.Authorize(ctx, domain.ListDeviceTickets)
	if err != nil {
		return none, err
	}
	gate, err := s.Gates.Gate(ctx, actor.SellerID, actor.ID)
	if err != nil {
		return none, err
	}
	if err := s.admits(ctx, gate, span.EventID); err != nil {
		return none, err
	}
	events := []string{span.EventID}
	if span.IncludeRootEvents {
		chains, err := s.Store.Chains(ctx, actor.SellerID, events)
		if err != nil {
			return none, err
		}
		events = chains[span.EventID]
	}
	list, err := s.Tickets.Tickets(ctx, actor.SellerID, ticket.Filter{
		EventIDs: events, StoredFrom: span.From, StoredUntil: span.Until,
	}, page)
	for i := range list.Items {
		if list.Items[i], err = gate.Device.sees(list.Items[i]); err != nil {
			return none, err
		}
	}
	return list, err
}

// admits refuses an event that is not there, and one whose tickets no gate of the device could let in.
func (s AtGate) admits(ctx context.Context, gate Gate, eventID string) error {
	known, err := s.Store.EventNames(ctx, gate.Device.SellerID, []string{eventID})
	if err != nil {
		return err
	}
	if len(known) == 0 {
		return domain.NotFound("Event")
	}
	may, err := gate.Device.maySee(ctx, s.Store, eventID)
	if err == nil && !may {
		err = domain.Forbidden("This device has no access to the event")
	}
	return err
}

// Ticket returns the ticket that has a code, as the calling device may see it. Codes of no ticket and those of tickets that
// could pass no gate of the device are NOT_FOUND; with an event, so are those of tickets that are neither of the event nor
// of one above it.
func (s AtGate) Ticket(ctx context.Context, barcode, eventID string) (ticket.Record, error) {
	actor, err := domain.Authorize(ctx, domain.GetDeviceTicket)
	if err != nil {
		return ticket.Record{}, err
	}
	var problems domain.Problems
	checkCode(&problems, barcode)
	if err := problems.Err(); err != nil {
		return ticket.Record{}, err
	}
	gate, err := s.Gates.Gate(ctx, actor.SellerID, actor.ID)
	if err != nil {
		return ticket.Record{}, err
	}
	var chain []string
	if eventID != "" {
		if err := s.admits(ctx, gate, eventID); err != nil {
			return ticket.Record{}, err
		}
		chains, err := s.Store.Chains(ctx, actor.SellerID, []string{eventID})
		if err != nil {
			return ticket.Record{}, err
		}
		chain = chains[eventID]
	}
	return s.ticket(ctx, gate, barcode, chain)
}

// ticket finds the ticket that has a code; a chain narrows it to those of its events.
func (s AtGate) ticket(ctx context.Context, gate Gate, barcode string, chain []string) (ticket.Record, error) {
	found, err := s.Tickets.Tickets(ctx, gate.Device.SellerID, ticket.Filter{Barcode: barcode}, domain.Page{Limit: 1})
	if err != nil {
		return ticket.Record{}, err
	}
	if len(found.Items) == 0 || chain != nil && !slices.Contains(chain, found.Items[0].EventID) {
		return ticket.Record{}, domain.NotFound("Ticket")
	}
	may, err := gate.Device.maySee(ctx, s.Store, found.Items[0].EventID)
	if err == nil && !may {
		err = domain.NotFound("Ticket")
	}
	if err != nil {
		return ticket.Record{}, err
	}
	return gate.Device.sees(found.Items[0])
}

// sees is a ticket as the device gets it.
func (d *Device) sees(found ticket.Record) (ticket.Record, error) {
	if !d.Restricted() {
		return found, nil
	}
	return WithoutContact(found)
}
