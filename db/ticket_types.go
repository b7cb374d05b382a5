package db

import (
	"context"
	"time"

	"github.com/uptrace/bun"

	"ticketgate/domain"
	"ticketgate/domain/catalog"
	"ticketgate/domain/document"
	"ticketgate/domain/ids"
	"ticketgate/domain/moment"
	"ticketgate/domain/money"
	"ticketgate/domain/texts"
)

type ticketTypeRow struct {
	bun.BaseModel `bun:"table:ticket_types,alias:t"`

	SellerID   ids.Seller       `bun:"seller_id,pk"`
	ID         string           `bun:"id,pk"`
	EventID    string           `bun:"event_id"`
	Name       string           `bun:"name"`
	NameFolded string           `bun:"name_folded"`
	Price      document.Number  `bun:"price"`
	Currency   money.Currency   `bun:"currency"`
	TaxRate    *document.Number `bun:"tax_rate"`
	Active     bool             `bun:"active"`
	Meta       *string          `bun:"meta"`
	CreatedAt  time.Time        `bun:"created_at"`
	UpdatedAt  time.Time        `bun:"updated_at"`
}

const ticketTypeName = "Ticket type"

var (
	ticketTypes = &source[ticketTypeRow]{}
	// soldTicketTypes joins the tickets of each ticket type.
	soldTicketTypes = &source[ticketTypeRow]{joins: []string{
		"JOIN tickets k ON k.seller_id = t.seller_id AND k.event_id = t.event_id AND k.ticket_type_id = t.id",
	}}
)

func ticketTypeRowOf(t catalog.TicketType) *ticketTypeRow {
	return &ticketTypeRow{
		SellerID: t.SellerID, ID: t.ID, EventID: t.EventID, Name: t.Name, NameFolded: texts.Fold(t.Name),
		Price: t.Price, Currency: t.Currency, TaxRate: t.TaxRate, Active: t.Active, Meta: metaColumn(t.Meta),
		CreatedAt: t.CreatedAt.Time, UpdatedAt: t.UpdatedAt.Time,
	}
}

func (r ticketTypeRow) ticketType() (catalog.TicketType, error) {
	meta, err := metaOf(r.Meta)
	return catalog.TicketType{
		ID: r.ID, SellerID: r.SellerID, EventID: r.EventID, Name: r.Name, Price: r.Price, Currency: r.Currency,
		TaxRate: r.TaxRate, Active: r.Active, Meta: meta,
		CreatedAt: moment.New(r.CreatedAt), UpdatedAt: moment.New(r.UpdatedAt),
	}, err
}

// TicketTypesByID returns a seller's ticket types by id.
func (r catalogReader) TicketTypesByID(
	ctx context.Context, seller ids.Seller, ids []string,
) (map[string]catalog.TicketType, error) {
	return recordsByID(ctx, r, ticketTypes, ticketTypeRow.ticketType, func(t catalog.TicketType) string { return t.ID }, seller, ids)
}

// TicketType reads one ticket type of a seller.
func (s catalogStore) TicketType(ctx context.Context, seller ids.Seller, id string) (catalog.TicketType, error) {
	return recordByID(ctx, s.catalogReader, ticketTypes, ticketTypeName, ticketTypeRow.ticketType, seller, id, "")
}

// TicketTypes lists a seller's ticket types that match the filter.
func (s catalogStore) TicketTypes(
	ctx context.Context, seller ids.Seller, filter catalog.TicketTypeFilter, page domain.Page,
) (domain.List[catalog.TicketType], error) {
	return ticketTypesWhere(seller, filter, equals("t.event_id", filter.EventID)).page(ctx, s.Store, page)
}

// TicketTypesOfEvents reads one page of ticket types for each event.
func (s catalogStore) TicketTypesOfEvents(
	ctx context.Context, seller ids.Seller, events []string, filter catalog.TicketTypeFilter, page domain.Page,
) (map[string]domain.List[catalog.TicketType], error) {
	return ticketTypesWhere(seller, filter).within(ctx, s.Store, "t.event_id = parent.id", events, page)
}

// TicketTypesOfScanGroups reads one page of the ticket types that each scan group admits: the allowed ones or, if the
// group allows all, all types of its events.
func (s catalogStore) TicketTypesOfScanGroups(
	ctx context.Context, seller ids.Seller, groups []string, filter catalog.TicketTypeFilter, page domain.Page,
) (map[string]domain.List[catalog.TicketType], error) {
	const condition = `t.id IN (
		SELECT n.id FROM scan_groups g CROSS JOIN json_array_elements(g.scan_config -> 'events') AS e (settings)
			CROSS JOIN json_array_elements_text(e.settings -> 'allowedTicketTypeIds') AS n (id)
		WHERE g.seller_id = $1 AND g.id = parent.id AND e.settings ->> 'allowAllTicketTypes' IS DISTINCT FROM 'true'
		UNION ALL
		SELECT a.id FROM scan_groups g CROSS JOIN json_array_elements(g.scan_config -> 'events') AS e (settings)
			JOIN ticket_types a ON a.seller_id = g.seller_id AND a.event_id = e.settings ->> 'eventId'
		WHERE g.seller_id = $1 AND g.id = parent.id AND e.settings ->> 'allowAllTicketTypes' = 'true')`
	return ticketTypesWhere(seller, filter).within(ctx, s.Store, condition, groups, page)
}

func ticketTypesWhere(
	seller ids.Seller, f catalog.TicketTypeFilter, leading ...filter,
) listing[ticketTypeRow, catalog.TicketType] {
	q := ticketTypes.of(seller).filteredBy(leading, others(leading, equals("t.event_id", f.EventID),
		holding("t.name_folded", f.Name), whether("t.active", f.Active))...)
	return listing[ticketTypeRow, catalog.TicketType]{
		query: q, id: "t.id", created: "t.created_at", item: ticketTypeRow.ticketType,
	}
}

// InsertTicketType stores a new ticket type.
func (t catalogTx) InsertTicketType(ctx context.Context, ticketType catalog.TicketType) error {
	return t.insert(ctx, ticketTypeRowOf(ticketType))
}

// TicketTypeForUpdate reads a ticket type and locks its row.
func (t catalogTx) TicketTypeForUpdate(
	ctx context.Context, seller ids.Seller, id string,
) (catalog.TicketType, error) {
	return recordByID(ctx, t.catalogReader, ticketTypes, ticketTypeName, ticketTypeRow.ticketType, seller, id, "UPDATE")
}

// TicketTypesOf returns the first ticket types of an event, at most most.
func (t catalogTx) TicketTypesOf(
	ctx context.Context, seller ids.Seller, eventID string, most int,
) ([]catalog.TicketType, error) {
	found, err := ticketTypes.of(seller).where("t.event_id = $", eventID).orderBy("t.created_at, t.id").first(ctx, t.store, t.on, most)
	if err != nil {
		return nil, err
	}
	return each(found, ticketTypeRow.ticketType)
}

// DeleteTicketType deletes a ticket type. Tickets refer to it without a foreign key, because they may be imported
// before it, so they are checked here.
func (t catalogTx) DeleteTicketType(ctx context.Context, seller ids.Seller, id string) error {
	sold, err := soldTicketTypes.of(seller).withID(id).exists(ctx, t.store, t.on)
	if err != nil {
		return err
	}
	if sold {
		return stillReferredTo(ticketTypeName, "tickets")
	}
	return deleteReferred(ctx, t, ticketTypes.of(seller).withID(id), ticketTypeName)
}

// UpdateTicketType writes all columns of an existing ticket type.
func (t catalogTx) UpdateTicketType(ctx context.Context, changed catalog.TicketType) error {
	return t.update(ctx, ticketTypeName, ticketTypeRowOf(changed))
}
