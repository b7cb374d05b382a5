package ticket

import (
	"context"
	"slices"
	"sync"

	"ticketgate/domain"
	"ticketgate/domain/document"
)

// Import stores tickets that the platform's other services hand in: new ones are created, known ones (by _id) become what
// was handed in, and each that changes is published. A faulty ticket fails the import, and all faults are returned at once.
// A ticket that is older than the stored one is counted as stale (IMPORT-4). Requires tickets:create, and tickets:update for
// tickets that exist: one that the caller may not change is left out (IMPORT-6).
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
	err = s.Store.InLongTx(ctx, actor.SellerID, len(tickets), func(ctx context.Context, tx Tx) error {
		run := importing{
			tx: tx, seller: actor.SellerID, now: domain.NewDateTime(s.Now()), imported: imported, refusal: refusal,
		}
		if err := run.all(ctx, tickets); err != nil {
			return err
		}
		imported = run.imported
		return nil
	})
	if err != nil {
		return Imported{}, err
	}
	return imported, nil
}

// importing is one import in its transaction.
type importing struct {
	tx       Tx
	seller   domain.SellerID
	now      domain.DateTime
	imported Imported
	// refusal says why the caller may not change tickets that exist; it is empty if it may.
	refusal func() string
	// barcodes are those of the tickets that were created or changed.
	barcodes []string
	// events are those of the part that is being written.
	events []domain.Event
}

func (i *importing) all(ctx context.Context, tickets []handedIn) error {
	if err := i.asSold(ctx, tickets); err != nil {
		return err
	}
	for part := range slices.Chunk(tickets, partLength) {
		if err := i.part(ctx, part); err != nil {
			return err
		}
	}
	return i.refuseTakenBarcodes(ctx, tickets)
}

// partLength is how many tickets are written and published at a time: the rest of a large import costs no more memory than
// what was handed in (LIMIT-16).
const partLength = 1000

// part writes tickets and publishes them.
func (i *importing) part(ctx context.Context, tickets []handedIn) error {
	i.events = nil
	for rest := tickets; len(rest) > 0; {
		var err error
		if rest, err = i.round(ctx, rest); err != nil {
			return err
		}
	}
	_, err := i.tx.PublishAll(ctx, i.events)
	return err
}

// round writes tickets and returns those that somebody else created while it ran: they are known in the next round.
func (i *importing) round(ctx context.Context, tickets []handedIn) ([]handedIn, error) {
	known, err := i.known(ctx, tickets)
	if err != nil {
		return nil, err
	}
	var created, changed []Record
	for _, ticket := range tickets {
		old, exists := known[ticket.id]
		if !exists {
			created, err = appendRead(created, ticket.made(i.now), err)
			continue
		}
		if text, changes := i.change(ticket, old); changes {
			changed, err = appendRead(changed, text, err)
		}
	}
	if err != nil {
		return nil, err
	}
	if err := i.tx.UpdateTickets(ctx, i.seller, changed); err != nil {
		return nil, err
	}
	i.imported.Updated += len(changed)
	i.note(ticketUpdated, changed)
	return i.create(ctx, tickets, created)
}

// change returns what a known ticket becomes, or false and counts why it stays as it is.
func (i *importing) change(ticket handedIn, old Record) ([]byte, bool) {
	if ticket.isStale(old) {
		i.imported.Stale++
		return nil, false
	}
	text, differs := ticket.changed(old, i.now)
	if !differs {
		i.imported.Unchanged++
		return nil, false
	}
	if refusal := i.refusal(); refusal != "" {
		i.imported.Refused = append(i.imported.Refused,
			domain.RefusedRow{Path: ticket.path, Code: string(domain.CodeForbidden), Message: refusal})
		return nil, false
	}
	return text, true
}

// create stores new tickets. An _id that was taken meanwhile is looked at in the next round.
func (i *importing) create(ctx context.Context, tickets []handedIn, created []Record) ([]handedIn, error) {
	stored, err := i.tx.CreateTickets(ctx, i.seller, created)
	if err != nil {
		return nil, err
	}
	var mine []Record
	missing := map[string]bool{}
	for _, record := range created {
		if stored[record.ID] {
			mine = append(mine, record)
		} else {
			missing[record.ID] = true
		}
	}
	i.imported.Created += len(mine)
	i.note(ticketCreated, mine)
	var rest []handedIn
	for _, ticket := range tickets {
		if missing[ticket.id] {
			rest = append(rest, ticket)
		}
	}
	return rest, nil
}

// known finds the tickets that exist. What another seller has under the same _id is another ticket.
func (i *importing) known(ctx context.Context, tickets []handedIn) (map[string]Record, error) {
	ids := make([]string, len(tickets))
	for n, ticket := range tickets {
		ids[n] = ticket.id
	}
	return i.tx.TicketsForUpdate(ctx, i.seller, ids)
}

// refuseTakenBarcodes runs when everything is written: another import may have taken a barcode since checkTaken.
func (i *importing) refuseTakenBarcodes(ctx context.Context, tickets []handedIn) error {
	taken, err := i.tx.RepeatedBarcodes(ctx, i.seller, i.barcodes)
	if err != nil || len(taken) == 0 {
		return err
	}
	var c document.Checker
	for _, ticket := range tickets {
		if taken[ticket.text(barcode)] {
			c.Add(domain.JoinPath(ticket.path, barcode), barcodeTaken)
		}
	}
	return c.Err()
}

// The events that an import publishes (spec 6.1).
const (
	ticketCreated domain.EventType = "ticket.created"
	ticketUpdated domain.EventType = "ticket.updated"
)

// note remembers what was written and the events that tell of it (decisions 7.5).
func (i *importing) note(kind domain.EventType, records []Record) {
	for _, record := range records {
		i.barcodes = append(i.barcodes, record.Barcode)
		data := append(append([]byte(`{"ticket":`), record.Document...), '}')
		i.events = append(i.events, domain.Event{SellerID: i.seller, Type: kind, Data: data})
	}
}

func appendRead(records []Record, text []byte, err error) ([]Record, error) {
	if err != nil {
		return nil, err
	}
	record, err := ReadRecord(text)
	return append(records, record), err
}
