package ticket

import (
	"context"

	"ticketgate/domain"
	"ticketgate/domain/ids"
	"ticketgate/domain/intake"
	"ticketgate/domain/moment"
)

const barcodeTaken = "is already the barcode of another ticket"

// TakenBarcode is a barcode that an import would give to a ticket although another stored ticket has it.
type TakenBarcode struct {
	// ID is the ticket that would get the barcode. StoredAt is the updatedAt of the stored ticket with this _id, or nil
	// if there is none.
	ID       string
	StoredAt *moment.DateTime
	// HolderID is the ticket that has the barcode, HeldAt its updatedAt.
	HolderID string
	HeldAt   moment.DateTime
}

// checked returns the validated tickets of an import, or all of their errors. It locks and writes nothing (BODY-1).
func (s Tickets) checked(
	ctx context.Context, seller ids.Seller, input Import, refusal func() string,
) ([]intake.Row, *barcodes, error) {
	faults := domain.FieldErrors{Bounded: true}
	tickets, codes := input.check(&faults, seller)
	if err := s.checkTaken(ctx, &faults, seller, tickets, refusal); err != nil {
		return nil, nil, err
	}
	return tickets, codes, faults.Err()
}

// checkTaken adds an error for each barcode that another ticket has (TICKET-2). Tickets can exchange their barcodes
// within an import. A ticket that the import leaves unchanged neither takes nor frees a barcode.
func (s Tickets) checkTaken(
	ctx context.Context, faults *domain.FieldErrors, seller ids.Seller, tickets []intake.Row, refusal func() string,
) error {
	wanted, byID := map[string]string{}, make(map[string]intake.Row, len(tickets))
	for _, ticket := range tickets {
		if code := ticket.Text(barcode); ticket.ID != "" && code != "" {
			wanted[ticket.ID], byID[ticket.ID] = code, ticket
		}
	}
	if len(wanted) == 0 {
		return nil
	}
	taken, err := s.Store.TakenBarcodes(ctx, seller, wanted)
	if err != nil {
		return err
	}
	stays := func(ticket intake.Row, stored moment.DateTime) bool {
		return ticket.OlderThan(stored) || refusal() != ""
	}
	found := map[string]bool{}
	for _, t := range taken {
		if t.StoredAt != nil && stays(byID[t.ID], *t.StoredAt) {
			continue
		}
		if holder, comesToo := byID[t.HolderID]; !comesToo || stays(holder, t.HeldAt) {
			found[t.ID] = true
		}
	}
	for _, ticket := range tickets {
		if found[ticket.ID] {
			faults.Add(domain.JoinPath(ticket.Path, barcode), barcodeTaken)
		}
	}
	return nil
}
