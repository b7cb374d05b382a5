package db

import (
	"context"
	"time"

	"github.com/uptrace/bun"

	"ticketgate/domain"
	"ticketgate/domain/ids"
	"ticketgate/domain/moment"
	"ticketgate/domain/tenant"
)

// Tenants returns the store of organizations, sellers, users, memberships and sessions.
func (s *Store) Tenants() tenant.Store { return tenants{s} }

// tenants implements tenant.Store. It is a separate type because other areas have methods with the same names.
type tenants struct{ *Store }

// tenantTx implements tenant.Tx.
type tenantTx struct{ *Tx }

// InTx runs f in a transaction, see transact.
func (t tenants) InTx(ctx context.Context, f func(tenant.Tx) error) error {
	return t.transact(ctx, func(tx *Tx) error { return f(tenantTx{tx}) })
}

// organizationRow is a row of organizations.
type organizationRow struct {
	bun.BaseModel `bun:"table:organizations,alias:o"`

	ID        string    `bun:"id,pk"`
	Name      string    `bun:"name"`
	CreatedAt time.Time `bun:"created_at"`
}

func (r organizationRow) toDomain() (tenant.Organization, error) {
	return tenant.Organization{
		ID: ids.Org(r.ID), Name: r.Name, CreatedAt: moment.New(r.CreatedAt),
	}, nil
}

var organizations = &source[organizationRow]{}

// Organization reads an organization. It does not check access, which callers must have done.
func (t tenants) Organization(ctx context.Context, id ids.Org) (tenant.Organization, error) {
	return readOne(ctx, t.Store, t.sql, organizations.all().withID(string(id)), "Organization", organizationRow.toDomain)
}

// OrganizationsByID returns organizations within sight by id.
func (t tenants) OrganizationsByID(
	ctx context.Context, sight tenant.Sight, ids []string,
) (map[string]tenant.Organization, error) {
	found, err := organizationsIn(sight).withIDs(ids).rows(ctx, t.Store, t.sql)
	return byID(found, err, organizationRow.toDomain, func(o tenant.Organization) string { return string(o.ID) })
}

// Organizations lists the organizations within sight.
func (t tenants) Organizations(
	ctx context.Context, sight tenant.Sight, page domain.Page,
) (domain.List[tenant.Organization], error) {
	return listing[organizationRow, tenant.Organization]{
		query: organizationsIn(sight), id: "o.id", item: organizationRow.toDomain,
	}.page(ctx, t.Store, page)
}

func organizationsIn(sight tenant.Sight) *query[organizationRow] {
	return organizations.all().whereIf(!sight.All, "o.id = ANY($)", plain(sight.Organizations))
}

// InsertOrganization stores a new organization. The credential epoch stays the same, since no process can have cached
// it.
func (t tenantTx) InsertOrganization(ctx context.Context, organization tenant.Organization) error {
	return t.insert(ctx, &organizationRow{ID: string(organization.ID), Name: organization.Name, CreatedAt: organization.CreatedAt.Time})
}

// LockOrganization locks an organization's row. Sellers and members can still be added, because their foreign keys only
// require that the row is not deleted.
func (t tenantTx) LockOrganization(ctx context.Context, id ids.Org) error {
	_, err := organizations.all().withID(string(id)).forUpdate("NO KEY UPDATE").row(ctx, t.store, t, "Organization")
	return err
}

// plain converts ids to strings, for PostgreSQL arrays.
func plain[T ~string](ids []T) []string {
	texts := make([]string, len(ids))
	for i, id := range ids {
		texts[i] = string(id)
	}
	return texts
}
