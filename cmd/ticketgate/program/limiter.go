package program

import (
	"math"
	"sync"
	"time"

	"golang.org/x/time/rate"

	"ticketgate/domain"
)

// limiter limits operations that require no credential, with a token bucket for each key or device. All other callers
// share a bucket per address.
type limiter struct {
	rate  rate.Limit
	burst int

	mutex sync.Mutex
	// Buckets are in two generations. When the newer one is full, it becomes the older one. This bounds the memory, and
	// frequent callers keep their buckets.
	newer, older map[string]*rate.Limiter
}

// limiterBound is the maximum number of callers in one generation.
const limiterBound = 10_000

func newLimiter(config *Config) *limiter {
	return &limiter{
		rate: rate.Limit(config.PublicRate), burst: config.PublicBurst, newer: map[string]*rate.Limiter{},
	}
}

// admit takes one token from the caller's bucket. It returns RATE_LIMITED if the bucket is empty. A caller without a
// subject (see subjectOf) is admitted.
func (l *limiter) admit(actor *domain.Actor, call domain.Call) error {
	return l.take(subjectOf(actor, call), time.Now())
}

func (l *limiter) take(subject string, now time.Time) error {
	if subject == "" {
		return nil
	}
	return takeEach(now, l.bucket(subject))
}

// takeEach takes one token from every bucket. If any is empty, it takes none and returns RATE_LIMITED with the longest
// wait.
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
		// Another call may have taken the token in the meantime. This one then takes the next.
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

// bucket returns the bucket of a subject, and creates it if necessary. When there are limiterBound buckets, those
// unused since the previous time are dropped.
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

// subjectOf returns the key of the caller's bucket: the credential or the address. It is empty if the address is
// unknown (EDGE-5).
func subjectOf(actor *domain.Actor, call domain.Call) string {
	if actor.Kind == domain.APIKeyActor || actor.Kind == domain.OrganizationKeyActor || actor.Kind == domain.DeviceActor {
		return "actor " + actor.ID
	}
	if network := call.Network(); network != "" {
		return "address " + network
	}
	return ""
}
