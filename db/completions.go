package db

import (
	"context"
	"sync"

	"ticketgate/domain"
	"ticketgate/domain/batch"
	"ticketgate/domain/ids"
	"ticketgate/domain/sale"
	"ticketgate/domain/share"
)

// Bounds of completions that share a transaction (SALE-1).
const (
	// completedAtOnce is the largest number of completions in one transaction.
	completedAtOnce = 64
	// maxSharedTickets is the maximum number of tickets of a checkout that shares a transaction. Larger ones would
	// delay the others.
	maxSharedTickets = share.Ordinary
	// sharedWait is how long a shared transaction waits for a lock. All its calls and the calls queued behind it wait,
	// too.
	sharedWait = "250ms"
)

// completions groups calls that complete checkouts into shared transactions. A call that can't share runs in a
// transaction of its own, within the seller's share and the caller's deadline.
type completions struct {
	group batch.Group[completion, completed]

	mu sync.Mutex
	// alone counts, for each seller, the calls that run alone because they could not share. Meanwhile the seller's
	// other calls do not share either, since they may wait for the same locks.
	alone map[ids.Seller]int
}

// completion is a call that completes a checkout.
type completion struct {
	seller ids.Seller
	id     string
	sell   func(sale.LockedCheckout) (sale.Sale, error)

	actor *domain.Actor
	call  domain.Call
	trace string
	// request is set if the call is idempotent.
	request    domain.IdempotentRequest
	idempotent bool
}

// completed is the outcome of a call in a shared transaction: a result or an error. If alone is set, there is neither,
// and the call must run alone.
type completed struct {
	checkout sale.Checkout
	err      error
	alone    bool
}

func (s *Store) openCompletions() {
	s.completions.alone = map[ids.Seller]int{}
	group := &s.completions.group
	// One transaction runs at a time. With two, each would be half as large, and a sale would take 25 % more processor
	// time.
	group.Work, group.Max = s.completeTogether, completedAtOnce
	group.Timeout = DefaultLimits.Statement // completeTogether returns an error only for a panic, which leaves no changes
	group.Whose = func(c completion) batch.Whose {
		payer := share.PayerOf(c.actor)
		if payer.Organization == "" {
			return batch.Whose{Within: "seller " + string(payer.Seller), Who: string(payer.Seller)}
		}
		return batch.Whose{Within: string(payer.Organization), Who: string(payer.Seller)}
	}
}

// Complete completes a checkout, see sale.CheckoutStore.
func (s checkoutStore) Complete(
	ctx context.Context, seller ids.Seller, id string, sell func(sale.LockedCheckout) (sale.Sale, error),
) (sale.Checkout, error) {
	if s.readOnly {
		return sale.Checkout{}, errReadOnly
	}
	call := completion{
		seller: seller, id: id, sell: sell, actor: domain.ActorOf(ctx), call: domain.CallOf(ctx), trace: s.trace(ctx),
	}
	call.request, call.idempotent = domain.IdempotentRequestOf(ctx)
	if s.completions.shares(seller) {
		done, err := s.completions.group.Do(ctx, call)
		if err != nil {
			return sale.Checkout{}, mapError(err)
		}
		if !done.alone {
			return done.checkout, done.err
		}
		defer s.completions.doneAlone(seller)() // later calls don't count, or a busy seller would never share again
	}
	return s.completeAlone(ctx, call)
}

// shares reports whether a seller's calls may share a transaction.
func (c *completions) shares(seller ids.Seller) bool {
	c.mu.Lock()
	defer c.mu.Unlock()
	return c.alone[seller] == 0
}

// doneAlone counts a call until the returned function is called.
func (c *completions) doneAlone(seller ids.Seller) (done func()) {
	c.mu.Lock()
	defer c.mu.Unlock()
	c.alone[seller]++
	return func() {
		c.mu.Lock()
		defer c.mu.Unlock()
		if c.alone[seller]--; c.alone[seller] == 0 {
			delete(c.alone, seller)
		}
	}
}

func (s *Store) completeAlone(ctx context.Context, call completion) (sale.Checkout, error) {
	var done completed
	err := s.transact(ctx, func(tx *Tx) error {
		all, err := tx.complete(ctx, []completion{call}, false)
		if err != nil {
			return err
		}
		done = all[0]
		return done.err
	})
	if err != nil {
		return sale.Checkout{}, err
	}
	return done.checkout, nil
}

// completeTogether runs several calls in one transaction. It does not take a seller's share, because the calls have
// already waited for their turn. If it fails, each call runs alone, so that no call fails because of another.
func (s *Store) completeTogether(ctx context.Context, calls []completion) ([]completed, error) {
	ctx = domain.WithActor(ctx, &domain.Actor{Kind: domain.SystemActor, ID: domain.SystemID})
	var all []completed
	err := s.transactOn(ctx, s.begin, func(tx *Tx) (err error) {
		if err := tx.allow(ctx, sharedWait, DefaultLimits.Statement.String()); err != nil {
			return err
		}
		all, err = tx.complete(ctx, calls, true)
		return err
	})
	if err == nil {
		return all, nil
	}
	all = make([]completed, len(calls))
	for i := range all {
		if all[i].alone = rolledBack(err) && !unreachable(err); !all[i].alone {
			all[i].err = mapError(err)
		}
	}
	return all, nil
}

// complete locks the checkouts of calls, sells them and stores the sales. A shared transaction skips locked checkouts,
// which then run alone, and continues without calls that fail.
func (tx *Tx) complete(ctx context.Context, calls []completion, shared bool) ([]completed, error) {
	lock := "NO KEY UPDATE OF c"
	if shared {
		lock += " SKIP LOCKED"
	}
	locked, err := tx.checkoutsForUpdate(ctx, calls, lock)
	if err != nil {
		return nil, err
	}
	all := make([]completed, len(calls))
	var sold []soldCheckout
	for i, call := range calls {
		found, free := locked[checkoutKey{call.seller, call.id}]
		delete(locked, checkoutKey{call.seller, call.id}) // the next call for this checkout must see the outcome
		switch created, err := call.sellFree(found, free); {
		case shared && (!free || len(created.Tickets) > maxSharedTickets):
			all[i].alone = true
		case err != nil:
			all[i].err = err
		default:
			all[i].checkout = created.Checkout
			sold = append(sold, soldCheckout{created, call, &all[i]})
		}
	}
	if sold, err = tx.recordSold(ctx, sold, shared); err != nil {
		return nil, err
	}
	return all, tx.storeSold(ctx, sold)
}

// sellFree sells a checkout. It returns NOT_FOUND if the checkout was not found, that is, free is false.
func (c completion) sellFree(locked sale.LockedCheckout, free bool) (sale.Sale, error) {
	if !free {
		return sale.Sale{}, domain.NotFound(checkoutName)
	}
	return c.sell(locked)
}
