package db

import (
	"context"
	"encoding/json"
	"time"

	"github.com/uptrace/bun"

	"ticketgate/domain"
	"ticketgate/domain/access"
	"ticketgate/domain/ecmajson"
	"ticketgate/domain/ids"
	"ticketgate/domain/moment"
	"ticketgate/domain/texts"
)

// accessEntryRow is a row of access_entries. Missing values are NULL, so that the indexes of customer_id and
// email_folded contain only entries with a value. Meta is json, because jsonb would reformat numbers.
type accessEntryRow struct {
	bun.BaseModel `bun:"table:access_entries,alias:e"`

	ID           string          `bun:"id,pk"`
	ListID       string          `bun:"list_id"`
	SellerID     ids.Seller      `bun:"seller_id"`
	ExternalCode string          `bun:"external_code"`
	CustomerID   string          `bun:"customer_id,nullzero"`
	Firstname    string          `bun:"firstname,nullzero"`
	Lastname     string          `bun:"lastname,nullzero"`
	Email        string          `bun:"email,nullzero"`
	EmailFolded  string          `bun:"email_folded,nullzero"`
	Phone        string          `bun:"phone,nullzero"`
	Meta         json.RawMessage `bun:"meta,type:json,nullzero"`
	CreatedAt    time.Time       `bun:"created_at"`
	UpdatedAt    time.Time       `bun:"updated_at"`
}

const (
	accessEntryName = "Access list entry"
	entriesTable    = "access_entries"
)

var (
	accessEntries  = &source[accessEntryRow]{}
	accessEntryIDs = &source[accessEntryRow]{columns: "e.id"}
	// accessEntriesByCode has the first entry of each code.
	accessEntriesByCode = &source[accessEntryRow]{distinct: "e.external_code"}
)

// Entry reads one entry of a seller's list.
func (s accessStore) Entry(ctx context.Context, seller ids.Seller, listID, id string) (access.Entry, error) {
	return accessEntry(ctx, s.Store, s.sql, seller, listID, id, "")
}

// EntryForUpdate reads an entry and locks its row.
func (tx accessTx) EntryForUpdate(ctx context.Context, seller ids.Seller, listID, id string) (access.Entry, error) {
	return accessEntry(ctx, tx.store, tx, seller, listID, id, "UPDATE")
}

// accessEntry reads one entry, locked if lock is not empty.
func accessEntry(
	ctx context.Context, s *Store, on conn, seller ids.Seller, listID, id, lock string,
) (access.Entry, error) {
	q := accessEntries.of(seller).withID(id).where("e.list_id = $", listID).forUpdate(lock)
	return readOne(ctx, s, on, q, accessEntryName, accessEntryRow.toDomain)
}

// Entries lists a list's entries, oldest first.
func (s accessStore) Entries(
	ctx context.Context, seller ids.Seller, listID string, filter access.EntryFilter, page domain.Page,
) (domain.List[access.Entry], error) {
	q, err := s.matchingEntries(ctx, s.sql, seller, listID, filter)
	if err != nil {
		return domain.List[access.Entry]{}, err
	}
	return entryListing(q).kept(entriesTable, "$2", 2).page(ctx, s.Store, page)
}

// EntriesOfLists reads one page of entries for each list.
func (s accessStore) EntriesOfLists(
	ctx context.Context, seller ids.Seller, lists []string, filter access.EntryFilter, page domain.Page,
) (map[string]domain.List[access.Entry], error) {
	q, err := s.entriesWhere(ctx, s.sql, seller, filter)
	if err != nil {
		return nil, err
	}
	return entryListing(q).kept(entriesTable, "parent.id", 1).within(ctx, s.Store, "e.list_id = parent.id", lists, page)
}

// EntriesByCode returns a seller's entries by external code. If several entries have the same code, the oldest is
// returned.
func (s accessStore) EntriesByCode(
	ctx context.Context, seller ids.Seller, codes []string,
) (map[string]access.Entry, error) {
	found, err := accessEntriesByCode.of(seller).where("e.external_code = ANY($)", codes).orderBy("e.external_code, e.id").
		counted(ctx, s.Store, s.sql)
	if err != nil {
		return nil, err
	}
	entries, err := each(found, accessEntryRow.toDomain)
	byCode := make(map[string]access.Entry, len(entries))
	for _, entry := range entries {
		byCode[entry.ExternalCode] = entry
	}
	return byCode, err
}

func entryListing(q *query[accessEntryRow]) listing[accessEntryRow, access.Entry] {
	return listing[accessEntryRow, access.Entry]{query: q, id: "e.id", item: accessEntryRow.toDomain}
}

// matchingEntries selects the entries of a list that match a filter.
func (s *Store) matchingEntries(
	ctx context.Context, on conn, seller ids.Seller, listID string, filter access.EntryFilter,
) (*query[accessEntryRow], error) {
	q, err := s.entriesWhere(ctx, on, seller, filter)
	if err != nil {
		return nil, err
	}
	return q.where("e.list_id = $", listID), nil
}

// entriesWhere selects the entries of all lists that match a filter.
func (s *Store) entriesWhere(
	ctx context.Context, on conn, seller ids.Seller, f access.EntryFilter,
) (*query[accessEntryRow], error) {
	q := accessEntries.of(seller).filteredBy([]filter{
		equals("e.external_code", f.ExternalCode), equals("e.customer_id", f.CustomerID), withEmail("e.email_folded", f.Email),
	})
	event := f.WithoutTicketFor
	if event == "" {
		return q, nil
	}
	chain, err := s.chain(ctx, on, seller, event)
	return q.where(withoutTicketOfCustomer, chain.Opening, chain.Below, event).
		where(withoutTicketOfEmail, chain.Opening, chain.Below, event), err
}

// These conditions match entries whose holder has no ticket for an event. Tickets are searched for as in the lookup at
// the gate. INVALID tickets do not count.
var (
	withoutTicketOfCustomer = `NOT EXISTS (SELECT FROM tickets t WHERE t.seller_id = e.seller_id
		AND t.customer_id = e.customer_id AND ` + openingTicket + `)`
	withoutTicketOfEmail = `(e.customer_id IS NOT NULL OR NOT EXISTS (SELECT FROM tickets t WHERE t.seller_id = e.seller_id
		AND t.email_folded = e.email_folded AND ` + openingTicket + `))`
	openingTicket = `t.status <> 'INVALID' AND (t.event_id = ANY ($) OR t.root_event_id = ANY ($))
		AND ` + notBlocked("t.seller_id", "ARRAY[$, t.event_id]")
)

// eventChain has the ids of the events whose tickets are accepted at one event. Opening are the event and all events
// above it. Below are, for a ROOT event, the event and all events below it. A ticket may also name these as its
// rootEventId.
type eventChain struct {
	Opening []string `bun:"opening,array"`
	Below   []string `bun:"below,array"`
}

func (s *Store) chain(ctx context.Context, on conn, seller ids.Seller, eventID string) (eventChain, error) {
	found, err := row[eventChain](ctx, s, on, catalogEventName, `SELECT b.below,
			`+eventsAbove("$1", "ARRAY[$2::text]")+` || b.below AS opening
		FROM (SELECT CASE WHEN EXISTS (SELECT FROM catalog_events WHERE seller_id = $1 AND id = $2 AND type = 'ROOT')
			THEN ARRAY(`+withBelow("$1", "$2::text")+`) ELSE '{}' END AS below) b`, string(seller), eventID)
	return found, err
}

// InsertEntry stores a new entry.
func (tx accessTx) InsertEntry(ctx context.Context, entry access.Entry) error {
	return tx.insert(ctx, accessEntryRowOf(entry))
}

// UpdateEntry writes all columns of an existing entry.
func (tx accessTx) UpdateEntry(ctx context.Context, entry access.Entry) error {
	return tx.update(ctx, accessEntryName, accessEntryRowOf(entry))
}

// DeleteEntry deletes an entry.
func (tx accessTx) DeleteEntry(ctx context.Context, seller ids.Seller, id string) error {
	return accessEntries.of(seller).withID(id).deleteOne(ctx, tx.store, tx, accessEntryName)
}

// alsoOfList restricts entries found by id to one list. IS NOT DISTINCT FROM keeps the planner from using an index on
// list_id: it expects few entries per list, and would read the whole list instead of the ids.
const alsoOfList = "e.list_id IS NOT DISTINCT FROM $"

// EntriesThere returns the given ids that belong to entries of the list.
func (s accessStore) EntriesThere(ctx context.Context, seller ids.Seller, listID string, ids []string) ([]string, error) {
	there, err := accessEntryIDs.of(seller).withIDs(ids).where(alsoOfList, listID).rows(ctx, s.Store, s.sql)
	found := make([]string, len(there))
	for i, item := range there {
		found[i] = item.ID
	}
	return found, err
}

// DeleteEntries deletes entries of a list by id and returns the ids of the deleted entries.
func (tx accessTx) DeleteEntries(ctx context.Context, list access.List, ids []string) ([]string, error) {
	gone, err := accessEntries.of(list.SellerID).withIDs(ids).where(alsoOfList, list.ID).
		deleteReturning(ctx, tx.store, tx, "id")
	found := make([]string, len(gone))
	for i, item := range gone {
		found[i] = item.ID
	}
	return found, err
}

// DeleteMatchingEntries deletes all entries of a list that match a filter, and returns their number.
func (tx accessTx) DeleteMatchingEntries(ctx context.Context, list access.List, filter access.EntryFilter) (int, error) {
	q, err := tx.store.matchingEntries(ctx, tx, list.SellerID, list.ID, filter)
	if err != nil {
		return 0, err
	}
	return affected(q.delete(ctx, tx.store, tx))
}

func accessEntryRowOf(e access.Entry) *accessEntryRow {
	created := &accessEntryRow{
		ID: e.ID, ListID: e.ListID, SellerID: e.SellerID, ExternalCode: e.ExternalCode, CustomerID: e.CustomerID,
		Firstname: e.Firstname, Lastname: e.Lastname, Email: e.Email, EmailFolded: texts.FoldEmail(e.Email), Phone: e.Phone,
		CreatedAt: e.CreatedAt.Time, UpdatedAt: e.UpdatedAt.Time,
	}
	if e.Meta.Kind() != ecmajson.Null {
		created.Meta = e.Meta.Print()
	}
	return created
}

func (r accessEntryRow) toDomain() (access.Entry, error) {
	entry := access.Entry{
		ID: r.ID, ListID: r.ListID, ExternalCode: r.ExternalCode, SellerID: r.SellerID, CustomerID: r.CustomerID,
		Firstname: r.Firstname, Lastname: r.Lastname, Email: r.Email, Phone: r.Phone,
		CreatedAt: moment.New(r.CreatedAt), UpdatedAt: moment.New(r.UpdatedAt),
	}
	if len(r.Meta) == 0 {
		return entry, nil
	}
	meta, err := ecmajson.Parse(r.Meta, ecmajson.Limits{})
	entry.Meta = meta
	return entry, err
}

// HasEvent reports whether the seller has the event.
func (s accessStore) HasEvent(ctx context.Context, seller ids.Seller, id string) (bool, error) {
	return catalogEvents.of(seller).withID(id).exists(ctx, s.Store, s.sql)
}
