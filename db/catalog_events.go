package db

import (
	"context"
	"encoding/json"
	"errors"
	"strings"
	"time"

	"github.com/jackc/pgx/v5/pgconn"
	"github.com/uptrace/bun"

	"ticketgate/domain"
	"ticketgate/domain/catalog"
	"ticketgate/domain/ids"
	"ticketgate/domain/moment"
	"ticketgate/domain/texts"
)

// catalogEventRow is a row of catalog_events: an event that tickets are sold for. Its _id is unique within its seller.
type catalogEventRow struct {
	bun.BaseModel `bun:"table:catalog_events,alias:e"`

	SellerID          ids.Seller          `bun:"seller_id,pk"`
	ID                string              `bun:"id,pk"`
	Name              string              `bun:"name"`
	NameFolded        string              `bun:"name_folded"`
	Type              catalog.EventType   `bun:"type"`
	RootEventID       *string             `bun:"root_event_id"`
	ParentEventID     *string             `bun:"parent_event_id"`
	StartsAt          time.Time           `bun:"starts_at"`
	EndsAt            *time.Time          `bun:"ends_at"`
	TimeZone          string              `bun:"time_zone"`
	SkipAddressInfo   bool                `bun:"skip_address_info"`
	CodeDisplay       catalog.CodeDisplay `bun:"code_display"`
	BarcodeRevealDate *time.Time          `bun:"barcode_reveal_date"`
	Meta              *string             `bun:"meta"`
	CreatedAt         time.Time           `bun:"created_at"`
	UpdatedAt         time.Time           `bun:"updated_at"`
	// Sales is a catalog.Sales. Its name starts with an underscore because bun ignores unknown columns with such names:
	// older versions read all columns of the table.
	Sales *string `bun:"_sales"`
}

const catalogEventName = "Event"

var (
	catalogEvents = &source[catalogEventRow]{}
	// eventsOfEvents has the events whose parent or root event is a given event, each once.
	eventsOfEvents = &source[catalogEventRow]{table: `((SELECT e.* FROM catalog_events e WHERE e.seller_id = $1
			AND e.parent_event_id = parent.id ` + inPageOrder + `)
		UNION ALL (SELECT e.* FROM catalog_events e WHERE e.seller_id = $1 AND e.root_event_id = parent.id
			AND e.parent_event_id IS DISTINCT FROM parent.id ` + inPageOrder + `)) AS e`}
)

func catalogEventRowOf(e catalog.Event) (*catalogEventRow, error) {
	var sales *string
	if e.Sales != (catalog.Sales{}) {
		text, err := json.Marshal(e.Sales)
		if err != nil {
			return nil, err
		}
		sales = new(string(text))
	}
	return &catalogEventRow{
		SellerID: e.SellerID, ID: e.ID, Name: e.Name, NameFolded: texts.Fold(e.Name), Type: e.Type,
		RootEventID: e.RootEventID, ParentEventID: e.ParentEventID, StartsAt: e.Start.Time, EndsAt: instant(e.End),
		TimeZone: e.TimeZone, SkipAddressInfo: e.SkipAddressInfo, CodeDisplay: e.CodeDisplay,
		BarcodeRevealDate: instant(e.BarcodeRevealDate), Meta: metaColumn(e.Meta),
		CreatedAt: e.CreatedAt.Time, UpdatedAt: e.UpdatedAt.Time, Sales: sales,
	}, nil
}

func (r catalogEventRow) event() (catalog.Event, error) {
	meta, err := metaOf(r.Meta)
	if err != nil {
		return catalog.Event{}, err
	}
	var sales catalog.Sales
	if r.Sales != nil {
		err = json.Unmarshal([]byte(*r.Sales), &sales)
	}
	return catalog.Event{
		ID: r.ID, SellerID: r.SellerID, Name: r.Name, Type: r.Type,
		RootEventID: r.RootEventID, ParentEventID: r.ParentEventID,
		Start: moment.New(r.StartsAt), End: optionalTime(r.EndsAt), TimeZone: r.TimeZone,
		SkipAddressInfo: r.SkipAddressInfo, CodeDisplay: r.CodeDisplay,
		BarcodeRevealDate: optionalTime(r.BarcodeRevealDate), Meta: meta,
		CreatedAt: moment.New(r.CreatedAt), UpdatedAt: moment.New(r.UpdatedAt), Sales: sales,
	}, err
}

// EventsByID returns a seller's events by id.
func (r catalogReader) EventsByID(
	ctx context.Context, seller ids.Seller, ids []string,
) (map[string]catalog.Event, error) {
	return recordsByID(ctx, r, catalogEvents, catalogEventRow.event, func(e catalog.Event) string { return e.ID }, seller, ids)
}

// soldEventRow is an event with the id of a transaction that includes tickets for it.
type soldEventRow struct {
	catalogEventRow `bun:",extend"`

	TransactionID string `bun:"of_transaction,scanonly"`
}

var soldEvents = &source[soldEventRow]{
	columns: "?TableColumns, t.id AS of_transaction",
	joins:   []string{"JOIN transactions t ON t.seller_id = e.seller_id AND t.event_id = e.id"},
}

// EventsByTransaction returns the events of a seller's transactions, by the transaction's _id.
func (r catalogReader) EventsByTransaction(
	ctx context.Context, seller ids.Seller, transactions []string,
) (map[string]catalog.Event, error) {
	found, err := soldEvents.of(seller).where("t.id = ANY($)", transactions).counted(ctx, r.Store, r.on)
	if err != nil {
		return nil, err
	}
	events := make(map[string]catalog.Event, len(found))
	for _, row := range found {
		if events[row.TransactionID], err = row.event(); err != nil {
			return nil, err
		}
	}
	return events, nil
}

// EventsBelow returns the events whose root or parent event is the given event. Each half of the condition has an
// index.
func (r catalogReader) EventsBelow(ctx context.Context, seller ids.Seller, id string) ([]catalog.Event, error) {
	q := catalogEvents.of(seller).where("e.root_event_id = $ OR e.parent_event_id = $", id, id).orderBy("e.created_at, e.id")
	return readAll(ctx, r.Store, r.on, q, catalogEventRow.event)
}

// Event reads one event of a seller.
func (s catalogStore) Event(ctx context.Context, seller ids.Seller, id string) (catalog.Event, error) {
	return recordByID(ctx, s.catalogReader, catalogEvents, catalogEventName, catalogEventRow.event, seller, id, "")
}

// Events lists a seller's events that match the filter.
func (s catalogStore) Events(
	ctx context.Context, seller ids.Seller, filter catalog.EventFilter, page domain.Page,
) (domain.List[catalog.Event], error) {
	leading := append(eventsBelow(filter), between("e.starts_at", filter.StartFrom, filter.StartUntil))
	return eventsWhere(catalogEvents, seller, filter, leading...).page(ctx, s.Store, page)
}

// EventsOfEvents reads, for each event, one page of the events whose parent or root event it is.
func (s catalogStore) EventsOfEvents(
	ctx context.Context, seller ids.Seller, events []string, filter catalog.EventFilter, page domain.Page,
) (map[string]domain.List[catalog.Event], error) {
	return eventsWhere(eventsOfEvents, seller, filter).within(ctx, s.Store, "", events, page)
}

// EventsOfScanGroups reads one page of events for each scan group.
func (s catalogStore) EventsOfScanGroups(
	ctx context.Context, seller ids.Seller, groups []string, filter catalog.EventFilter, page domain.Page,
) (map[string]domain.List[catalog.Event], error) {
	const condition = `e.id IN (SELECT c.settings ->> 'eventId' FROM scan_groups g
		CROSS JOIN json_array_elements(g.scan_config -> 'events') AS c (settings) WHERE g.seller_id = $1 AND g.id = parent.id)`
	return eventsWhere(catalogEvents, seller, filter).within(ctx, s.Store, condition, groups, page)
}

// EventsOfDevices reads one page of events for each device, of those that its settings name.
func (s catalogStore) EventsOfDevices(
	ctx context.Context, seller ids.Seller, devices []string, filter catalog.EventFilter, page domain.Page,
) (map[string]domain.List[catalog.Event], error) {
	const condition = "e.id IN (SELECT n.event_id FROM device_events n WHERE n.seller_id = $1 AND n.device_id = parent.id)"
	return eventsWhere(catalogEvents, seller, filter).within(ctx, s.Store, condition, devices, page)
}

// eventsBelow returns the filters by parent and root event.
func eventsBelow(f catalog.EventFilter) []filter {
	return []filter{equals("e.parent_event_id", f.ParentEventID), equals("e.root_event_id", f.RootEventID)}
}

func eventsWhere(
	from *source[catalogEventRow], seller ids.Seller, f catalog.EventFilter, leading ...filter,
) listing[catalogEventRow, catalog.Event] {
	q := from.of(seller).filteredBy(leading, others(leading, append(eventsBelow(f),
		holding("e.name_folded", f.Name), equals("e.type", f.Type), oneOf("e.type", f.TypeIn),
		at("e.starts_at >= $", f.StartFrom), at("e.starts_at < $", f.StartUntil))...)...)
	return listing[catalogEventRow, catalog.Event]{
		query: q, id: "e.id", created: "e.created_at", item: catalogEventRow.event,
	}
}

// LockPlaces locks the seller's row against concurrent changes of parent and root events. Rows that refer to the seller
// can still be inserted.
func (t catalogTx) LockPlaces(ctx context.Context, seller ids.Seller) error {
	return sellers.all().withID(string(seller)).forUpdate("NO KEY UPDATE").lockRows(ctx, t.store, t.on)
}

// StandsBelow reports whether any of the events is below other.
func (r catalogReader) StandsBelow(ctx context.Context, seller ids.Seller, ids []string, other string) (bool, error) {
	type found struct{ Exists bool }
	result, err := row[found](ctx, r.Store, r.on, catalogEventName,
		"SELECT $3 = ANY ("+eventsAbove("$1", "$2::text[]")+") AS exists", string(seller), ids, other)
	return result.Exists, err
}

// InsertEvent stores a new event.
func (t catalogTx) InsertEvent(ctx context.Context, e catalog.Event) error {
	row, err := catalogEventRowOf(e)
	if err != nil {
		return err
	}
	return t.insert(ctx, row)
}

// EventForUpdate reads an event and locks its row.
func (t catalogTx) EventForUpdate(ctx context.Context, seller ids.Seller, id string) (catalog.Event, error) {
	return recordByID(ctx, t.catalogReader, catalogEvents, catalogEventName, catalogEventRow.event, seller, id, "UPDATE")
}

// UpdateEvent writes all columns of an existing event.
func (t catalogTx) UpdateEvent(ctx context.Context, e catalog.Event) error {
	row, err := catalogEventRowOf(e)
	if err != nil {
		return err
	}
	return t.update(ctx, catalogEventName, row)
}

// DeleteEvent deletes an event. Tickets refer to it without a foreign key, because they may be imported before it, so
// they are checked here. All other references are foreign keys. mapReferred maps their errors, since mapError expects a
// violation by a new reference, not by a deletion.
func (t catalogTx) DeleteEvent(ctx context.Context, seller ids.Seller, id string) error {
	sold, err := tickets.of(seller).where("t.event_id = $", id).exists(ctx, t.store, t.on)
	if err != nil {
		return err
	}
	if sold {
		return stillReferredTo(catalogEventName, "tickets")
	}
	return deleteReferred(ctx, t, catalogEvents.of(seller).withID(id), catalogEventName)
}

// deleteReferred deletes rows that foreign keys may refer to.
func deleteReferred[R any](ctx context.Context, t catalogTx, q *query[R], what string) error {
	_, err := t.ExecContext(ctx, q.deleteText(t.store, ""), prepared(q.args)...)
	return mapReferred(what, err)
}

// mapReferred is like mapError, for deletions that a foreign key may refuse.
func mapReferred(what string, err error) error {
	var refused *pgconn.PgError
	const foreignKeyViolation = "23503"
	if errors.As(err, &refused) && refused.Code == foreignKeyViolation {
		return stillReferredTo(what, catalogReferrer(refused.TableName))
	}
	return mapError(err)
}

func stillReferredTo(what, by string) error {
	return domain.InvalidState("The " + strings.ToLower(what) + " cannot be deleted: " + by + " refer to it")
}

// catalogReferrer returns the display name of the records in a table.
func catalogReferrer(table string) string {
	switch table {
	case "catalog_events":
		return "other events"
	case "scan_group_events", "scan_groups", "scan_group_ticket_types":
		return "scan groups"
	case "device_events":
		return "access users"
	case "purchase_intents":
		return "purchase intents"
	}
	return "other records"
}
