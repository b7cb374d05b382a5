package apikey

import (
	"fmt"
	"time"

	"ticketgate/domain"
	"ticketgate/domain/ids"
	"ticketgate/domain/moment"
	"ticketgate/domain/optional"
)

// NewKey is the input of createApiKey. With OrgID, the key belongs to the organization, and Permissions and
// FullSellerAccess must be omitted.
type NewKey struct {
	Name             string                              `json:"name"`
	OrgID            *ids.Org                            `json:"orgId"`
	ExpiresAt        optional.Value[moment.DateTime]     `json:"expiresAt"`
	Permissions      optional.Value[[]domain.Permission] `json:"permissions"`
	FullSellerAccess optional.Value[bool]                `json:"fullSellerAccess"`
	Active           optional.Value[bool]                `json:"active"`
}

// Change is the input of updateApiKey. Omitted fields keep their values. Null clears expiresAt, permissions and
// fullSellerAccess, and keeps name and active.
type Change struct {
	Active           optional.Value[bool]                `json:"active"`
	Name             optional.Value[string]              `json:"name"`
	ExpiresAt        optional.Value[Expiry]              `json:"expiresAt"`
	Permissions      optional.Value[[]domain.Permission] `json:"permissions"`
	FullSellerAccess optional.Value[bool]                `json:"fullSellerAccess"`
	// ExpectedUpdatedAt is the updatedAt that the caller last saw. If it has changed, the error is CONFLICT. REST
	// uses If-Match.
	ExpectedUpdatedAt *moment.DateTime `json:"-" graphql:"expectedUpdatedAt"`
}

// Rotation is the input of rotateApiKey. OverlapSeconds is how long the old secret keeps working. If omitted or zero,
// the old secret ends at once.
type Rotation struct {
	ID             string              `json:"id"`
	OverlapSeconds optional.Value[int] `json:"overlapSeconds"`
}

// MaxOverlap is the longest time that an old secret may stay valid after a rotation.
const MaxOverlap = 30 * 24 * time.Hour

// key returns the key that the input describes, or all errors of the input.
func (n NewKey) key(owner Owner, now time.Time) (Key, error) {
	var errs domain.FieldErrors
	key := Key{
		Name: errs.Name("name", n.Name), ExpiresAt: n.ExpiresAt.Value, Active: n.Active.Or(true),
		SellerID: owner.SellerID, OrgID: owner.OrgID, Version: 1,
	}
	if key.ExpiresAt != nil {
		if key.ExpiredAt(now) {
			errs.Add("expiresAt", "must be in the future")
		}
		tooFar(&errs, *key.ExpiresAt, now)
	}
	permissions := assignable(&errs, n.Permissions.Or(nil))
	if key.OfOrganization() {
		sellersOnly(&errs, n.Permissions, n.FullSellerAccess)
	} else {
		key = key.withAccess(n.FullSellerAccess.Or(false), permissions)
	}
	return key, errs.Err()
}

// apply returns the changed key, or all errors of the change.
func (c Change) apply(old Key, now time.Time) (Key, error) {
	var errs domain.FieldErrors
	key := old
	if c.Name.Value != nil {
		key.Name = errs.Name("name", *c.Name.Value)
	}
	key.Active = c.Active.Or(old.Active)
	if c.ExpiresAt.Set {
		key.ExpiresAt = nil
		if c.ExpiresAt.Value != nil {
			key.ExpiresAt = &c.ExpiresAt.Value.DateTime
			c.ExpiresAt.Value.checkNumber(&errs, old.CreatedAt)
			tooFar(&errs, *key.ExpiresAt, now)
		}
	}
	if key.Active && !old.Active && old.ExpiredAt(now) && key.ExpiredAt(now) {
		errs.AddHint("active", "must not be set to true, because the key has expired", "Change or clear expiresAt in the same call")
	}
	permissions := assignable(&errs, c.Permissions.Apply(old.Permissions))
	if key.OfOrganization() {
		sellersOnly(&errs, c.Permissions, c.FullSellerAccess)
	} else {
		key = key.withAccess(c.FullSellerAccess.Apply(old.HasFullAccess()), permissions)
	}
	return key, errs.Err()
}

// sellersOnly adds an error for each field that an organization's key can't have (KEY-4).
func sellersOnly(errs *domain.FieldErrors, permissions optional.Value[[]domain.Permission], full optional.Value[bool]) {
	const message = "is allowed only for keys of a seller"
	if permissions.Value != nil {
		errs.Add("permissions", message)
	}
	if full.Value != nil {
		errs.Add("fullSellerAccess", message)
	}
}

// assignable removes duplicate permissions, and adds an error for each permission that can't be assigned.
func assignable(errs *domain.FieldErrors, sent []domain.Permission) []domain.Permission {
	const most = 1000 // well above the number of permissions; bounds the number of errors in a response
	if !errs.Count("permissions", len(sent), most) {
		return nil
	}
	kept := make([]domain.Permission, 0, len(sent))
	seen := make(map[domain.Permission]bool, len(sent))
	for i, permission := range sent {
		if !permission.Valid() {
			errs.Add(domain.IndexPath("permissions", i),
				fmt.Sprintf("%.100q is not a permission that can be assigned to a key", string(permission)))
		}
		if !seen[permission] {
			seen[permission] = true
			kept = append(kept, permission)
		}
	}
	return kept
}

// until returns when old secrets stop working: after the overlap, but no later than the key's own expiry.
func (r Rotation) until(key Key, now time.Time) (time.Time, error) {
	overlap := r.OverlapSeconds.Or(0)
	if overlap < 0 || overlap > int(MaxOverlap/time.Second) {
		return time.Time{}, domain.Invalid("overlapSeconds",
			fmt.Sprintf("must be an integer from 0 to %d", int(MaxOverlap/time.Second)))
	}
	if key.ExpiredAt(now) {
		return time.Time{}, domain.NewError(domain.CodeValidationFailed,
			"The key has expired. Change or clear its expiresAt before you rotate it")
	}
	until := now.Add(time.Duration(overlap) * time.Second)
	if key.ExpiresAt != nil && key.ExpiresAt.Before(until) {
		until = key.ExpiresAt.Time
	}
	return until, nil
}
