package tenant

import (
	"context"
	"time"

	"ticketgate/domain"
	"ticketgate/domain/ids"
)

// SessionCredential is what a session's token stands for: everything that a check needs without the database.
type SessionCredential struct {
	SessionID string
	UserID    string
	// Memberships are the user's, oldest first.
	Memberships []domain.Membership
	// DefaultSeller is that of the oldest membership (of an organization: its oldest seller) which has one; empty
	// for a user without any seller (decisions 4.3).
	DefaultSeller ids.Seller
	ExpiresAt     time.Time
	LastUsedAt    time.Time
}

// Alive tells whether the session still authenticates, given when it was last used. Both limits are exact: at the
// limit itself it no longer does (decisions 4.7).
func (c *SessionCredential) Alive(now, lastUsed time.Time, idle time.Duration) bool {
	return now.Before(c.ExpiresAt) && now.Before(lastUsed.Add(idle))
}

// Actor is the user acting on the seller that the call names, or on its default one. A seller that is unknown, or
// that the user is no member of, is NOT_FOUND (decisions 4.3). lookUp finds a seller's organization and features.
func (c *SessionCredential) Actor(
	ctx context.Context, named ids.Seller,
	lookUp func(context.Context, ids.Seller) (ids.Org, domain.Features, error),
) (*domain.Actor, error) {
	actor := &domain.Actor{
		Kind: domain.UserActor, ID: c.UserID, SessionID: c.SessionID, Memberships: c.Memberships,
	}
	seller := named
	if seller == "" {
		seller = c.DefaultSeller
	}
	if seller == "" {
		return actor, nil
	}
	org, features, err := lookUp(ctx, seller)
	if named == "" && domain.AsError(err).Cluster != "" {
		return actor, nil // the user's other sellers and the account are here
	}
	if err != nil {
		return nil, err
	}
	if actor.RoleAt(seller, org) == domain.NoRole {
		return nil, domain.NotFound("Seller")
	}
	actor.SellerID, actor.OrgID, actor.Features = seller, org, features
	return actor, nil
}
