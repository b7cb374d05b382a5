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

// The bounds of completions that share a transaction (SALE-1).
const (
	// completedAtOnce is how many share one.
	completedAtOnce = 64
	// completedTogether is how many of these transactions a process has at a time: while one waits for the disk, or for a counter
	// that another process holds, the other one goes on.
	completedTogether = 2
	// mostSharedTickets is the largest checkout that shares one. Others would wait for a larger one.
	mostSharedTickets = share.Ordinary
	// sharedWait is how long a shared transaction waits for a lock, since all its calls and those behind them wait with it.
	sharedWait = "250ms"
)

// completions let calls that complete checkouts share a transaction and its commit. A call that can't is done alone: in a
// transaction, within the share and in the time of its caller.
type completions struct {
	group batch.Group[completion, completed]

	mu sync.Mutex
	// alone counts the calls that could not share and are being done alone. Other calls of these sellers don't share meanwhile, since
	// they may wait for the same locks.
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

// completed is what became of a call in a shared transaction: an answer, an error, or nothing if it has to be done alone.
type completed struct {
	checkout sale.Checkout
	err      error
	alone    bool
}

func (s *Store) openCompletions() {
	s.completions.alone = map[ids.Seller]int{}
	group := &s.completions.group
	group.Work, group.Most, group.Parallel = s.completeTogether, completedAtOnce, completedTogether
	group.Timeout = DefaultLimits.Statement // the one error of completeTogether is a panic, of which nothing remains
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
		defer s.completions.doneAlone(seller)() // those that come meanwhile don't count, or a busy seller would never share again
	}
	return s.completeAlone(ctx, call)
}

// shares reports whether a seller's calls may share a transaction with others.
func (c *completions) shares(seller ids.Seller) bool {
	c.mu.Lock()
	defer c.mu.Unlock()
	return c.alone[seller] == 0
}

// doneAlone counts a call until it is done.
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

// completeTogether is the transaction of several calls. It holds no seller's share: its calls took turns already. If nothing of it
// remains, each call is done alone, so that no call fails for another.
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

// complete locks the checkouts of calls, has them sold and stores the sales. A shared transaction waits for no checkout, leaves
// those to be done alone that others have locked, and goes on without the calls that fail.
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
		delete(locked, checkoutKey{call.seller, call.id}) // the next call with this checkout has to see what becomes of it
		switch made, err := call.sellFree(found, free); {
		case shared && (!free || len(made.Tickets) > mostSharedTickets):
			all[i].alone = true
		case err != nil:
			all[i].err = err
		default:
			all[i].checkout = made.Checkout
			sold = append(sold, soldCheckout{made, call, &all[i]})
		}
	}
	if sold, err = tx.rememberSold(ctx, sold, shared); err != nil {
		return nil, err
	}
	return all, tx.storeSold(ctx, sold)
}

// sellFree sells a checkout that was found and is locked.
func (c completion) sellFree(locked sale.LockedCheckout, free bool) (sale.Sale, error) {
	if !free {
		return sale.Sale{}, domain.NotFound(checkoutName)
	}
	return c.sell(locked)
}
