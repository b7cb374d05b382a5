package db

import (
	"context"
	"time"

	"github.com/uptrace/bun"

	"ticketgate/domain"
	"ticketgate/domain/tenant"
)

// sellerRow is a row of sellers, but for meta, which nothing reads.
type sellerRow struct {
	bun.BaseModel `bun:"table:sellers,alias:s"`

	ID             string    `bun:"id,pk"`
	OrganizationID string    `bun:"organization_id"`
	Name           string    `bun:"name"`
	Country        string    `bun:"country"`
	Webhooks       bool      `bun:"webhooks"`
	SIREN          bool      `bun:"siren"`
	CreatedAt      time.Time `bun:"created_at"`
	UpdatedAt      time.Time `bun:"updated_at"`
}

func sellerRowOf(s tenant.Seller) *sellerRow {
	return &sellerRow{
		ID: string(s.ID), OrganizationID: string(s.OrganizationID), Name: s.Name, Country: s.Country,
		Webhooks: s.Webhooks, SIREN: s.SIREN, CreatedAt: s.CreatedAt.Time, UpdatedAt: s.UpdatedAt.Time,
	}
}

func (r sellerRow) toDomain() (tenant.Seller, error) {
	return tenant.Seller{
		ID: domain.SellerID(r.ID), OrganizationID: domain.OrgID(r.OrganizationID), Name: r.Name, Country: r.Country,
		Webhooks: r.Webhooks, SIREN: r.SIREN,
		CreatedAt: domain.NewDateTime(r.CreatedAt), UpdatedAt: domain.NewDateTime(r.UpdatedAt),
	}, nil
}

// sellerColumns are in the order of the specification of a seller.
const sellerColumns = "s.id, s.organization_id, s.name, s.country, s.webhooks, s.siren, s.created_at, s.updated_at"

// seller reads one on the pool or, locked, in a transaction.
func (s *Store) seller(ctx context.Context, on conn, id domain.SellerID, lock string) (tenant.Seller, error) {
	found, err := row[sellerRow](ctx, s, on, "Seller",
		"SELECT "+sellerColumns+" FROM sellers s WHERE s.id = $1"+lock, string(id))
	if err != nil {
		return tenant.Seller{}, err
	}
	return found.toDomain()
}

// Seller finds one whoever asks; who may know of it was decided before.
func (t tenants) Seller(ctx context.Context, id domain.SellerID) (tenant.Seller, error) {
	return t.seller(ctx, t.sql, id, "")
}

// Sellers lists what is in sight: those named, and all of the organizations named.
func (t tenants) Sellers(ctx context.Context, sight tenant.Sight, page domain.Page) (domain.List[tenant.Seller], error) {
	return listing[sellerRow, tenant.Seller]{
		query: selectFrom(sellerColumns, "sellers s").whereIf(!sight.All,
			"(s.id = ANY($) OR s.organization_id = ANY($))", plain(sight.Sellers), plain(sight.Organizations)),
		id: "s.id", item: sellerRow.toDomain,
	}.page(ctx, t.Store, page)
}

// SellerForUpdate makes other changes of the seller wait, but not what refers to it: keys and webhooks are made all
// the while.
func (t tenantTx) SellerForUpdate(ctx context.Context, id domain.SellerID) (tenant.Seller, error) {
	return t.store.seller(ctx, t, id, " FOR NO KEY UPDATE")
}

// InsertSeller stores a new seller.
func (t tenantTx) InsertSeller(ctx context.Context, made tenant.Seller) error {
	if err := t.insert(ctx, sellerRowOf(made)); err != nil {
		return err
	}
	// A session of a member of its organization may have been cached as one without any seller.
	return t.bumpEpoch(ctx)
}

// UpdateSeller stores a changed one. Its features are part of every credential check (decisions 4.7).
func (t tenantTx) UpdateSeller(ctx context.Context, changed tenant.Seller) error {
	if err := t.update(ctx, "Seller", sellerRowOf(changed)); err != nil {
		return err
	}
	return t.bumpEpoch(ctx)
}
