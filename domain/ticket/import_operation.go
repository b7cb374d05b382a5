package ticket

import (
	"context"
	"sync"

	"ticketgate/domain"
	"ticketgate/domain/ids"
	"ticketgate/domain/intake"
	"ticketgate/domain/moment"
)

// Import stores tickets from the platform's other services. It creates new ones, updates those whose _id exists, and
// publishes each change. An invalid ticket fails the whole import, and the error names everything that is wrong.
// Tickets older than the stored ones are counted as stale (IMPORT-4).
//
// Requires tickets:create, and tickets:update for existing tickets. Tickets that the caller may not change are left out
// and listed as refused (IMPORT-6).
func (s Tickets) Import(ctx context.Context, input Import) (Imported, error) {
	actor, err := domain.AuthorizeSeller(ctx, domain.ImportTickets, input.SellerID, s.Seller)
	if err != nil {
		return Imported{}, err
	}
	refusal := sync.OnceValue(func() string { return domain.UpdateRefusal(ctx, actor, domain.ImportTickets) })
	tickets, codes, err := s.checked(ctx, actor.SellerID, input, refusal)
	if err != nil {
		return Imported{}, err
	}
	imported := Imported{Trimmed: codes.trimmed, Notes: codes.notes}
	if len(tickets) == 0 {
		return imported, nil
	}
	var result intake.Result
	err = s.Store.InLongTx(ctx, actor.SellerID, len(tickets), func(ctx context.Context, tx Tx) error {
		run := importing{tx: tx, seller: actor.SellerID, now: moment.New(s.Now()), refusal: refusal}
		if err := run.asSold(ctx, tickets); err != nil {
			return err
		}
		var err error
		if result, err = intake.Run(ctx, &run, tickets, partLength); err != nil {
			return err
		}
		return run.refuseTakenBarcodes(ctx, tickets)
	})
	if err != nil {
		return Imported{}, err
	}
	imported.Created, imported.Updated, imported.Unchanged = result.Created, result.Updated, result.Unchanged
	imported.Stale, imported.Refused = result.Stale, result.Refused
	return imported, nil
}

// partLength is the number of tickets that are written and published at a time.
const partLength = 1000

// importing is an import within its database transaction. It implements what package intake needs to store tickets.
type importing struct {
	tx     Tx
	seller ids.Seller
	now    moment.DateTime
	// refusal returns why the caller may not change existing tickets, or an empty text if it may.
	refusal func() string
	// barcodes holds the barcodes of created and changed tickets.
	barcodes []string
}

// ID returns the _id of a ticket.
func (*importing) ID(record Record) string { return record.ID }

// Known returns the stored tickets of the seller. The same _id at another seller is a different ticket.
func (i *importing) Known(ctx context.Context, tickets []intake.Row) (map[string]Record, error) {
	return i.tx.TicketsForUpdate(ctx, i.seller, intake.IDs(tickets))
}

// Made returns a new ticket.
func (i *importing) Made(_ context.Context, ticket intake.Row) (result Record, refusal string, err error) {
	result, err = ReadRecord(created(ticket, i.now))
	return result, "", err
}

// Stale reports whether the ticket is older than the stored one.
func (*importing) Stale(ticket intake.Row, old Record) bool { return ticket.OlderThan(old.UpdatedAt) }

// Changed returns the new state of a stored ticket, and false if nothing changes.
func (i *importing) Changed(ticket intake.Row, old Record) (Record, bool, error) {
	text, differs := changed(ticket, old, i.now)
	if !differs {
		return Record{}, false, nil
	}
	record, err := ReadRecord(text)
	return record, true, err
}

// Refusal returns why the caller may not change existing tickets.
func (i *importing) Refusal() string { return i.refusal() }

// Update stores changed tickets.
func (i *importing) Update(ctx context.Context, changes []intake.Change[Record]) error {
	tickets := make([]Record, len(changes))
	for n, change := range changes {
		tickets[n] = change.New
	}
	return i.tx.UpdateTickets(ctx, i.seller, tickets)
}

// Create stores new tickets and returns which of them did not exist yet.
func (i *importing) Create(ctx context.Context, tickets []Record) (map[string]bool, error) {
	return i.tx.CreateTickets(ctx, i.seller, tickets)
}

// The events that an import publishes.
const (
	ticketCreated domain.EventType = "ticket.created"
	ticketUpdated domain.EventType = "ticket.updated"
)

// Publish publishes an event for each created or changed ticket.
func (i *importing) Publish(ctx context.Context, changes []intake.Change[Record]) error {
	events := make([]domain.Event, len(changes))
	for n, change := range changes {
		i.barcodes = append(i.barcodes, change.New.Barcode)
		kind := ticketUpdated
		if change.Old == nil {
			kind = ticketCreated
		}
		data := append(append([]byte(`{"ticket":`), change.New.Document...), '}')
		events[n] = domain.Event{SellerID: i.seller, Type: kind, Data: data}
	}
	_, err := i.tx.PublishAll(ctx, events)
	return err
}

// refuseTakenBarcodes runs after all writes, because another import may have taken a barcode since checkTaken.
func (i *importing) refuseTakenBarcodes(ctx context.Context, tickets []intake.Row) error {
	taken, err := i.tx.RepeatedBarcodes(ctx, i.seller, i.barcodes)
	if err != nil || len(taken) == 0 {
		return err
	}
	faults := domain.FieldErrors{Bounded: true}
	for _, ticket := range tickets {
		if taken[ticket.Text(barcode)] {
			faults.Add(domain.JoinPath(ticket.Path, barcode), barcodeTaken)
		}
	}
	return faults.Err()
}
