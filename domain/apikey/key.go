package apikey

import (
	"fmt"
	"time"

	"ticketgate/domain"
	"ticketgate/domain/ids"
	"ticketgate/domain/moment"
	"ticketgate/domain/texts"
)

// MaxKeys is how many keys a seller or an organization may have; inactive and expired ones count, since no key
// is ever deleted (spec 8, decisions 4.6).
const MaxKeys = 100

// DefaultKeyName is the name of the key that POST /api/keys/default makes (decisions 4.6).
const DefaultKeyName = "Default"

// Key is an API key as both doors show it (spec 2.1). An organization's key has neither FullSellerAccess nor
// Permissions.
type Key struct {
	ID   string `json:"_id"`
	Name string `json:"name"`
	// Secret is the plaintext: only in the answers that make or hand out a secret.
	Secret    string          `json:"key,omitempty"`
	CreatedAt moment.DateTime `json:"createdAt"`
	UpdatedAt moment.DateTime `json:"updatedAt"`
	Active    bool            `json:"active"`
	SellerID  ids.Seller      `json:"sellerId,omitempty"`
	OrgID     ids.Org         `json:"orgId,omitempty"`
	CreatedBy domain.Creator  `json:"createdBy"`
	// CreatorName is the user's e-mail or the key's name, as it is now: only in the answers that read keys, and nil when
	// that is gone or out of the caller's reach.
	CreatorName      *string             `json:"-"`
	ExpiresAt        *moment.DateTime    `json:"expiresAt"`
	Version          int                 `json:"version"`
	FullSellerAccess *bool               `json:"fullSellerAccess,omitempty"`
	Permissions      []domain.Permission `json:"permissions,omitzero"`
	// Hint is the first eight and last four characters of the secret.
	Hint       string           `json:"hint"`
	LastUsedAt *moment.DateTime `json:"lastUsedAt,omitempty"`
}

// Cursor is the key's position in a list.
func (k Key) Cursor() domain.Cursor { return domain.Cursor{ID: k.ID} }

// Owner is the seller or the organization that a key belongs to; exactly one of the two is set.
type Owner struct {
	SellerID ids.Seller
	OrgID    ids.Org
}

// Owner returns whose key it is.
func (k Key) Owner() Owner { return Owner{SellerID: k.SellerID, OrgID: k.OrgID} }

// OfOrganization tells an organization's key from a seller's.
func (k Key) OfOrganization() bool { return k.OrgID != "" }

// ExpiredAt tells whether the key no longer authenticates at an instant: from expiresAt on, that instant
// included (decisions 4.7).
func (k Key) ExpiredAt(now time.Time) bool { return reached(k.ExpiresAt, now) }

// reached tells whether a deadline, if there is one, has come.
func reached(deadline *moment.DateTime, now time.Time) bool {
	return deadline != nil && !now.Before(deadline.Time)
}

// HasFullAccess tells whether a seller's key may do everything a permission allows.
func (k Key) HasFullAccess() bool { return k.FullSellerAccess != nil && *k.FullSellerAccess }

// audited is the key as the audit log may show it: without its secret, and without what is no change of it.
func (k Key) audited() Key {
	k.Secret, k.LastUsedAt = "", nil
	return k
}

// withAccess is a seller's key with what it may do, in the only two shapes that are stored: everything and no list,
// or a list (spec 2.1.2).
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
		"This %s already has %d API keys, the most it may have; inactive and expired keys count too. Change an existing key instead",
		whose, MaxKeys))
}

// Shown is the secret as GraphQL shows it: null where it must not be.
func (k Key) Shown() *string { return texts.Shown(k.Secret) }
