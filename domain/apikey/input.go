package apikey

import (
	"fmt"
	"time"

	"ticketgate/domain"
	"ticketgate/domain/ids"
	"ticketgate/domain/moment"
	"ticketgate/domain/optional"
)

// NewKey is the input of createApiKey (spec 4.1). With OrgID the key is the organization's, and Permissions and
// FullSellerAccess must not be given.
type NewKey struct {
	Name             string                              `json:"name"`
	OrgID            *ids.Org                            `json:"orgId"`
	ExpiresAt        optional.Value[moment.DateTime]     `json:"expiresAt"`
	Permissions      optional.Value[[]domain.Permission] `json:"permissions"`
	FullSellerAccess optional.Value[bool]                `json:"fullSellerAccess"`
	Active           optional.Value[bool]                `json:"active"`
}

// Change is the input of updateApiKey: what is absent stays as it is (decisions 1.4). Null clears expiresAt,
// permissions and fullSellerAccess; a name and an active flag have nothing to be cleared to, and stay.
type Change struct {
	Active           optional.Value[bool]                `json:"active"`
	Name             optional.Value[string]              `json:"name"`
	ExpiresAt        optional.Value[Expiry]              `json:"expiresAt"`
	Permissions      optional.Value[[]domain.Permission] `json:"permissions"`
	FullSellerAccess optional.Value[bool]                `json:"fullSellerAccess"`
	// ExpectedUpdatedAt is the updatedAt that the caller last saw: another one is CONFLICT. REST has If-Match for it.
	ExpectedUpdatedAt *moment.DateTime `json:"-" graphql:"expectedUpdatedAt"`
}

// Rotation is the input of rotateApiKey: for how many seconds the old secret still works; absent or zero ends
// it at once.
type Rotation struct {
	ID             string              `json:"id"`
	OverlapSeconds optional.Value[int] `json:"overlapSeconds"`
}

// MaxOverlap is the longest time an old secret may live on beside the new one.
const MaxOverlap = 30 * 24 * time.Hour

// key makes the key that the input describes, or says all that is wrong with it.
func (n NewKey) key(owner Owner, now time.Time) (Key, error) {
	var problems domain.Problems
	key := Key{
		Name: problems.Name("name", n.Name), ExpiresAt: n.ExpiresAt.Value, Active: n.Active.Or(true),
		SellerID: owner.SellerID, OrgID: owner.OrgID, Version: 1,
	}
	if key.ExpiresAt != nil {
		if key.ExpiredAt(now) {
			problems.Add("expiresAt", "must lie in the future")
		}
		tooFar(&problems, *key.ExpiresAt, now)
	}
	permissions := assignable(&problems, n.Permissions.Or(nil))
	if key.OfOrganization() {
		sellersOnly(&problems, n.Permissions, n.FullSellerAccess)
	} else {
		key = key.withAccess(n.FullSellerAccess.Or(false), permissions)
	}
	return key, problems.Err()
}

// apply returns what the key becomes, or says all that is wrong with the change.
func (c Change) apply(old Key, now time.Time) (Key, error) {
	var problems domain.Problems
	key := old
	if c.Name.Value != nil {
		key.Name = problems.Name("name", *c.Name.Value)
	}
	key.Active = c.Active.Or(old.Active)
	if c.ExpiresAt.Set {
		key.ExpiresAt = nil
		if c.ExpiresAt.Value != nil {
			key.ExpiresAt = &c.ExpiresAt.Value.DateTime
			c.ExpiresAt.Value.checkNumber(&problems, old.CreatedAt)
			tooFar(&problems, *key.ExpiresAt, now)
		}
	}
	if key.Active && !old.Active && old.ExpiredAt(now) && key.ExpiredAt(now) {
		problems.AddHint("active", "cannot be set to true: the key has expired", "Move or clear expiresAt in the same call")
	}
	permissions := assignable(&problems, c.Permissions.Apply(old.Permissions))
	if key.OfOrganization() {
		sellersOnly(&problems, c.Permissions, c.FullSellerAccess)
	} else {
		key = key.withAccess(c.FullSellerAccess.Apply(old.HasFullAccess()), permissions)
	}
	return key, problems.Err()
}

// sellersOnly notes what an organization's key can't have (spec 2.1.1).
func sellersOnly(problems *domain.Problems, permissions optional.Value[[]domain.Permission], full optional.Value[bool]) {
	const message = "is for keys of sellers only, not for an organization's"
	if permissions.Value != nil {
		problems.Add("permissions", message)
	}
	if full.Value != nil {
		problems.Add("fullSellerAccess", message)
	}
}

// assignable collapses repeated permissions and names those that no key can have (decisions 4.6).
func assignable(problems *domain.Problems, sent []domain.Permission) []domain.Permission {
	const most = 1000 // far above the whole set, and a bound for the details of an answer
	if len(sent) > most {
		problems.Add("permissions", fmt.Sprintf("must hold at most %d entries", most))
		return nil
	}
	kept := make([]domain.Permission, 0, len(sent))
	seen := make(map[domain.Permission]bool, len(sent))
	for i, permission := range sent {
		if !permission.Valid() {
			problems.Add(domain.IndexPath("permissions", i),
				fmt.Sprintf("%.100q is not a permission that a key can have", string(permission)))
		}
		if !seen[permission] {
			seen[permission] = true
			kept = append(kept, permission)
		}
	}
	return kept
}

// until is when old secrets stop working: after the overlap, and never later than the key itself would have
// stopped (behaviour B7).
func (r Rotation) until(key Key, now time.Time) (time.Time, error) {
	overlap := r.OverlapSeconds.Or(0)
	if overlap < 0 || overlap > int(MaxOverlap/time.Second) {
		return time.Time{}, domain.Invalid("overlapSeconds",
			fmt.Sprintf("must be an integer from 0 to %d", int(MaxOverlap/time.Second)))
	}
	if key.ExpiredAt(now) {
		return time.Time{}, domain.NewError(domain.CodeValidationFailed,
			"The key has expired; move or clear its expiresAt before rotating it")
	}
	until := now.Add(time.Duration(overlap) * time.Second)
	if key.ExpiresAt != nil && key.ExpiresAt.Before(until) {
		until = key.ExpiresAt.Time
	}
	return until, nil
}
