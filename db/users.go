package db

import (
	"context"
	"time"

	"github.com/uptrace/bun"

	"ticketgate/domain"
	"ticketgate/domain/tenant"
)

// userRow is a row of users. The folded e-mail is what is unique and what is searched (decisions 3.4).
type userRow struct {
	bun.BaseModel `bun:"table:users,alias:u"`

	ID           string    `bun:"id,pk"`
	Email        string    `bun:"email"`
	EmailFolded  string    `bun:"email_folded"`
	Name         string    `bun:"name"`
	PasswordHash string    `bun:"password_hash"`
	CreatedAt    time.Time `bun:"created_at"`
	UpdatedAt    time.Time `bun:"updated_at"`
}

func (r userRow) toDomain() tenant.Account {
	user := tenant.User{ID: r.ID, Email: r.Email, Name: r.Name, CreatedAt: domain.NewDateTime(r.CreatedAt)}
	return tenant.Account{User: user, PasswordHash: r.PasswordHash}
}

// accountColumns hold the password hash: only what checks passwords reads them.
const accountColumns = "u.id, u.email, u.name, u.password_hash, u.created_at"

// User finds a user without its password hash.
func (t tenants) User(ctx context.Context, id string) (tenant.User, error) {
	found, err := row[userRow](ctx, t.Store, t.sql, "User",
		"SELECT u.id, u.email, u.name, u.created_at FROM users u WHERE u.id = $1", id)
	return found.toDomain().User, err
}

// UserExists tells whether anybody has the e-mail.
func (t tenants) UserExists(ctx context.Context, email string) (bool, error) {
	found, err := rows[userRow](ctx, t.Store, t.sql,
		"SELECT u.id FROM users u WHERE u.email_folded = $1", domain.FoldEmail(email))
	return len(found) > 0, err
}

// AccountByEmail locks the user, so that its password does not change meanwhile. It lets others still
// refer to the user, such as a membership that is being added.
func (t tenantTx) AccountByEmail(ctx context.Context, email string) (tenant.Account, error) {
	found, err := row[userRow](ctx, t.store, t, "User",
		"SELECT "+accountColumns+" FROM users u WHERE u.email_folded = $1 FOR NO KEY UPDATE", domain.FoldEmail(email))
	return found.toDomain(), err
}

// InsertAccount stores a new user; the unique index decides when two are added at once.
func (t tenantTx) InsertAccount(ctx context.Context, made tenant.Account) error {
	return t.insert(ctx, &userRow{
		ID: made.ID, Email: made.Email, EmailFolded: domain.FoldEmail(made.Email), Name: made.Name,
		PasswordHash: made.PasswordHash, CreatedAt: made.CreatedAt.Time, UpdatedAt: made.CreatedAt.Time,
	})
}

// SetPasswordHash changes no credential by itself: the sessions, which do, are ended apart from it.
func (t tenantTx) SetPasswordHash(ctx context.Context, id, hash string, at time.Time) error {
	return changeOne(ctx, t, "User",
		"UPDATE users SET password_hash = $2, updated_at = $3 WHERE id = $1", id, hash, domain.NewDateTime(at).Time)
}
