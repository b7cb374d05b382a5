package scan

import (
	"context"
	"time"

	"ticketgate/domain"
	"ticketgate/domain/moment"
)

// Minute is how many scans were made in one minute.
type Minute struct {
	At       moment.DateTime
	Approved int
	Declined int
}

// countedMinutes is how far PerMinute looks back.
const countedMinutes = 60

// PerMinute counts the seller's scans of the last hour, minute by minute, the one that is going on included. Minutes
// without a scan are left out.
func (s Scans) PerMinute(ctx context.Context) ([]Minute, error) {
	actor, err := domain.Authorize(ctx, domain.CountScans)
	if err != nil {
		return nil, err
	}
	since := s.Now().Truncate(time.Minute).Add(-(countedMinutes - 1) * time.Minute)
	return s.Store.ScansPerMinute(ctx, actor.SellerID, moment.New(since))
}
