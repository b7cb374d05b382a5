package main

import (
	"net/http"
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

// each lets the operations of a request ask for its caller's bucket.
func (l *limiter) each(next http.Handler) http.Handler {
	return http.HandlerFunc(func(w http.ResponseWriter, r *http.Request) {
		call := domain.CallOf(r.Context())
		call.Admit = func(actor *domain.Actor) error { return l.admit(subjectOf(actor, call), time.Now()) }
		next.ServeHTTP(w, r.WithContext(domain.WithCall(r.Context(), call)))
	})
}

// admit takes one token, or says how long it takes until there is one. Nothing is taken from a caller without a bucket.
func (l *limiter) admit(subject string, now time.Time) error {
	if subject == "" {
		return nil
	}
	reservation := l.bucket(subject).ReserveN(now, 1)
	if wait := reservation.DelayFrom(now); wait > 0 {
		reservation.CancelAt(now)
		return domain.RateLimited(wait)
	}
	return nil
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
