package scan

import (
	"context"
	"slices"

	"ticketgate/domain"
	"ticketgate/domain/ids"
	"ticketgate/domain/moment"
	"ticketgate/domain/ticket"
)

// TicketStore lists tickets in order of creation.
type TicketStore interface {
	Tickets(ctx context.Context, seller ids.Seller, filter ticket.Filter, page domain.Page) (domain.List[ticket.Record], error)
}

// EventName is the part of an event that devices can see.
type EventName struct {
	ID   string `json:"_id"`
	Name string `json:"name"`
}

// Events returns the events that the calling device has access to, in order of creation. With includeRoots it adds the
// ROOT and GROUP events above them.
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

// TicketSpan selects tickets of an event that were created or updated in a time span, for a device to synchronize.
type TicketSpan struct {
	EventID string           `graphql:"eventId"`
	From    *moment.DateTime `graphql:"from"`  // inclusive
	Until   *moment.DateTime `graphql:"until"` // exclusive
	// IncludeRootEvents adds tickets of the ROOT and GROUP events above, which open the event unless they exclude it.
	IncludeRootEvents bool `graphql:"includeRootEvents"`
}

// EventTickets returns tickets of an event. The calling device must have access to the event or to one below it, since
// tickets of a ROOT or GROUP event open those. An unknown event is NOT_FOUND.
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

// admits returns an error if the event is unknown, or if the device could admit none of its tickets.
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

// Ticket returns the ticket with a code, as the calling device may see it. A ticket that the device could not admit is
// NOT_FOUND. With an event, so is a ticket of neither the event nor one above it.
func (s AtGate) Ticket(ctx context.Context, barcode, eventID string) (ticket.Record, error) {
	actor, err := domain.Authorize(ctx, domain.GetDeviceTicket)
	if err != nil {
		return ticket.Record{}, err
	}
	var errs domain.FieldErrors
	checkCode(&errs, barcode)
	if err := errs.Err(); err != nil {
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

// ticket returns the ticket with a code. If chain is not nil, the ticket's event must be in it.
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

// sees returns a ticket as the device may see it.
func (d *Device) sees(found ticket.Record) (ticket.Record, error) {
	if !d.Restricted() {
		return found, nil
	}
	return WithoutContact(found)
}
