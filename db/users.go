package db

import (
	"context"
	"time"

	"github.com/uptrace/bun"

	"ticketgate/domain/ids"
	"ticketgate/domain/moment"
	"ticketgate/domain/tenant"
	"ticketgate/domain/texts"
)

// userRow is a row of users. Email addresses are searched in folded form. Several rows may have the same (ACCOUNT-2).
type userRow struct {
	bun.BaseModel `bun:"table:users,alias:u"`

	ID           string `bun:"id,pk"`
	Email        string `bun:"email"`
	EmailFolded  string `bun:"email_folded"`
	Name         string `bun:"name"`
	PasswordHash string `bun:"password_hash"`
	// PasswordShared and InvitedBy are as in tenant.Account.
	PasswordShared bool      `bun:"password_shared"`
	InvitedBy      string    `bun:"invited_by_organization,nullzero"`
	CreatedAt      time.Time `bun:"created_at"`
	UpdatedAt      time.Time `bun:"updated_at"`
}

func (r userRow) toDomain() tenant.Account {
	user := tenant.User{ID: r.ID, Email: r.Email, Name: r.Name, CreatedAt: moment.New(r.CreatedAt)}
	return tenant.Account{
		User: user, PasswordHash: r.PasswordHash, PasswordShared: r.PasswordShared, PasswordSetAt: r.UpdatedAt,
		InvitedBy: ids.Org(r.InvitedBy),
	}
}

var (
	// users excludes password hashes.
	users = &source[userRow]{columns: "u.id, u.email, u.name, u.created_at, u.invited_by_organization"}
	// accounts includes password hashes, for password checks. Only a user's password changes, so updated_at is when it
	// was set.
	accounts = &source[userRow]{}
	// accountsOfMembers joins the memberships of accounts, with their sellers.
	accountsOfMembers = &source[userRow]{joins: []string{
		"JOIN memberships m ON m.user_id = u.id", "LEFT JOIN sellers s ON s.id = m.seller_id",
	}}
)

// User reads a user without the password hash.
func (t tenants) User(ctx context.Context, id string) (tenant.User, error) {
	found, err := users.all().withID(id).row(ctx, t.Store, t.sql, "User")
	return found.toDomain().User, err
}

// AccountIDs returns the ids of the accounts with an email address, oldest first, without locking them.
func (t tenantTx) AccountIDs(ctx context.Context, email string) ([]string, error) {
	q := users.where("u.email_folded = $", texts.FoldEmail(email)).orderBy("u.id")
	return readAll(ctx, t.store, t, q, func(r userRow) (string, error) { return r.ID, nil })
}

// Inviter returns the organization whose invitation created an account, or an empty id.
func (t tenantTx) Inviter(ctx context.Context, id string) (ids.Org, error) {
	found, err := users.all().withID(id).rows(ctx, t.store, t)
	if err != nil || len(found) == 0 {
		return "", err
	}
	return ids.Org(found[0].InvitedBy), nil
}

// Accounts reads accounts and locks their rows, so that their passwords can't change. Rows that refer to them, such as
// a new membership, can still be inserted.
func (t tenantTx) Accounts(ctx context.Context, ids []string) ([]tenant.Account, error) {
	q := accounts.all().withIDs(ids).orderBy("u.id").forUpdate("NO KEY UPDATE")
	return readAll(ctx, t.store, t, q, func(r userRow) (tenant.Account, error) { return r.toDomain(), nil })
}

// AccountOfMember reads the account of a member of the organization or one of its sellers, and locks it.
func (t tenantTx) AccountOfMember(ctx context.Context, organization ids.Org, memberID string) (tenant.Account, error) {
	found, err := accountsOfMembers.where("m.id = $ AND $ IN (m.organization_id, s.organization_id)", memberID, string(organization)).
		forUpdate("NO KEY UPDATE OF u").row(ctx, t.store, t, "Member")
	return found.toDomain(), err
}

// BelongsOnlyTo reports whether the account was created by an invitation of the organization and has no membership
// elsewhere. The account's row must be locked.
func (t tenantTx) BelongsOnlyTo(ctx context.Context, account tenant.Account, organization ids.Org) (bool, error) {
	if organization == "" || account.InvitedBy != organization {
		return false, nil
	}
	type placesRow struct {
		Here      int `bun:"here"`
		Elsewhere int `bun:"elsewhere"`
	}
	found, err := row[placesRow](ctx, t.store, t, "User", `
		SELECT count(*) FILTER (WHERE o.id = $2) AS here, count(*) FILTER (WHERE o.id <> $2) AS elsewhere
		FROM memberships m LEFT JOIN sellers s ON s.id = m.seller_id
		JOIN organizations o ON o.id = COALESCE(m.organization_id, s.organization_id)
		WHERE m.user_id = $1`, account.ID, string(organization))
	return found.Here > 0 && found.Elsewhere == 0, err
}

// InsertAccount stores a new account.
func (t tenantTx) InsertAccount(ctx context.Context, account tenant.Account) error {
	return t.insert(ctx, &userRow{
		ID: account.ID, Email: account.Email, EmailFolded: texts.FoldEmail(account.Email), Name: account.Name,
		PasswordHash: account.PasswordHash, PasswordShared: account.PasswordShared, InvitedBy: string(account.InvitedBy),
		CreatedAt: account.CreatedAt.Time, UpdatedAt: account.CreatedAt.Time,
	})
}

// SetPassword stores a new password. Sessions are ended separately, so the credential epoch stays the same.
func (t tenantTx) SetPassword(ctx context.Context, id string, hash tenant.NewHash, at time.Time) error {
	changed := &userRow{ID: id, PasswordHash: hash.Hash, PasswordShared: hash.Shared, UpdatedAt: moment.New(at).Time}
	return t.update(ctx, "User", changed, "password_hash", "password_shared", "updated_at")
}

// MergeAccount merges another account into this one. If both have a membership of the same place, this account's is
// kept. The sessions of the other account end.
func (t tenantTx) MergeAccount(ctx context.Context, id, otherID string) error {
	_, err := memberships.where(`m.user_id = $ AND NOT EXISTS (SELECT FROM memberships o WHERE o.user_id = $
		AND (o.seller_id = m.seller_id OR o.organization_id = m.organization_id))`, otherID, id).set("user_id = $", id).
		update(ctx, t.store, t)
	if err != nil {
		return err
	}
	if err := users.all().withID(otherID).deleteOne(ctx, t.store, t, "User"); err != nil {
		return err
	}
	return t.bumpEpoch(ctx)
}
