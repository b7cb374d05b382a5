package program

import (
	"context"
	"time"

	"golang.org/x/time/rate"

	"ticketgate/domain"
	"ticketgate/domain/apikey"
	"ticketgate/domain/ids"
	"ticketgate/domain/share"
	"ticketgate/graph/edge"
)

// guesses limits the failed credentials of one address with a token bucket (LIMIT-21). Valid credentials take no token.
// If the bucket is empty, failed credentials get RATE_LIMITED (a cookie still gets UNAUTHENTICATED), and the
// credentials of the address are looked up one at a time. So valid ones pass, and guesses don't use up database
// connections.
type guesses struct {
	edge.Authenticator

	failed *limiter // nil if there is no limit
	turns  *share.Shares
}

// newGuesses wraps an authenticator with the limits of config. If no rate is set, failures are not counted.
func newGuesses(inner edge.Authenticator, config *Config) *guesses {
	const (
		seconds = 10 // of failures in a burst
		atOnce  = 2  // concurrent look-ups for addresses without tokens
		wait    = 2 * time.Second
	)
	bound := &guesses{Authenticator: inner, turns: share.New(share.Bounds{Total: atOnce, PerSeller: 1, Wait: wait})}
	if perSecond := config.failedCredentialRate(); perSecond > 0 {
		bound.failed = &limiter{
			rate: rate.Limit(perSecond), burst: seconds * perSecond,
			newer: map[string]*rate.Limiter{},
		}
	}
	return bound
}

// failedCredentialRate returns the setting or the default of the mode. The default of dev is high, because tests send
// many invalid credentials.
func (c *Config) failedCredentialRate() int {
	const prod, dev = 20, 1000
	switch {
	case c.FailedCredentialRate != nil:
		return *c.FailedCredentialRate
	case c.Prod:
		return prod
	}
	return dev
}

// Authenticate returns the caller. Malformed credentials are refused without a look-up and are not counted.
func (g *guesses) Authenticate(ctx context.Context, sent apikey.Credentials) (*domain.Actor, error) {
	network := domain.CallOf(ctx).Network()
	if g.failed == nil || network == "" || sent.Watching || !sent.WellFormed() {
		return g.Authenticator.Authenticate(ctx, sent)
	}
	if g.failed.exhausted(network, time.Now()) {
		giveBack, err := g.turns.Take(ctx, share.Payer{Seller: ids.Seller(network)})
		if domain.HasCode(err, domain.CodeRateLimited) {
			return nil, domain.RateLimited(time.Second)
		}
		if err != nil {
			return nil, domain.Unavailable(err)
		}
		defer giveBack()
	}
	actor, err := g.Authenticator.Authenticate(ctx, sent)
	if domain.HasCode(err, domain.CodeUnauthenticated) {
		tooMany := g.failed.take(network, time.Now())
		if isCookie := len(sent.Bearer)+len(sent.DeviceTokens) == 0; tooMany != nil && !isCookie {
			return nil, tooMany
		} // the browser must drop the cookie to be able to sign in again
	}
	return actor, err
}
