package program

import (
	"math"
	"sync"
	"time"

	"golang.org/x/time/rate"

	"ticketgate/domain"
)

// limiter gives each caller a token bucket for the operations that need no credential: a key or a device has its own,
// everybody else that of the address.
type limiter struct {
	rate  rate.Limit
	burst int

	mutex sync.Mutex
	// Two generations: when the newer is full it becomes the older, so that memory is bounded and a caller who
	// comes often is never forgotten.
	newer, older map[string]*rate.Limiter
}

// limiterBound is how many callers one generation remembers.
const limiterBound = 10_000

func newLimiter(config *Config) *limiter {
	return &limiter{
		rate: rate.Limit(config.PublicRate), burst: config.PublicBurst, newer: map[string]*rate.Limiter{},
	}
}

// admit takes one token of a caller's, or returns RATE_LIMITED. Nothing is taken from a caller without a bucket.
func (l *limiter) admit(actor *domain.Actor, call domain.Call) error {
	return l.take(subjectOf(actor, call), time.Now())
}

func (l *limiter) take(subject string, now time.Time) error {
	if subject == "" {
		return nil
	}
	return takeEach(now, l.bucket(subject))
}

// takeEach takes one token from every bucket, or none from any and returns RATE_LIMITED with the longest wait.
func takeEach(now time.Time, buckets ...*rate.Limiter) error {
	var wait time.Duration
	for _, bucket := range buckets {
		if lacking := 1 - bucket.TokensAt(now); lacking > 0 {
			wait = max(wait, time.Duration(math.Ceil(lacking/float64(bucket.Limit())*float64(time.Second))))
		}
	}
	if wait > 0 {
		return domain.RateLimited(wait)
	}
	for _, bucket := range buckets {
		// Another call may have come between; then this one has the token that comes next.
		bucket.ReserveN(now, 1)
	}
	return nil
}

// exhausted reports whether the subject has a bucket without a token. Asking takes nothing and makes no bucket.
func (l *limiter) exhausted(subject string, now time.Time) bool {
	l.mutex.Lock()
	defer l.mutex.Unlock()
	bucket, ok := l.newer[subject]
	if !ok {
		bucket, ok = l.older[subject]
	}
	return ok && bucket.TokensAt(now) < 1
}

func (l *limiter) bucket(subject string) *rate.Limiter {
	l.mutex.Lock()
	defer l.mutex.Unlock()
	if bucket, ok := l.newer[subject]; ok {
		return bucket
	}
	bucket, ok := l.older[subject]
	if !ok {
		bucket = rate.NewLimiter(l.rate, l.burst)
	}
	if len(l.newer) >= limiterBound {
		l.newer, l.older = map[string]*rate.Limiter{}, l.newer
	}
	l.newer[subject] = bucket
	return bucket
}

// subjectOf returns whose bucket it is: the credential's or the address's. It is "" if the address is not known (EDGE-5).
func subjectOf(actor *domain.Actor, call domain.Call) string {
	if actor.Kind == domain.APIKeyActor || actor.Kind == domain.OrganizationKeyActor || actor.Kind == domain.DeviceActor {
		return "actor " + actor.ID
	}
	if network := call.Network(); network != "" {
		return "address " + network
	}
	return ""
}
