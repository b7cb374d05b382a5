package tenant

import (
	"context"
	"slices"
	"time"

	"ticketgate/domain"
	"ticketgate/domain/secrets"
)

// subject is a key for counting failures, with its throttle.
type subject struct {
	digest   secrets.Digest
	throttle Throttle
	failures Failures
	// own is true for a known browser or a session. Limits that strangers can exhaust do not apply to it.
	own bool
}

// counts are the subjects of an attempt. Except for accounts that signed in at the caller's place before, they do not
// depend on the accounts of the address, and neither does the response to a refused login (ACCOUNT-7).
type counts struct {
	// elsewhere counts the address at all places. While it is locked, only accounts that know the place can be opened.
	// An attempt within a session has none.
	elsewhere subject
	// network has a zero digest if the network of the call is unknown.
	network subject
	// budget is how long callers of unknown networks are refused.
	budget time.Duration
	// places maps the accounts that know the place of the call to their subjects.
	places map[string]subject
}

// counts reads and locks the counts of an attempt. It always locks in the same order, which excludes deadlocks.
func (s Sessions) counts(ctx context.Context, tx Tx, a attempt, ids []string, now time.Time) (counts, error) {
	counted := counts{budget: s.Unknown.wait(domain.CallOf(ctx), now)}
	read := func(of subject) (subject, error) {
		var err error
		of.failures, err = tx.Failures(ctx, of.digest)
		return of, err
	}
	var err error
	if a.userID != "" { // a session proves that its user signed in
		counted.places = map[string]subject{a.userID: {digest: sessionSubject(a.userID), throttle: s.Account, own: true}}
	} else {
		if counted.elsewhere, err = read(subject{digest: elsewhereSubject(a.email), throttle: s.Account}); err != nil {
			return counts{}, err
		}
		if counted.places, err = s.places(ctx, tx, ids, now); err != nil {
			return counts{}, err
		}
	}
	for _, id := range ids {
		if of, known := counted.places[id]; known {
			if counted.places[id], err = read(of); err != nil {
				return counts{}, err
			}
		}
	}
	if from := domain.CallOf(ctx).Network(); from != "" {
		counted.network, err = read(subject{digest: addressSubject(from), throttle: s.Address})
	}
	return counted, err
}

// places returns the accounts that know the place of the call, each with its subject there.
func (s Sessions) places(ctx context.Context, tx Tx, ids []string, now time.Time) (map[string]subject, error) {
	call := domain.CallOf(ctx)
	network := call.Network()
	digests := make([]secrets.Digest, len(ids))
	for i, id := range ids {
		digests[i] = networkPlace(id, network)
	}
	known, err := tx.KnownPlaces(ctx, digests)
	if err != nil {
		return nil, err
	}
	places := make(map[string]subject, len(ids))
	for i, id := range ids {
		if nonce := s.Places.nonceOf(id, call.PlaceTokens, now); nonce != nil {
			places[id] = subject{digest: browserSubject(id, nonce), throttle: s.Account, own: true}
		} else if network != "" && known[digests[i]] {
			places[id] = subject{digest: digests[i], throttle: s.Account}
		}
	}
	return places, nil
}

// shut reports whether the network of the call is refused. Known browsers are exempt.
func (c counts) shut(now time.Time) bool { return c.budget > 0 || c.network.failures.Wait(now) > 0 }

// takesStrangers reports whether accounts that do not know the place of the call may be tried.
func (c counts) takesStrangers(now time.Time) bool {
	return c.elsewhere.digest != secrets.Digest{} && c.elsewhere.failures.Wait(now) == 0 && !c.shut(now)
}

// open returns the accounts that may be tried.
func (c counts) open(ids []string, now time.Time) []string {
	return slices.DeleteFunc(slices.Clone(ids), func(id string) bool {
		of, known := c.places[id]
		if !known {
			return !c.takesStrangers(now)
		}
		return of.failures.Wait(now) > 0 || (!of.own && c.shut(now))
	})
}

// wait returns how long the caller must wait. A known browser depends on its own failures only. For other callers the
// failures of the address count, which are at least as many as those of any account at this network. So the response
// does not depend on other accounts, and tells the owner of a locked account that it is locked.
func (c counts) wait(now time.Time) time.Duration {
	var own bool
	var ofOwn, ofAll time.Duration
	for _, of := range c.places {
		left := of.failures.Wait(now)
		if ofAll = max(ofAll, left); of.own {
			own, ofOwn = true, max(ofOwn, left)
		}
	}
	if own {
		return ofOwn
	}
	return max(ofAll, c.elsewhere.failures.Wait(now), c.network.failures.Wait(now), c.budget)
}

// fail counts a failed attempt for the accounts that were tried.
func (c *counts) fail(ctx context.Context, tx Tx, open []string, now time.Time) error {
	count := func(of *subject) error {
		if (of.digest == secrets.Digest{}) {
			return nil
		}
		of.failures = of.throttle.Fail(of.failures, now)
		return tx.SetFailures(ctx, of.digest, of.failures)
	}
	if err := count(&c.elsewhere); err != nil {
		return err
	}
	for _, id := range open {
		of := c.places[id]
		if err := count(&of); err != nil {
			return err
		}
		if _, known := c.places[id]; known {
			c.places[id] = of
		}
	}
	return count(&c.network)
}

// clear resets the failures at this place of the accounts whose password matched. The count of the address stays.
// Otherwise the owner of one account could guess at another without limit. The counts of other accounts stay too,
// because the login was not a failure of theirs.
func (c counts) clear(ctx context.Context, tx Tx, ids []string, matched []provenAccount) error {
	for _, id := range ids {
		of, known := c.places[id]
		if !known {
			continue
		}
		if slices.ContainsFunc(matched, func(proven provenAccount) bool { return proven.ID == id }) {
			of.failures = Failures{}
		}
		if err := tx.SetFailures(ctx, of.digest, of.failures); err != nil { // deletes the row if there are none
			return err
		}
	}
	if (c.elsewhere.digest == secrets.Digest{}) {
		return nil
	}
	return tx.SetFailures(ctx, c.elsewhere.digest, c.elsewhere.failures)
}

// welcome makes the network of the call known for an account whose password was just set there, and resets the
// account's failures at the place. Its owner can then sign in at once, whatever happened elsewhere.
func (s Sessions) welcome(ctx context.Context, tx Tx, account Account, now time.Time) error {
	if network := domain.CallOf(ctx).Network(); network != "" {
		if err := tx.KnowPlace(ctx, networkPlace(account.ID, network), now); err != nil {
			return err
		}
	}
	places, err := s.places(ctx, tx, []string{account.ID}, now)
	if err != nil {
		return err
	}
	for _, of := range places {
		if err := tx.SetFailures(ctx, of.digest, Failures{}); err != nil {
			return err
		}
	}
	return nil
}
