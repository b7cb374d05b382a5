package tenant

import (
	"context"
	"time"

	"ticketgate/domain"
	"ticketgate/domain/ids"
)

// SessionCredential is the user and session that a token authenticates. It holds everything that a check needs without
// the database.
type SessionCredential struct {
	SessionID string
	UserID    string
	// Memberships are the user's memberships, oldest first.
	Memberships []domain.Membership
	// DefaultSeller is the seller of the oldest membership that has one. An organization counts with its oldest seller.
	// It is empty for a user without any seller.
	DefaultSeller ids.Seller
	ExpiresAt     time.Time
	LastUsedAt    time.Time
}

// Alive reports whether the session still authenticates, given its last use. Both limits are exclusive: at the limit
// itself the session has ended (AUTH-6).
func (c *SessionCredential) Alive(now, lastUsed time.Time, idle time.Duration) bool {
	return now.Before(c.ExpiresAt) && now.Before(lastUsed.Add(idle))
}

// Actor returns the user acting on the named seller, or on the default one if named is empty. A seller that does not
// exist or that the user is not a member of is NOT_FOUND (AUTH-2). lookUp returns the organization and features of a
// seller.
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
		return actor, nil // other sellers of the user and the account itself are on this cluster
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
