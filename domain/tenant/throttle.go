package tenant

import (
	"crypto/sha256"
	"time"

	"ticketgate/domain"
	"ticketgate/domain/secrets"
	"ticketgate/domain/texts"
)

// Throttle slows down guessing. After Limit failures a subject is locked for First, and after each later one for twice
// as long, up to Longest. Every Forgive without a failure, one failure expires, so an address with occasional typing
// mistakes is never locked.
type Throttle struct {
	Limit   int
	First   time.Duration
	Longest time.Duration
	Forgive time.Duration
}

// The throttles of logins. An account is used by its owner only and forgives slowly; a network may be shared by a whole
// office.
var (
	AccountThrottle = Throttle{Limit: 5, First: time.Minute, Longest: 15 * time.Minute, Forgive: 15 * time.Minute}
	AddressThrottle = Throttle{Limit: 100, First: time.Minute, Longest: 15 * time.Minute, Forgive: time.Minute}
)

// Failures are the failed logins of a subject. The zero value means none.
type Failures struct {
	Count       int
	Last        time.Time
	LockedUntil time.Time
}

// Wait returns how long the subject stays locked, or zero.
func (f Failures) Wait(now time.Time) time.Duration { return max(0, f.LockedUntil.Sub(now)) }

// Fail returns f with one more failure.
func (t Throttle) Fail(f Failures, now time.Time) Failures {
	forgotten := max(0, int(now.Sub(f.Last)/t.Forgive))
	after := Failures{Count: max(0, f.Count-forgotten) + 1, Last: now}
	if after.Count >= t.Limit {
		after.LockedUntil = now.Add(t.lock(after.Count - t.Limit))
	}
	return after
}

// lock returns how long the n-th failure after the limit locks.
func (t Throttle) lock(n int) time.Duration {
	wait := t.First
	for ; n > 0 && wait < t.Longest; n-- {
		wait *= 2
	}
	return min(wait, t.Longest)
}

// elsewhereSubject returns the subject of an address at all places. Every failed login with the address counts there,
// whatever accounts it has. It locks the accounts that did not sign in at the place before (ACCOUNT-7).
func elsewhereSubject(email string) secrets.Digest {
	return sha256.Sum256([]byte("account " + texts.FoldEmail(email)))
}

// comparisonSubject returns the subject that counts logins whose password did not match all accounts of the address
// (ACCOUNT-8).
func comparisonSubject(email string) secrets.Digest {
	return sha256.Sum256([]byte("comparisons of " + texts.FoldEmail(email)))
}

// sessionSubject returns the subject of a signed-in user who confirms the current password.
func sessionSubject(userID string) secrets.Digest {
	return sha256.Sum256([]byte("session of " + userID))
}

// addressSubject returns the subject of a network. See domain.Call.Network.
func addressSubject(network string) secrets.Digest {
	return sha256.Sum256([]byte("address " + network))
}

// lockedOut returns the error for a locked subject, which is the same for an address without accounts.
func lockedOut(wait time.Duration) *domain.Error {
	refused := domain.RateLimited(wait)
	refused.Message = "Too many failed logins. Try again later"
	return refused
}
