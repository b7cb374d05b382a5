package sale

import (
	"context"
	"errors"
	"time"

	"ticketgate/domain"
	"ticketgate/domain/identification"
	"ticketgate/domain/ids"
)

const (
	// RefusalDays is how many days refusals are told of, today included.
	RefusalDays = 30
	// maxTriedNumber bounds what a person may try as a number, in characters.
	maxTriedNumber = 255
)

// RefusalStore counts what the identification rule refuses. It does so beside the transaction that was refused, of which
// nothing remains.
type RefusalStore interface {
	CountRefusal(ctx context.Context, seller ids.Seller, reason identification.Reason, at time.Time) error
	// Refusals sums up the seller's refusals since a day, the most frequent first.
	Refusals(ctx context.Context, seller ids.Seller, since time.Time) ([]identification.Refusals, error)
}

// counted notes a refusal of the identification rule and returns it; any other error as it is.
func counted(ctx context.Context, in RefusalStore, seller ids.Seller, now time.Time, err error) error {
	refused, ok := errors.AsType[*identification.RefusalError](err)
	if !ok {
		return err
	}
	if failure := in.CountRefusal(ctx, seller, refused.Reason, now); failure != nil {
		return failure
	}
	return err
}

// Refusals says how often buyers' details were refused in the last 30 days, by reason: checkouts:list, or a session with
// VIEWER. Checkouts and purchase intents count alike.
func (s Checkouts) Refusals(ctx context.Context) ([]identification.Refusals, error) {
	actor, err := domain.Authorize(ctx, domain.ListRefusals)
	if err != nil {
		return nil, err
	}
	return s.Store.Refusals(ctx, actor.SellerID, s.Now().AddDate(0, 0, 1-RefusalDays))
}

// TrySIREN says whether a checkout would take a number, and why not: checkouts:list, or a session with VIEWER. Nothing is
// kept.
func (s Checkouts) TrySIREN(ctx context.Context, identifier string) (identification.Trial, error) {
	if _, err := domain.Authorize(ctx, domain.TrySIREN); err != nil {
		return identification.Trial{}, err
	}
	var problems domain.Problems
	problems.Length("identifier", identifier, maxTriedNumber)
	if err := problems.Err(); err != nil {
		return identification.Trial{}, err
	}
	return identification.TrySIREN(identifier), nil
}
