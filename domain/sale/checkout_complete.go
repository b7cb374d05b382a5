package sale

import (
	"context"
	"time"

	"ticketgate/domain"
	"ticketgate/domain/ids"
	"ticketgate/domain/ticket"
)

// Complete sells a checkout: it creates the COMPLETE transaction, its tickets and its invoice, and publishes
// checkout.completed, transaction.complete and a ticket.created per ticket. All of it happens in one commit and only
// once, no matter how many calls arrive (SALE-6). Requires transactions:create, or a session with role MANAGER. The
// checkout's secret is not enough (SALE-7).
//
// The identification rule is checked again, because details may be missing or the seller's configuration may have changed. A
// checkout that was aborted or has expired is INVALID_STATE. A checkout that is already complete is returned unchanged.
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

// Sale is the result of completing a checkout. If the checkout was complete before, only Checkout is set.
type Sale struct {
	Checkout    Checkout
	Document    []byte // of the checkout
	Transaction TransactionRecord
	Tickets     []ticket.Record
	Invoice     Invoice
	// Events holds checkout.completed, transaction.complete and a ticket.created per ticket, in this order.
	Events []domain.Event
	// Change is the entry for the audit log.
	Change domain.Change
}

// New reports whether the sale is new and must be stored.
func (s Sale) New() bool { return len(s.Tickets) > 0 }

// sell completes the checkout. It returns an error if the checkout can't be sold.
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
	sale := Sale{Checkout: complete, Change: complete.moved(domain.CompleteCheckout, l.Checkout)}
	if sale.Document, err = complete.Document(); err != nil {
		return Sale{}, err
	}
	if sale.Transaction, err = complete.transaction(now); err != nil {
		return Sale{}, err
	}
	sale.Invoice = NewInvoice(sale.Transaction.Transaction, l.Seller, now)
	if sale.Tickets, err = complete.tickets(l.RootEventID, now); err != nil {
		return Sale{}, err
	}
	sale.Events = sale.events()
	return sale, nil
}

func (s Sale) events() []domain.Event {
	seller := s.Checkout.SellerID
	events := make([]domain.Event, 0, 2+len(s.Tickets))
	events = append(events,
		domain.Event{SellerID: seller, Type: checkoutCompleted, Data: within("checkout", s.Document)},
		transactionEvent(seller, eventComplete, s.Transaction, s.Tickets))
	for _, item := range s.Tickets {
		events = append(events, domain.Event{SellerID: seller, Type: ticketCreated, Data: within("ticket", item.Document)})
	}
	return events
}
