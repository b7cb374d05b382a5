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
	return s.move(ctx, actor, id, "", func(ctx context.Context, tx CheckoutTx, locked LockedCheckout) (Checkout, error) {
		if locked.Status == CheckoutComplete {
			return locked.Checkout, nil
		}
		sold, err := locked.sell(s.Now())
		if err != nil {
			return Checkout{}, err
		}
		return sold.checkout, sold.store(ctx, tx, locked.Checkout)
	})
}

// sold is a checkout that is complete, with what it became.
type sold struct {
	checkout    Checkout
	transaction TransactionRecord
	tickets     []ticket.Record
	invoice     Invoice
}

// sell completes the checkout, or says why it can't be.
func (l LockedCheckout) sell(now time.Time) (sold, error) {
	if err := l.mustBeOpen(now); err != nil {
		return sold{}, err
	}
	complete := l.Checkout
	var err error
	if complete.Identification, err = l.identified(l.Seller.Identification(), documentsOf(l.Identification), l.Total()); err != nil {
		return sold{}, err
	}
	id := ids.New(now)
	complete.Status, complete.TransactionID, complete.UpdatedAt = CheckoutComplete, &id, domain.NextUpdate(now, l.UpdatedAt)
	made := sold{checkout: complete}
	if made.transaction, err = complete.transaction(now); err != nil {
		return sold{}, err
	}
	made.invoice = NewInvoice(made.transaction.Transaction, l.Seller, now)
	made.tickets, err = complete.tickets(l.RootEventID, now)
	return made, err
}

// store writes everything in as few statements as there are tables. The invoice comes last: other sales of the seller wait for
// its number.
func (s sold) store(ctx context.Context, tx CheckoutTx, before Checkout) error {
	seller := s.checkout.SellerID
	if _, err := tx.CreateTransactions(ctx, seller, []TransactionRecord{s.transaction}); err != nil {
		return err
	}
	if _, err := tx.CreateTickets(ctx, seller, s.tickets); err != nil {
		return err
	}
	if err := tx.UpdateCheckout(ctx, s.checkout); err != nil {
		return err
	}
	if err := tx.Audit(ctx, s.checkout.moved(domain.CompleteCheckout, before)); err != nil {
		return err
	}
	events, err := s.events()
	if err != nil {
		return err
	}
	if _, err := tx.PublishAll(ctx, events); err != nil {
		return err
	}
	_, err = tx.CreateInvoices(ctx, seller, []Invoice{s.invoice})
	return err
}

// events tell of the checkout, of the transaction with its tickets, and of each ticket (spec 6.1, decisions 8.4).
func (s sold) events() ([]domain.Event, error) {
	completed, err := s.checkout.event(checkoutCompleted)
	if err != nil {
		return nil, err
	}
	seller := s.checkout.SellerID
	events := []domain.Event{completed, transactionEvent(seller, eventComplete, s.transaction, s.tickets)}
	for _, one := range s.tickets {
		data := append(append([]byte(`{"ticket":`), one.Document...), '}')
		events = append(events, domain.Event{SellerID: seller, Type: ticketCreated, Data: data})
	}
	return events, nil
}
