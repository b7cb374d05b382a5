package apikey

import (
	"fmt"
	"time"

	"ticketgate/domain"
	"ticketgate/domain/ids"
	"ticketgate/domain/moment"
	"ticketgate/domain/texts"
)

// MaxKeys is the maximum number of keys per seller and per organization. Inactive and expired keys count, since keys
// are never deleted (KEY-8).
const MaxKeys = 100

// DefaultKeyName is the name of the default key.
const DefaultKeyName = "Default"

// Key is an API key. An organization's key has neither FullSellerAccess nor Permissions.
type Key struct {
	ID   string `json:"_id"`
	Name string `json:"name"`
	// Secret is the plaintext. It is set only in responses that create or return a secret.
	Secret    string          `json:"key,omitempty"`
	CreatedAt moment.DateTime `json:"createdAt"`
	UpdatedAt moment.DateTime `json:"updatedAt"`
	Active    bool            `json:"active"`
	SellerID  ids.Seller      `json:"sellerId,omitempty"`
	OrgID     ids.Org         `json:"orgId,omitempty"`
	CreatedBy domain.Creator  `json:"createdBy"`
	// CreatorName is the current email address of the user or name of the key that created this one. It is set only
	// when keys are read, and nil if the creator no longer exists or is out of the caller's reach.
	CreatorName      *string             `json:"-"`
	ExpiresAt        *moment.DateTime    `json:"expiresAt"`
	Version          int                 `json:"version"`
	FullSellerAccess *bool               `json:"fullSellerAccess,omitempty"`
	Permissions      []domain.Permission `json:"permissions,omitzero"`
	// Hint is the first eight and last four characters of the secret.
	Hint       string           `json:"hint"`
	LastUsedAt *moment.DateTime `json:"lastUsedAt,omitempty"`
}

// Cursor returns the key's position in a list.
func (k Key) Cursor() domain.Cursor { return domain.Cursor{ID: k.ID} }

// Owner identifies the seller or organization that a key belongs to. Exactly one of the two is set.
type Owner struct {
	SellerID ids.Seller
	OrgID    ids.Org
}

// Owner returns the owner of the key.
func (k Key) Owner() Owner { return Owner{SellerID: k.SellerID, OrgID: k.OrgID} }

// OfOrganization reports whether the key belongs to an organization.
func (k Key) OfOrganization() bool { return k.OrgID != "" }

// ExpiredAt reports whether the key has expired at now. At expiresAt itself it has (KEY-1).
func (k Key) ExpiredAt(now time.Time) bool { return reached(k.ExpiresAt, now) }

// reached reports whether now is at or after the deadline, if there is one.
func reached(deadline *moment.DateTime, now time.Time) bool {
	return deadline != nil && !now.Before(deadline.Time)
}

// HasFullAccess reports whether the key has fullSellerAccess.
func (k Key) HasFullAccess() bool { return k.FullSellerAccess != nil && *k.FullSellerAccess }

// audited returns the key for the audit log. It omits the secret, and the last use, which does not count as a change.
func (k Key) audited() Key {
	k.Secret, k.LastUsedAt = "", nil
	return k
}

// withAccess returns a seller's key with its access in one of the two forms that are stored: full access with an empty
// list, or a list of permissions (KEY-4).
func (k Key) withAccess(full bool, permissions []domain.Permission) Key {
	k.FullSellerAccess, k.Permissions = &full, permissions
	if full || permissions == nil {
		k.Permissions = []domain.Permission{}
	}
	return k
}

func limitReached(owner Owner) error {
	whose := "seller"
	if owner.OrgID != "" {
		whose = "organization"
	}
	return domain.NewError(domain.CodeAPIKeyLimitReached, fmt.Sprintf(
		"This %s already has %d API keys, the maximum, including inactive and expired ones. Change an existing key instead",
		whose, MaxKeys))
}

// Shown returns the secret for GraphQL, or nil if it must not be shown.
func (k Key) Shown() *string { return texts.Shown(k.Secret) }
