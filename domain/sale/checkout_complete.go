package sale

import (
	"context"
	"time"

	"ticketgate/domain"
	"ticketgate/domain/ids"
	"ticketgate/domain/ticket"
)

// Complete sells what the checkout is about: it makes the COMPLETE transaction, its tickets and its invoice, and publishes
// checkout.completed, transaction.complete and one ticket.created a ticket, all in one commit and once, however often and
// by how many it is called. transactions:create, or a session with MANAGER; never the checkout's secret (decisions 4.4, 8.4).
//
// The identification rule is checked once more: details may be missing, or the seller asks for more by now. A checkout that
// was aborted or has expired is INVALID_STATE; one that is complete is answered as it is.
func (s Checkouts) Complete(ctx context.Context, id string) (Checkout, error) {
	actor, err := domain.Authorize(ctx, domain.CompleteCheckout)
	if err != nil {
		return Checkout{}, err
	}
	return s.Store.Complete(domain.WithActor(ctx, actor), actor.SellerID, id, func(locked LockedCheckout) (Sale, error) {
		if err := allowOrigin(ctx, locked.Seller); err != nil {
			return Sale{}, err
		}
		if locked.Status == CheckoutComplete {
			return Sale{Checkout: locked.Checkout}, nil
		}
		return locked.sell(s.Now())
	})
}

// Sale is a checkout that is complete, with what it became. Of one that was complete before there is nothing else.
type Sale struct {
	Checkout    Checkout
	Document    []byte // the checkout's
	Transaction TransactionRecord
	Tickets     []ticket.Record
	Invoice     Invoice
	// Events are of the checkout, of the transaction with its tickets, and of each ticket (spec 6.1, decisions 8.4).
	Events []domain.Event
	// Change is what the audit log keeps.
	Change domain.Change
}

// New reports whether the sale has to be stored.
func (s Sale) New() bool { return len(s.Tickets) > 0 }

// sell completes the checkout, or says why it can't be.
func (l LockedCheckout) sell(now time.Time) (Sale, error) {
	if err := l.mustBeOpen(now); err != nil {
		return Sale{}, err
	}
	complete := l.Checkout
	var err error
	if complete.Identification, err = l.identified(l.Seller.Identification(), documentsOf(l.Identification), l.Total()); err != nil {
		return Sale{}, err
	}
	id := ids.New(now)
	complete.Status, complete.TransactionID, complete.UpdatedAt = CheckoutComplete, &id, domain.NextUpdate(now, l.UpdatedAt)
	made := Sale{Checkout: complete, Change: complete.moved(domain.CompleteCheckout, l.Checkout)}
	if made.Document, err = complete.Document(); err != nil {
		return Sale{}, err
	}
	if made.Transaction, err = complete.transaction(now); err != nil {
		return Sale{}, err
	}
	made.Invoice = NewInvoice(made.Transaction.Transaction, l.Seller, now)
	if made.Tickets, err = complete.tickets(l.RootEventID, now); err != nil {
		return Sale{}, err
	}
	made.Events = made.events()
	return made, nil
}

func (s Sale) events() []domain.Event {
	seller := s.Checkout.SellerID
	events := make([]domain.Event, 0, 2+len(s.Tickets))
	events = append(events,
		domain.Event{SellerID: seller, Type: checkoutCompleted, Data: within("checkout", s.Document)},
		transactionEvent(seller, eventComplete, s.Transaction, s.Tickets))
	for _, one := range s.Tickets {
		events = append(events, domain.Event{SellerID: seller, Type: ticketCreated, Data: within("ticket", one.Document)})
	}
	return events
}
