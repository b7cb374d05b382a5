package program

import (
	"math"
	"sync"
	"time"

	"golang.org/x/time/rate"

	"ticketgate/domain"
)

// limiter limits the operations that need no credential by token buckets: one per key or device, and one per address for all
// other callers.
type limiter struct {
	rate  rate.Limit
	burst int

	mutex sync.Mutex
	// Two generations: when the newer is full, it becomes the older. This bounds memory, and frequent callers keep their
	// buckets.
	newer, older map[string]*rate.Limiter
}

// limiterBound is the maximum number of callers in one generation.
const limiterBound = 10_000

func newLimiter(config *Config) *limiter {
	return &limiter{
		rate: rate.Limit(config.PublicRate), burst: config.PublicBurst, newer: map[string]*rate.Limiter{},
	}
}

// admit takes one token from the caller's bucket, or returns RATE_LIMITED. A caller without a bucket is admitted.
func (l *limiter) admit(actor *domain.Actor, call domain.Call) error {
	return l.take(subjectOf(actor, call), time.Now())
}

func (l *limiter) take(subject string, now time.Time) error {
	if subject == "" {
		return nil
	}
	return takeEach(now, l.bucket(subject))
}

// takeEach takes one token from every bucket, or none and returns RATE_LIMITED with the longest wait.
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
		// Another call may have taken the token since; then this one takes the next.
		bucket.ReserveN(now, 1)
	}
	return nil
}

// exhausted reports whether the subject's bucket is empty. It neither takes a token nor creates a bucket.
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

// subjectOf returns the key of the bucket: the credential's or the address's. It is "" if the address is not known (EDGE-5).
func subjectOf(actor *domain.Actor, call domain.Call) string {
	if actor.Kind == domain.APIKeyActor || actor.Kind == domain.OrganizationKeyActor || actor.Kind == domain.DeviceActor {
		return "actor " + actor.ID
	}
	if network := call.Network(); network != "" {
		return "address " + network
	}
	return ""
}
