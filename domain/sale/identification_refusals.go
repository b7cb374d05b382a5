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
	// RefusalDays is the number of days that Refusals covers, including today.
	RefusalDays = 30
	// maxTriedNumber is the maximum length of a number to try, in characters.
	maxTriedNumber = 255
)

// RefusalStore counts rejections by the identification rule. It commits by itself: the transaction of the rejected call is
// rolled back.
type RefusalStore interface {
	CountRefusal(ctx context.Context, seller ids.Seller, reason identification.Reason, at time.Time) error
	// Refusals returns the seller's rejections since the given day, grouped by reason, the most frequent first.
	Refusals(ctx context.Context, seller ids.Seller, since time.Time) ([]identification.Refusals, error)
}

// counted counts err if the identification rule returned it. It returns err, or the error of the counting.
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

// Refusals returns the number of rejected buyer details in the last 30 days, by reason, in checkouts and purchase
// intents together. Requires checkouts:list, or a session with role VIEWER.
func (s Checkouts) Refusals(ctx context.Context) ([]identification.Refusals, error) {
	actor, err := domain.Authorize(ctx, domain.ListRefusals)
	if err != nil {
		return nil, err
	}
	return s.Store.Refusals(ctx, actor.SellerID, s.Now().AddDate(0, 0, 1-RefusalDays))
}

// TrySIREN checks whether a checkout would accept a SIREN, and explains a rejection. It stores nothing. Requires
// checkouts:list, or a session with role VIEWER.
func (s Checkouts) TrySIREN(ctx context.Context, identifier string) (identification.Trial, error) {
	if _, err := domain.Authorize(ctx, domain.TrySIREN); err != nil {
		return identification.Trial{}, err
	}
	var errs domain.FieldErrors
	errs.Length("identifier", identifier, maxTriedNumber)
	if err := errs.Err(); err != nil {
		return identification.Trial{}, err
	}
	return identification.TrySIREN(identifier), nil
}
