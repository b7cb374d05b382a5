package scan

import (
	"context"
	"errors"
	"fmt"
	"time"

	"ticketgate/domain"
	"ticketgate/domain/batch"
	"ticketgate/domain/ids"
	"ticketgate/domain/moment"
)

const (
	// sharedScans is the maximum number of a seller's scans that share a transaction.
	sharedScans = 64
	// sharedTime is how long they may take, the same as a statement.
	sharedTime = 5 * time.Second
)

// NewScans returns the operations on scans. Copies of them share transactions.
func NewScans(store LogStore, gates Gates, now func() time.Time) Scans {
	s := Scans{Store: store, Gates: gates, Now: now}
	s.shared = &batch.Groups[ids.Seller, call, outcome]{New: func() *batch.Group[call, outcome] {
		return &batch.Group[call, outcome]{
			Work: s.together, Max: sharedScans, Timeout: sharedTime, Undone: func(error) bool { return false },
		}
	}}
	return s
}

// call is a scan at the gate that waits for its transaction. Its gate is already known.
type call struct {
	Attempt
	seller ids.Seller
	gate   place
	// bare omits the ticket from the response.
	bare    bool
	trace   string
	request *domain.IdempotentRequest
	// gone is closed when the caller has given up.
	gone <-chan struct{}
}

// outcome is the result of a call. Without an answer the scan was not stored and needs its own transaction.
type outcome struct{ answer *Answer }

// share makes a scan together with concurrent ones of the same seller. Each seller has separate transactions, so that
// waiting for locks or connections delays no other seller.
func (s Scans) share(ctx context.Context, created call) (Answer, error) {
	created.trace, created.gone = s.Store.Trace(ctx), ctx.Done()
	if request, ok := domain.IdempotentRequestOf(ctx); ok {
		created.request = &request
	}
	done, err := s.shared.Do(ctx, created.seller, created)
	switch {
	case ctx.Err() != nil && errors.Is(err, ctx.Err()):
		return Answer{}, domain.Unavailable(err)
	case err != nil:
		return Answer{}, err
	case done.answer == nil:
		return s.alone(ctx, created)
	}
	return *done.answer, nil
}

// alone makes a scan in its own transaction, which waits for the lock of its place.
func (s Scans) alone(ctx context.Context, created call) (answer Answer, err error) {
	err = s.Store.InTx(ctx, func(tx Tx) error {
		run := recording{tx: tx, seller: created.seller, gate: created.gate, now: moment.New(s.Now())}
		if answer, err = run.atGate(ctx, created.Attempt); err == nil && created.bare {
			answer.Ticket = nil
		}
		tx.SetResponse(answer)
		return err
	})
	if err != nil {
		return Answer{}, err
	}
	return answer, nil
}

// together makes scans of one seller in one transaction. It waits for no lock, and leaves a scan that can't be stored
// at once to its caller. If the transaction fails, it leaves all scans to their callers. If the transaction may have
// been committed, it returns an error and the scans are not repeated.
func (s Scans) together(ctx context.Context, calls []call) ([]outcome, error) {
	var run *sharing
	err := s.inTx(ctx, func(tx Tx) error {
		run = &sharing{tx: tx, seller: calls[0].seller, calls: calls, now: moment.New(s.Now())}
		return run.run(ctx)
	})
	if err == nil {
		return run.outcomes(), nil
	}
	if domain.HasCode(err, domain.CodeRateLimited) || !s.Store.Undone(err) {
		return nil, err
	}
	return make([]outcome, len(calls)), nil
}

// inTx is Store.InTx, but turns a panic into an error, so that one scan can't stop the others.
func (s Scans) inTx(ctx context.Context, f func(Tx) error) error {
	return s.Store.InTx(ctx, func(tx Tx) (err error) {
		defer func() {
			if reason := recover(); reason != nil {
				err = fmt.Errorf("panic: %v", reason)
			}
		}()
		return f(tx)
	})
}
