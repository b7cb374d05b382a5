package main

import (
	"context"
	"math"
	"net/http"
	"strconv"
	"time"

	"golang.org/x/time/rate"

	"ticketgate/domain"
	"ticketgate/domain/apikey"
	"ticketgate/graph/edge"
)

// callRate gives each credential a token bucket for its calls, and each seller one for all its keys, one for its devices and
// one for its sessions, so that a key that floods takes nothing from the gates (LIMIT-15). The platform has none, and callers
// without a credential have the bucket of their address (limiter).
type callRate struct {
	edge.Authenticator
	credentials, sellers *limiter // nil where there is no bound
}

func newCallRate(inner edge.Authenticator, config *Config) *callRate {
	return &callRate{
		Authenticator: inner,
		credentials:   bucketsOf(config.rateOf(config.CallRate, prodCallRate)),
		sellers:       bucketsOf(config.rateOf(config.SellerCallRate, prodSellerCallRate)),
	}
}

// The rates in calls a second if the settings leave them open. In dev they are above what one process can serve: there is
// nobody to protect, and what is measured is the program.
const (
	prodCallRate       = 1000
	prodSellerCallRate = 3000
	devCallRate        = 20_000
)

func (c *Config) rateOf(set *int, prod int) int {
	switch {
	case set != nil:
		return *set
	case c.Prod:
		return prod
	}
	return devCallRate
}

// bucketsOf holds two seconds of calls, so that a program may come in bursts.
func bucketsOf(perSecond int) *limiter {
	if perSecond == 0 {
		return nil
	}
	const seconds = 2
	return &limiter{rate: rate.Limit(perSecond), burst: seconds * perSecond, newer: map[string]*rate.Limiter{}}
}

// Authenticate returns who is calling, or RATE_LIMITED. A call that stays open is looked at again for nothing.
func (c *callRate) Authenticate(ctx context.Context, sent apikey.Credentials) (*domain.Actor, error) {
	actor, err := c.Authenticator.Authenticate(ctx, sent)
	if err != nil || sent.Watching {
		return actor, err
	}
	if err := c.take(ctx, actor, time.Now()); err != nil {
		return nil, err
	}
	return actor, nil
}

// take takes one call from both buckets, or from neither.
func (c *callRate) take(ctx context.Context, actor *domain.Actor, now time.Time) error {
	class := map[domain.ActorKind]string{
		domain.APIKeyActor: "key ", domain.OrganizationKeyActor: "key ", domain.DeviceActor: "device ", domain.UserActor: "session ",
	}[actor.Kind]
	if class == "" {
		return nil
	}
	var buckets []*rate.Limiter
	if c.credentials != nil {
		buckets = append(buckets, c.credentials.bucket(class+actor.ID))
	}
	if c.sellers != nil && actor.SellerID != "" {
		buckets = append(buckets, c.sellers.bucket(class+string(actor.SellerID)))
	}
	var reservations []*rate.Reservation
	var wait time.Duration
	for _, bucket := range buckets {
		reservation := bucket.ReserveN(now, 1)
		reservations = append(reservations, reservation)
		wait = max(wait, reservation.DelayFrom(now))
	}
	if wait > 0 {
		for _, reservation := range reservations {
			reservation.CancelAt(now)
		}
	}
	tell(ctx, buckets, now)
	if wait > 0 {
		return domain.RateLimited(wait)
	}
	return nil
}

type rateHeaderKey struct{}

// withRateHeader lets the response tell the caller's rest.
func withRateHeader(next http.Handler) http.Handler {
	return http.HandlerFunc(func(w http.ResponseWriter, r *http.Request) {
		next.ServeHTTP(w, r.WithContext(context.WithValue(r.Context(), rateHeaderKey{}, w.Header())))
	})
}

// tell sets the three fields that most clients know, of the bucket that holds less: how many calls it takes, how many are left
// and in how many seconds it is full again.
func tell(ctx context.Context, buckets []*rate.Limiter, now time.Time) {
	header, ok := ctx.Value(rateHeaderKey{}).(http.Header)
	if !ok || len(buckets) == 0 {
		return
	}
	tightest := buckets[0]
	for _, bucket := range buckets[1:] {
		if bucket.TokensAt(now) < tightest.TokensAt(now) {
			tightest = bucket
		}
	}
	left, burst := max(0, tightest.TokensAt(now)), float64(tightest.Burst())
	header.Set("RateLimit-Limit", strconv.Itoa(tightest.Burst()))
	header.Set("RateLimit-Remaining", strconv.Itoa(int(left)))
	header.Set("RateLimit-Reset", strconv.Itoa(int(math.Ceil((burst-left)/float64(tightest.Limit())))))
}
