package db

import (
	"context"
	"time"

	"github.com/uptrace/bun"

	"ticketgate/domain"
	"ticketgate/domain/ids"
	"ticketgate/domain/moment"
	"ticketgate/domain/secrets"
	"ticketgate/domain/tenant"
)

// sessionRow is a row of sessions. It has only the digest of the token.
type sessionRow struct {
	bun.BaseModel `bun:"table:sessions,alias:c"`

	ID         string    `bun:"id,pk"`
	Digest     []byte    `bun:"digest"`
	UserID     string    `bun:"user_id"`
	CreatedAt  time.Time `bun:"created_at"`
	LastUsedAt time.Time `bun:"last_used_at"`
	ExpiresAt  time.Time `bun:"expires_at"`
	Address    string    `bun:"address"`
	UserAgent  string    `bun:"user_agent"`
}

var sessions = &source[sessionRow]{}

func (r sessionRow) toDomain() (tenant.Session, error) {
	return tenant.Session{
		ID: r.ID, CreatedAt: moment.New(r.CreatedAt), LastUsedAt: moment.New(r.LastUsedAt),
		ExpiresAt: moment.New(r.ExpiresAt), Address: r.Address, UserAgent: r.UserAgent,
	}, nil
}

// Sessions returns a user's sessions that still authenticate, oldest first.
func (t tenants) Sessions(ctx context.Context, userID string, now, idleSince time.Time) ([]tenant.Session, error) {
	found, err := sessions.where("c.user_id = $ AND c.expires_at > $ AND c.last_used_at > $", userID, now, idleSince).orderBy("c.id").
		rows(ctx, t.Store, t.sql)
	if err != nil {
		return nil, err
	}
	return each(found, sessionRow.toDomain)
}

// InsertSession stores a new session. The credential epoch stays the same, since no process can have cached the
// session.
func (t tenantTx) InsertSession(ctx context.Context, created tenant.StoredSession) error {
	return t.insert(ctx, &sessionRow{
		ID: created.ID, Digest: created.Digest[:], UserID: created.UserID, CreatedAt: created.CreatedAt.Time,
		LastUsedAt: created.LastUsedAt.Time, ExpiresAt: created.ExpiresAt.Time, Address: created.Address, UserAgent: created.UserAgent,
	})
}

// EndSession deletes a session if it exists.
func (t tenantTx) EndSession(ctx context.Context, id string) error {
	_, err := t.end(ctx, sessions.all().withID(id))
	return err
}

// EndSessions deletes all sessions of a user except the keep newest, and returns their number.
func (t tenantTx) EndSessions(ctx context.Context, userID string, keep int) (int, error) {
	return t.end(ctx, sessions.where(
		"c.id IN (SELECT id FROM sessions WHERE user_id = $ ORDER BY created_at DESC, id DESC OFFSET $)", userID, keep))
}

// end deletes sessions and returns their number. It advances the epoch only if there were any.
func (t tenantTx) end(ctx context.Context, q *query[sessionRow]) (int, error) {
	ended, err := q.delete(ctx, t.store, t)
	if err != nil || ended == 0 {
		return 0, err
	}
	return int(ended), t.bumpEpoch(ctx)
}

// followsHome is a condition that is true on a cluster that follows the accounts of its home cluster, see move.Join.
const followsHome = "EXISTS (SELECT FROM pg_trigger WHERE tgname = 'accounts_are_at_home' AND tgrelid = 'sessions'::regclass)"

// PurgeSessions deletes expired sessions. The epoch stays the same, since caches check the expiry themselves. On a
// cluster that follows its home cluster it deletes none. They are deleted when the home cluster deletes them.
func (t tenantTx) PurgeSessions(ctx context.Context, now, idleSince time.Time) error {
	_, err := sessions.where("(c.expires_at <= $ OR c.last_used_at <= $) AND NOT "+followsHome, now, idleSince).delete(ctx, t.store, t)
	return err
}

// credentialRow is a session joined with one membership of its user, if there is any.
type credentialRow struct {
	SessionID      string     `bun:"session_id"`
	UserID         string     `bun:"user_id"`
	ExpiresAt      time.Time  `bun:"expires_at"`
	LastUsedAt     time.Time  `bun:"last_used_at"`
	SellerID       *string    `bun:"seller_id"`
	OrganizationID *string    `bun:"organization_id"`
	Role           *uint8     `bun:"role"`
	Since          *time.Time `bun:"since"`
	ActsOn         *string    `bun:"acts_on"`
}

var sessionCredentials = &source[credentialRow]{
	columns: `c.id AS session_id, c.user_id, c.expires_at, c.last_used_at, m.seller_id, m.organization_id, m.role,
		m.created_at AS since, coalesce(m.seller_id, (
			SELECT s.id FROM sellers s WHERE s.organization_id = m.organization_id ORDER BY s.id LIMIT 1)) AS acts_on`,
	table: "sessions AS c", joins: []string{"LEFT JOIN memberships m ON m.user_id = c.user_id"},
}

// sessionCredential returns the credential of a token, even if it has expired. It returns NOT_FOUND if there is none.
// It uses one statement, so that it sees a concurrent change of a role either completely or not at all.
func (s *Store) sessionCredential(ctx context.Context, digest secrets.Digest) (tenant.SessionCredential, error) {
	found, err := sessionCredentials.where("c.digest = $", digest[:]).orderBy("m.created_at, m.id").rows(ctx, s, s.sql)
	if err != nil {
		return tenant.SessionCredential{}, err
	}
	if len(found) == 0 {
		return tenant.SessionCredential{}, domain.NotFound("Session")
	}
	credential := tenant.SessionCredential{
		SessionID: found[0].SessionID, UserID: found[0].UserID,
		ExpiresAt: found[0].ExpiresAt, LastUsedAt: found[0].LastUsedAt,
	}
	for _, r := range found {
		if r.Role == nil {
			continue
		}
		credential.Memberships = append(credential.Memberships, domain.Membership{
			SellerID: ids.Seller(value(r.SellerID)), OrgID: ids.Org(value(r.OrganizationID)),
			Role: domain.Role(*r.Role), CreatedAt: value(r.Since),
		})
		if credential.DefaultSeller == "" {
			credential.DefaultSeller = ids.Seller(value(r.ActsOn))
		}
	}
	return credential, nil
}

// touchSessions stores times of use. Times before the stored ones are ignored.
func (s *Store) touchSessions(ctx context.Context, ids []string, times []time.Time) error {
	_, err := exec(ctx, s.sql, `
		UPDATE sessions SET last_used_at = u.at FROM unnest($1::text[], $2::timestamptz[]) AS u (id, at)
		WHERE sessions.id = u.id AND sessions.last_used_at < u.at`, ids, times)
	return err
}

// value returns the value of a nullable column, or the zero value for NULL.
func value[T any](column *T) T {
	if column == nil {
		var none T
		return none
	}
	return *column
}
