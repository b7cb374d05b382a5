package tenant

import (
	"crypto/sha256"
	"time"

	"ticketgate/domain"
	"ticketgate/domain/secrets"
	"ticketgate/domain/texts"
)

// Throttle slows guessing down: after Limit failures in a row a subject is locked for First, after each further one
// for twice as long, up to Longest. For each Forgive without a failure one of them is forgotten, so that an address
// whose people mistype now and then is never locked.
type Throttle struct {
	Limit   int
	First   time.Duration
	Longest time.Duration
	Forgive time.Duration
}

// The throttles of logins. An account that nobody but its owner uses forgives slowly; an address may be that of a
// whole office.
var (
	AccountThrottle = Throttle{Limit: 5, First: time.Minute, Longest: 15 * time.Minute, Forgive: 15 * time.Minute}
	AddressThrottle = Throttle{Limit: 100, First: time.Minute, Longest: 15 * time.Minute, Forgive: time.Minute}
)

// Failures is what is remembered of a subject's failed logins. The zero value is none.
type Failures struct {
	Count       int
	Last        time.Time
	LockedUntil time.Time
}

// Wait is how long the subject stays locked; zero when it may try.
func (f Failures) Wait(now time.Time) time.Duration { return max(0, f.LockedUntil.Sub(now)) }

// Fail counts one more failure.
func (t Throttle) Fail(f Failures, now time.Time) Failures {
	forgotten := max(0, int(now.Sub(f.Last)/t.Forgive))
	after := Failures{Count: max(0, f.Count-forgotten) + 1, Last: now}
	if after.Count >= t.Limit {
		after.LockedUntil = now.Add(t.lock(after.Count - t.Limit))
	}
	return after
}

// lock is how long the n-th further failure locks.
func (t Throttle) lock(n int) time.Duration {
	wait := t.First
	for ; n > 0 && wait < t.Longest; n-- {
		wait *= 2
	}
	return min(wait, t.Longest)
}

// elsewhereSubject is an address at all places: every failed login with it is counted there, whatever accounts it has. It
// locks the accounts that did not sign in at the place before (ACCOUNT-7).
func elsewhereSubject(email string) secrets.Digest {
	return sha256.Sum256([]byte("account " + texts.FoldEmail(email)))
}

// comparisonSubject counts the logins whose password was not that of all accounts of the address (ACCOUNT-8).
func comparisonSubject(email string) secrets.Digest {
	return sha256.Sum256([]byte("comparisons of " + texts.FoldEmail(email)))
}

// sessionSubject is a signed-in user who proves the current password.
func sessionSubject(userID string) secrets.Digest {
	return sha256.Sum256([]byte("session of " + userID))
}

// addressSubject is a network, as domain.Call has it, under which failures are counted.
func addressSubject(network string) secrets.Digest {
	return sha256.Sum256([]byte("address " + network))
}

// lockedOut is the refusal of a locked subject: the same for an address without an account.
func lockedOut(wait time.Duration) *domain.Error {
	refused := domain.RateLimited(wait)
	refused.Message = "Too many failed logins; please try again later"
	return refused
}
