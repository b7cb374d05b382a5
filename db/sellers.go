package db

import (
	"context"
	"encoding/json"
	"time"

	"github.com/uptrace/bun"

	"ticketgate/domain"
	"ticketgate/domain/ids"
	"ticketgate/domain/moment"
	"ticketgate/domain/tenant"
)

// sellerRow is a row of sellers.
type sellerRow struct {
	bun.BaseModel `bun:"table:sellers,alias:s"`

	ID                   string    `bun:"id,pk"`
	OrganizationID       string    `bun:"organization_id"`
	Name                 string    `bun:"name"`
	Country              string    `bun:"country"`
	Webhooks             bool      `bun:"webhooks"`
	SIREN                bool      `bun:"siren"`
	IdentificationConfig *string   `bun:"identification_config"`
	InvoicingURL         *string   `bun:"invoicing_url"`
	SealedInvoicingKey   []byte    `bun:"sealed_invoicing_key"`
	CheckoutOrigins      []string  `bun:"checkout_origins,array"`
	Meta                 *string   `bun:"meta"`
	CreatedAt            time.Time `bun:"created_at"`
	UpdatedAt            time.Time `bun:"updated_at"`
}

func sellerRowOf(s tenant.Seller) (*sellerRow, error) {
	created := &sellerRow{
		ID: string(s.ID), OrganizationID: string(s.OrganizationID), Name: s.Name, Country: s.Country,
		Webhooks: s.Webhooks, SIREN: s.SIREN, CheckoutOrigins: append([]string{}, s.CheckoutOrigins...),
		Meta: metaColumn(s.Meta), CreatedAt: s.CreatedAt.Time, UpdatedAt: s.UpdatedAt.Time,
	}
	if s.Invoicing != nil {
		created.InvoicingURL = &s.Invoicing.URL
	}
	if s.IdentificationConfig == nil {
		return created, nil
	}
	config, err := json.Marshal(s.IdentificationConfig)
	text := string(config)
	created.IdentificationConfig = &text
	return created, err
}

func (r sellerRow) toDomain() (tenant.Seller, error) {
	found := tenant.Seller{
		ID: ids.Seller(r.ID), OrganizationID: ids.Org(r.OrganizationID), Name: r.Name, Country: r.Country,
		Webhooks: r.Webhooks, SIREN: r.SIREN,
		CreatedAt: moment.New(r.CreatedAt), UpdatedAt: moment.New(r.UpdatedAt),
	}
	if len(r.CheckoutOrigins) > 0 {
		found.CheckoutOrigins = r.CheckoutOrigins
	}
	if r.InvoicingURL != nil {
		found.Invoicing = &tenant.Invoicing{URL: *r.InvoicingURL, Signed: len(r.SealedInvoicingKey) > 0}
	}
	if r.IdentificationConfig != nil {
		if err := json.Unmarshal([]byte(*r.IdentificationConfig), &found.IdentificationConfig); err != nil {
			return tenant.Seller{}, err
		}
	}
	var err error
	found.Meta, err = metaOf(r.Meta)
	return found, err
}

var sellers = &source[sellerRow]{}

// seller reads one seller, unless its move refuses calls, and locks it if lock is not empty.
func (s *Store) seller(ctx context.Context, on conn, id ids.Seller, lock string) (tenant.Seller, error) {
	here := sellers.where("NOT EXISTS (SELECT FROM seller_moves v WHERE v.seller_id = s.id AND v.state IN " + refused + ")")
	read := func() (tenant.Seller, error) {
		return readOne(ctx, s, on, here.withID(string(id)).forUpdate(lock), "Seller", sellerRow.toDomain)
	}
	found, err := read()
	if domain.HasCode(err, domain.CodeNotFound) {
		err = s.elsewhere(ctx, on, id, err)
	}
	if domain.HasCode(err, domain.CodeNotFound) { // it may have come back before the second statement
		return read()
	}
	return found, err
}

// Seller reads a seller. It does not check access, which callers must have done.
func (t tenants) Seller(ctx context.Context, id ids.Seller) (tenant.Seller, error) {
	return t.seller(ctx, t.sql, id, "")
}

// Sellers lists the sellers within sight.
func (t tenants) Sellers(ctx context.Context, sight tenant.Sight, page domain.Page) (domain.List[tenant.Seller], error) {
	return sellersIn(sight).page(ctx, t.Store, page)
}

// SellersOfOrganizations reads, for each organization, one page of its sellers within sight.
func (t tenants) SellersOfOrganizations(
	ctx context.Context, sight tenant.Sight, organizations []string, page domain.Page,
) (map[string]domain.List[tenant.Seller], error) {
	return sellersIn(sight).within(ctx, t.Store, "s.organization_id = parent.id", organizations, page)
}

func sellersIn(sight tenant.Sight) listing[sellerRow, tenant.Seller] {
	return listing[sellerRow, tenant.Seller]{
		// Not with OR: the planner would expect so many sellers that it scans all.
		query: sellers.all().whereIf(!sight.All,
			"s.id = ANY($::text[] || ARRAY(SELECT o.id FROM sellers o WHERE o.organization_id = ANY($)))",
			plain(sight.Sellers), plain(sight.Organizations)),
		id: "s.id", item: sellerRow.toDomain,
	}
}

// SellerForUpdate reads a seller and locks its row. Rows that refer to the seller, such as keys and webhooks, can still
// be inserted.
func (t tenantTx) SellerForUpdate(ctx context.Context, id ids.Seller) (tenant.Seller, error) {
	return t.store.seller(ctx, t, id, "NO KEY UPDATE")
}

// InsertSeller stores a new seller.
func (t tenantTx) InsertSeller(ctx context.Context, seller tenant.Seller) error {
	row, err := sellerRowOf(seller)
	if err != nil {
		return err
	}
	if err := t.insert(ctx, row); err != nil {
		return err
	}
	// A member of the organization may have a session that is cached without a seller.
	return t.bumpEpoch(ctx)
}

// UpdateSeller writes all columns of a seller. It advances the epoch, since credential checks include the seller's
// features (AUTH-5).
func (t tenantTx) UpdateSeller(ctx context.Context, changed tenant.Seller, invoicingKey string) error {
	row, err := sellerRowOf(changed)
	if err != nil {
		return err
	}
	if invoicingKey != "" {
		row.SealedInvoicingKey = t.store.sealer.Seal(invoicingKeyRow(changed.ID), []byte(invoicingKey))
	}
	if err := t.update(ctx, "Seller", row); err != nil {
		return err
	}
	return t.bumpEpoch(ctx)
}

// invoicingKeyRow returns the name under which a seller's invoicing key is sealed.
func invoicingKeyRow(id ids.Seller) string { return "sellers.invoicing_key:" + string(id) }

// InvoicingTarget returns the invoicing URL and key of a seller within the transaction.
func (t tenantTx) InvoicingTarget(ctx context.Context, id ids.Seller) (tenant.InvoicingTarget, error) {
	return t.store.invoicingTarget(ctx, t, id)
}

// InvoicingTarget returns the invoicing URL and key of a seller.
func (t tenants) InvoicingTarget(ctx context.Context, id ids.Seller) (tenant.InvoicingTarget, error) {
	return t.invoicingTarget(ctx, t.sql, id)
}

func (s *Store) invoicingTarget(ctx context.Context, on conn, id ids.Seller) (tenant.InvoicingTarget, error) {
	found, err := sellers.all().withID(string(id)).row(ctx, s, on, "Seller")
	if err != nil || len(found.SealedInvoicingKey) == 0 {
		return tenant.InvoicingTarget{URL: value(found.InvoicingURL)}, err
	}
	key, err := s.sealer.Open(invoicingKeyRow(id), found.SealedInvoicingKey)
	return tenant.InvoicingTarget{URL: value(found.InvoicingURL), HMACKey: string(key)}, err
}

// OriginIsListed reports whether any seller lists the origin. It uses an index, because every preflight request of a
// checkout calls it.
func (t tenants) OriginIsListed(ctx context.Context, origin string) (bool, error) {
	return sellers.where("s.checkout_origins @> ARRAY[$::text]", origin).exists(ctx, t.Store, t.sql)
}
