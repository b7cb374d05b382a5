package scan

import (
	"context"
	"time"

	"ticketgate/domain"
	"ticketgate/domain/moment"
)

// Minute is the number of scans in one minute.
type Minute struct {
	At       moment.DateTime
	Approved int
	Declined int
}

// countedMinutes is the number of minutes that PerMinute covers.
const countedMinutes = 60

// PerMinute returns the number of the seller's scans in each minute of the last hour, the current one included. It
// omits minutes without scans.
func (s Scans) PerMinute(ctx context.Context) ([]Minute, error) {
	actor, err := domain.Authorize(ctx, domain.CountScans)
	if err != nil {
		return nil, err
	}
	since := s.Now().Truncate(time.Minute).Add(-(countedMinutes - 1) * time.Minute)
	return s.Store.ScansPerMinute(ctx, actor.SellerID, moment.New(since))
}
