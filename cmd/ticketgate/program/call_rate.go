package program

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

// callRate limits calls by token buckets. Each credential has a bucket. Each seller has one for all its keys, one for
// its devices and one for its sessions, so that a key with too many calls takes nothing from the gates (LIMIT-15). The
// sellers of one organization share twice a seller's rate (LIMIT-4). The platform is not limited. Callers without a
// credential are limited by address, see limiter.
type callRate struct {
	edge.Authenticator
	credentials, sellers, organizations *limiter // nil if not limited
}

func newCallRate(inner edge.Authenticator, config *Config) *callRate {
	return &callRate{
		Authenticator: inner,
		credentials:   bucketsOf(config.rateOf(config.CallRate, prodCallRate)),
		sellers:       bucketsOf(config.rateOf(config.SellerCallRate, prodSellerCallRate)),
		organizations: bucketsOf(2 * config.rateOf(config.SellerCallRate, prodSellerCallRate)),
	}
}

// The default rates in calls per second. In dev they exceed the capacity of a process. There are no other callers to
// protect, and benchmarks must not reach the limit.
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

// bucketsOf returns a limiter whose buckets hold the tokens of two seconds, to allow bursts. It returns nil if
// perSecond is 0.
func bucketsOf(perSecond int) *limiter {
	if perSecond == 0 {
		return nil
	}
	const seconds = 2
	return &limiter{rate: rate.Limit(perSecond), burst: seconds * perSecond, newer: map[string]*rate.Limiter{}}
}

// Authenticate returns the caller, or RATE_LIMITED if a bucket is empty. Checking the caller of a running subscription
// again takes no token.
func (c *callRate) Authenticate(ctx context.Context, sent apikey.Credentials) (*domain.Actor, error) {
	actor, err := c.Authenticator.Authenticate(ctx, sent)
	if err != nil || sent.Watching {
		return actor, err
	}
	if err := c.take(edge.ResponseHeader(ctx), actor, time.Now()); err != nil {
		return nil, err
	}
	return actor, nil
}

// take takes one token from each bucket, or none if any bucket is empty. It reports the remaining tokens in the
// response header.
func (c *callRate) take(header http.Header, actor *domain.Actor, now time.Time) error {
	class := classes[actor.Kind]
	if class == "" {
		return nil
	}
	var all [3]*rate.Limiter
	buckets := all[:0]
	if c.credentials != nil {
		buckets = append(buckets, c.credentials.bucket(class+actor.ID))
	}
	if c.sellers != nil && actor.SellerID != "" {
		buckets = append(buckets, c.sellers.bucket(class+string(actor.SellerID)))
	}
	if c.organizations != nil && actor.OrgID != "" {
		buckets = append(buckets, c.organizations.bucket(class+string(actor.OrgID)))
	}
	err := takeEach(now, buckets...)
	setRateHeaders(header, buckets, now)
	return err
}

// classes are the kinds of callers that share a bucket per seller. Other kinds are not limited.
var classes = map[domain.ActorKind]string{
	domain.APIKeyActor: "key ", domain.OrganizationKeyActor: "key ", domain.DeviceActor: "device ", domain.UserActor: "session ",
}

// setRateHeaders sets the three common rate limit headers for the emptiest bucket: its size, the remaining calls, and the seconds
// until it is full.
func setRateHeaders(header http.Header, buckets []*rate.Limiter, now time.Time) {
	if header == nil || len(buckets) == 0 {
		return
	}
	tightest, left := buckets[0], buckets[0].TokensAt(now)
	for _, bucket := range buckets[1:] {
		if tokens := bucket.TokensAt(now); tokens < left {
			tightest, left = bucket, tokens
		}
	}
	left = max(0, left)
	burst := float64(tightest.Burst())
	// The names are in canonical form, which saves converting them for each request.
	header["Ratelimit-Limit"] = []string{strconv.Itoa(tightest.Burst())}
	header["Ratelimit-Remaining"] = []string{strconv.Itoa(int(left))}
	header["Ratelimit-Reset"] = []string{strconv.Itoa(int(math.Ceil((burst - left) / float64(tightest.Limit()))))}
}
