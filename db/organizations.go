package db

import (
	"context"
	"time"

	"github.com/uptrace/bun"

	"ticketgate/domain"
	"ticketgate/domain/tenant"
)

// Tenants is the store of organizations, sellers, users, memberships and sessions.
func (s *Store) Tenants() tenant.Store { return tenants{s} }

type tenants struct{ *Store }

type tenantTx struct{ *Tx }

func (t tenants) InTx(ctx context.Context, f func(tenant.Tx) error) error {
	return t.transact(ctx, func(tx *Tx) error { return f(tenantTx{tx}) })
}

type organizationRow struct {
	bun.BaseModel `bun:"table:organizations,alias:o"`

	ID        string    `bun:"id,pk"`
	Name      string    `bun:"name"`
	CreatedAt time.Time `bun:"created_at"`
}

func (r organizationRow) toDomain() (tenant.Organization, error) {
	return tenant.Organization{
		ID: domain.OrgID(r.ID), Name: r.Name, CreatedAt: domain.NewDateTime(r.CreatedAt),
	}, nil
}

const organizationColumns = "o.id, o.name, o.created_at"

func (t tenants) Organization(ctx context.Context, id domain.OrgID) (tenant.Organization, error) {
	found, err := row[organizationRow](ctx, t.Store, t.sql, "Organization",
		"SELECT "+organizationColumns+" FROM organizations o WHERE o.id = $1", string(id))
	if err != nil {
		return tenant.Organization{}, err
	}
	return found.toDomain()
}

func (t tenants) Organizations(
	ctx context.Context, sight tenant.Sight, page domain.Page,
) (domain.List[tenant.Organization], error) {
	return listing[organizationRow, tenant.Organization]{
		query: selectFrom(organizationColumns, "organizations o").
			whereIf(!sight.All, "o.id = ANY($)", plain(sight.Organizations)),
		id: "o.id", item: organizationRow.toDomain,
	}.page(ctx, t.Store, page)
}

func (t tenantTx) InsertOrganization(ctx context.Context, made tenant.Organization) error {
	return t.insert(ctx, &organizationRow{ID: string(made.ID), Name: made.Name, CreatedAt: made.CreatedAt.Time})
}

func (t tenantTx) LockOrganization(ctx context.Context, id domain.OrgID) error {
	_, err := row[organizationRow](ctx, t.store, t, "Organization",
		"SELECT "+organizationColumns+" FROM organizations o WHERE o.id = $1 FOR NO KEY UPDATE", string(id))
	return err
}

// plain turns identifiers into the strings that PostgreSQL arrays are made of.
func plain[T ~string](ids []T) []string {
	texts := make([]string, len(ids))
	for i, id := range ids {
		texts[i] = string(id)
	}
	return texts
}
