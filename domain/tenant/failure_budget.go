package tenant

import (
	"time"

	"golang.org/x/time/rate"

	"ticketgate/domain"
)

// FailuresAMinute is the maximum number of failed attempts per minute and process by callers with unknown addresses.
const FailuresAMinute = 600

// FailureBudget bounds the failed attempts of callers with unknown addresses, which the throttle by address can't count
// (EDGE-5). A nil budget is unlimited.
type FailureBudget struct{ left *rate.Limiter }

// half of the budget is available at once and the other half accrues within a minute, so no minute exceeds the sum.
const half = FailuresAMinute / 2

// NewFailureBudget returns the budget of a process.
func NewFailureBudget() *FailureBudget {
	return &FailureBudget{left: rate.NewLimiter(rate.Every(time.Minute/half), half)}
}

// wait returns how long attempts of the caller are refused after too many failures.
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
