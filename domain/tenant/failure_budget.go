package tenant

import (
	"time"

	"golang.org/x/time/rate"

	"ticketgate/domain"
)

// FailuresAMinute is how many attempts of callers whose address is not known may fail in a minute in this process.
const FailuresAMinute = 600

// FailureBudget bounds the failed attempts of callers whose address is not known: the throttle by address can't count
// them (EDGE-5). A nil budget has no bound.
type FailureBudget struct{ left *rate.Limiter }

// half of the budget is there at once, and the other half comes back in a minute: no minute has more than both.
const half = FailuresAMinute / 2

// NewFailureBudget returns the budget of a process.
func NewFailureBudget() *FailureBudget {
	return &FailureBudget{left: rate.NewLimiter(rate.Every(time.Minute/half), half)}
}

// wait returns how long attempts of the caller are refused because too many have failed.
func (b *FailureBudget) wait(call domain.Call, now time.Time) time.Duration {
	if b == nil || !call.SharedAddress || b.left.TokensAt(now) >= 1 {
		return 0
	}
	return time.Minute / half
}

// fail counts a failed attempt.
func (b *FailureBudget) fail(call domain.Call, now time.Time) {
	if b != nil && call.SharedAddress {
		b.left.AllowN(now, 1)
	}
}
