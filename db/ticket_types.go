package db

import (
	"context"
	"time"

	"github.com/uptrace/bun"

	"ticketgate/domain"
	"ticketgate/domain/catalog"
	"ticketgate/domain/document"
)

type ticketTypeRow struct {
	bun.BaseModel `bun:"table:ticket_types,alias:t"`

	SellerID   domain.SellerID  `bun:"seller_id,pk"`
	ID         string           `bun:"id,pk"`
	EventID    string           `bun:"event_id"`
	Name       string           `bun:"name"`
	NameFolded string           `bun:"name_folded"`
	Price      document.Number  `bun:"price"`
	Currency   domain.Currency  `bun:"currency"`
	TaxRate    *document.Number `bun:"tax_rate"`
	Active     bool             `bun:"active"`
	Meta       *string          `bun:"meta"`
	CreatedAt  time.Time        `bun:"created_at"`
	UpdatedAt  time.Time        `bun:"updated_at"`
}

const (
	ticketTypes    = "ticket_types"
	ticketTypeName = "Ticket type"
)

func ticketTypeRowOf(t catalog.TicketType) *ticketTypeRow {
	return &ticketTypeRow{
		SellerID: t.SellerID, ID: t.ID, EventID: t.EventID, Name: t.Name, NameFolded: domain.Fold(t.Name),
		Price: t.Price, Currency: t.Currency, TaxRate: t.TaxRate, Active: t.Active, Meta: metaColumn(t.Meta),
		CreatedAt: t.CreatedAt.Time, UpdatedAt: t.UpdatedAt.Time,
	}
}

func (r ticketTypeRow) ticketType() (catalog.TicketType, error) {
	meta, err := metaOf(r.Meta)
	return catalog.TicketType{
		ID: r.ID, SellerID: r.SellerID, EventID: r.EventID, Name: r.Name, Price: r.Price, Currency: r.Currency,
		TaxRate: r.TaxRate, Active: r.Active, Meta: meta,
		CreatedAt: domain.NewDateTime(r.CreatedAt), UpdatedAt: domain.NewDateTime(r.UpdatedAt),
	}, err
}

// TicketTypesByID reads a seller's ticket types with the ids.
func (r catalogReader) TicketTypesByID(
	ctx context.Context, seller domain.SellerID, ids []string,
) (map[string]catalog.TicketType, error) {
	return recordsByID(ctx, r, ticketTypes, ticketTypeRow.ticketType, func(t catalog.TicketType) string { return t.ID }, seller, ids)
}

// TicketType reads one ticket type of a seller.
func (s catalogStore) TicketType(ctx context.Context, seller domain.SellerID, id string) (catalog.TicketType, error) {
	return recordByID(ctx, s.catalogReader, ticketTypes, ticketTypeName, ticketTypeRow.ticketType, seller, id, "")
}

// TicketTypes lists a seller's ticket types that match.
func (s catalogStore) TicketTypes(
	ctx context.Context, seller domain.SellerID, filter catalog.TicketTypeFilter, page domain.Page,
) (domain.List[catalog.TicketType], error) {
	q := selectFrom("t.*", "ticket_types t").
		where("t.seller_id = $", string(seller)).
		whereIf(filter.Name != "", "t.name_folded LIKE $", contains(domain.Fold(filter.Name))).
		whereIf(filter.EventID != "", "t.event_id = $", filter.EventID)
	if filter.Active != nil {
		q.where("t.active = $", *filter.Active)
	}
	return listing[ticketTypeRow, catalog.TicketType]{
		query: q, id: "t.id", created: "t.created_at", item: ticketTypeRow.ticketType,
	}.page(ctx, s.Store, page)
}

// InsertTicketType stores a new ticket type.
func (t catalogTx) InsertTicketType(ctx context.Context, made catalog.TicketType) error {
	return t.insert(ctx, ticketTypeRowOf(made))
}

// TicketTypeForUpdate reads a ticket type and locks its row.
func (t catalogTx) TicketTypeForUpdate(
	ctx context.Context, seller domain.SellerID, id string,
) (catalog.TicketType, error) {
	return recordByID(ctx, t.catalogReader, ticketTypes, ticketTypeName, ticketTypeRow.ticketType, seller, id, " FOR UPDATE")
}

// UpdateTicketType stores every column of a ticket type that exists.
func (t catalogTx) UpdateTicketType(ctx context.Context, changed catalog.TicketType) error {
	return t.update(ctx, ticketTypeName, ticketTypeRowOf(changed))
}
