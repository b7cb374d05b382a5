package db

import (
	"context"
	"strings"

	"github.com/uptrace/bun"

	"ticketgate/domain"
	"ticketgate/domain/ids"
	"ticketgate/domain/moment"
	"ticketgate/domain/texts"
	"ticketgate/domain/ticket"
)

// ticketRow has the columns of a ticket that are read. All other columns duplicate parts of the document.
type ticketRow struct {
	bun.BaseModel `bun:"table:tickets,alias:t"`

	SellerID ids.Seller `bun:"seller_id"`
	Document []byte     `bun:"document"`
}

func (r ticketRow) record() (ticket.Record, error) { return ticket.ReadRecord(r.Document) }

const ticketName = "Ticket"

var (
	tickets = &source[ticketRow]{columns: "t.document"}
	// ticketsOfCustomers has the tickets that name a customer, and those without a customer that have the customer's
	// email address (GRAPH-4).
	ticketsOfCustomers = &source[ticketRow]{columns: "t.document", table: `((SELECT t.* FROM tickets t
		WHERE t.seller_id = $1 AND t.customer_id = parent.id
		` + inPageOrder + `)
		UNION ALL (SELECT t.* FROM tickets t WHERE t.seller_id = $1 AND t.customer_id IS NULL AND t.email_folded = (
			SELECT email_folded FROM customers WHERE seller_id = $1 AND id = parent.id) ` + inPageOrder + `)) AS t`}
)

// ticketStore implements ticket.Store.
type ticketStore struct {
	*Store
	transactor[ticket.Tx]
}

// Tickets returns the store of package ticket.
func (s *Store) Tickets() ticket.Store { return s.tickets() }

// TicketReader returns the tickets for areas that look them up or scan them.
func (s *Store) TicketReader() ticket.Reader { return s.tickets() }

func (s *Store) tickets() ticketStore {
	return ticketStore{s, transactor[ticket.Tx]{s, func(tx *Tx) ticket.Tx { return tx }}}
}

// Ticket reads one ticket of a seller.
func (s ticketStore) Ticket(ctx context.Context, seller ids.Seller, id string) (ticket.Record, error) {
	return oneTicket(ctx, s.Store, s.sql, tickets.of(seller).withID(id))
}

// TicketsByID returns a seller's tickets by id.
func (s ticketStore) TicketsByID(ctx context.Context, seller ids.Seller, ids []string) (map[string]ticket.Record, error) {
	found, err := tickets.of(seller).withIDs(ids).counted(ctx, s.Store, s.sql)
	return byID(found, err, ticketRow.record, func(t ticket.Record) string { return t.ID })
}

// TicketByBarcode reads the seller's ticket with a barcode.
func (s ticketStore) TicketByBarcode(ctx context.Context, seller ids.Seller, barcode string) (ticket.Record, error) {
	return oneTicket(ctx, s.Store, s.sql, tickets.of(seller).where("t.barcode = $", barcode))
}

// TicketByBarcode reads the seller's ticket with a barcode within the transaction.
func (tx *Tx) TicketByBarcode(ctx context.Context, seller ids.Seller, barcode string) (ticket.Record, error) {
	return oneTicket(ctx, tx.store, tx, tickets.of(seller).where("t.barcode = $", barcode))
}

func oneTicket(ctx context.Context, s *Store, on conn, q *query[ticketRow]) (ticket.Record, error) {
	return readOne(ctx, s, on, q, ticketName, ticketRow.record)
}

// Tickets lists a seller's tickets, oldest first.
func (s ticketStore) Tickets(
	ctx context.Context, seller ids.Seller, filter ticket.Filter, page domain.Page,
) (domain.List[ticket.Record], error) {
	leading := append(singleTickets(filter), equals("t.ticket_type_id", filter.TicketTypeID), equals("t.event_id", filter.EventID))
	return ticketsWhere(tickets, seller, filter, leading...).kept("tickets", wholeSeller, 1).page(ctx, s.Store, page)
}

// TicketsOfEvents reads one page of tickets for each event.
func (s ticketStore) TicketsOfEvents(
	ctx context.Context, seller ids.Seller, events []string, filter ticket.Filter, page domain.Page,
) (map[string]domain.List[ticket.Record], error) {
	leading := singleTickets(filter)
	return ticketsWhere(tickets, seller, filter, leading...).
		within(ctx, s.Store, ofParent("t.event_id", leading), events, page)
}

// TicketsOfCustomers reads one page of tickets for each customer.
func (s ticketStore) TicketsOfCustomers(
	ctx context.Context, seller ids.Seller, customers []string, filter ticket.Filter, page domain.Page,
) (map[string]domain.List[ticket.Record], error) {
	return ticketsWhere(ticketsOfCustomers, seller, filter).within(ctx, s.Store, "", customers, page)
}

// TicketsByBarcode returns a seller's tickets by barcode.
func (s ticketStore) TicketsByBarcode(
	ctx context.Context, seller ids.Seller, barcodes []string,
) (map[string]ticket.Record, error) {
	found, err := tickets.of(seller).where("t.barcode = ANY($)", barcodes).counted(ctx, s.Store, s.sql)
	return byID(found, err, ticketRow.record, func(t ticket.Record) string { return t.Barcode })
}

// TicketsOfTransactions reads one page of tickets for each transaction.
func (s ticketStore) TicketsOfTransactions(
	ctx context.Context, seller ids.Seller, transactions []string, filter ticket.Filter, page domain.Page,
) (map[string]domain.List[ticket.Record], error) {
	return ticketsWhere(tickets, seller, filter).within(ctx, s.Store, "t.transaction_id = parent.id", transactions, page)
}

// ticketsWhere lists the tickets that match the filter. leading are filters with an index, as in filteredBy.
func ticketsWhere(from *source[ticketRow], seller ids.Seller, f ticket.Filter, leading ...filter) listing[ticketRow, ticket.Record] {
	q := from.of(seller)
	q.whereIf(len(f.EventIDs) > 0, "t.event_id = ANY($)", f.EventIDs)
	if stored := between("t.stored_at", f.StoredFrom, f.StoredUntil); stored.used {
		q.where(stored.condition, stored.args...)
	}
	q.filteredBy(leading, ticketFilters(f, leading)...)
	return listing[ticketRow, ticket.Record]{query: q, created: "t.created_at", id: "t.id", item: ticketRow.record}
}

// singleTickets returns the filters that select one or a few tickets.
func singleTickets(f ticket.Filter) []filter {
	return []filter{
		equals("t.barcode", f.Barcode), equals("t.transaction_id", f.TransactionID), equals("t.customer_id", f.CustomerID),
		equals("t.email_folded", texts.FoldEmail(f.Email)),
	}
}

// ticketFilters returns all filters of tickets that are not in leading.
func ticketFilters(f ticket.Filter, leading []filter) []filter {
	return others(leading, append(singleTickets(f),
		equals("t.ticket_type_id", f.TicketTypeID), equals("t.event_id", f.EventID), equals("t.root_event_id", f.RootEventID),
		equals("t.status", f.Status), equals("t.type", f.Type), equals("t.origin", f.Origin), equals("t.currency", f.Currency),
		oneOf("t.status", f.StatusIn), oneOf("t.origin", f.OriginIn), oneOf("t.currency", f.CurrencyIn),
		holding("t.search_folded", f.Text),
		between("t.created_at", f.CreatedFrom, f.CreatedUntil).onKey(),
		at("t.updated_at >= $", f.UpdatedFrom), at("t.updated_at < $", f.UpdatedUntil),
		whether("("+ticketCheckins+" > 0)", f.CheckedIn), whether("("+ticketInside+" > 0)", f.Inside))...)
}

// TicketsOfHolder returns the tickets of a person for events, oldest first.
func (s ticketStore) TicketsOfHolder(
	ctx context.Context, seller ids.Seller, holder ticket.Holder,
) ([]ticket.Record, error) {
	if holder.CustomerID == "" && holder.Email == "" {
		return nil, nil
	}
	column, value := "customer_id", holder.CustomerID
	if value == "" {
		column, value = "email_folded", texts.FoldEmail(holder.Email)
	}
	q := tickets.of(seller).where("t."+column+" = $", value).
		where("t.event_id = ANY($) OR t.root_event_id = ANY($)", holder.EventIDs, holder.EventIDs).orderBy("t.created_at, t.id")
	return readAll(ctx, s.Store, s.sql, q, ticketRow.record)
}

// ticketColumns has rows to write, column by column.
type ticketColumns struct {
	sellers, ids, events, types, statuses, barcodes, searches, excluded, documents []string
	roots, customers, transactions, kinds, origins, currencies, emails             []*string
	created, updated                                                               []moment.DateTime
}

func (c *ticketColumns) add(seller ids.Seller, t ticket.Record) {
	c.sellers = append(c.sellers, string(seller))
	c.ids, c.events, c.types = append(c.ids, t.ID), append(c.events, t.EventID), append(c.types, t.TicketTypeID)
	c.statuses, c.barcodes = append(c.statuses, string(t.Status)), append(c.barcodes, t.Barcode)
	c.searches = append(c.searches, searchText(t.Ticket))
	c.excluded = append(c.excluded, jsonTexts(t.ExcludedEventIDs))
	c.documents = append(c.documents, string(t.Document))
	c.roots, c.customers = append(c.roots, t.RootEventID), append(c.customers, t.CustomerID)
	c.transactions = append(c.transactions, t.TransactionID)
	c.kinds, c.origins = append(c.kinds, (*string)(t.Type)), append(c.origins, (*string)(t.Origin))
	c.currencies, c.emails = append(c.currencies, (*string)(t.Currency)), append(c.emails, foldedEmail(t.Email))
	c.created, c.updated = append(c.created, t.CreatedAt), append(c.updated, t.UpdatedAt)
}

// foldedEmail returns an email address in the form in which it is compared, or nil if it is empty.
func foldedEmail(email *string) *string {
	if email == nil || *email == "" {
		return nil
	}
	folded := texts.FoldEmail(*email)
	return &folded
}

// searchText returns the searchable text of a ticket. Its parts are separated by line breaks, so that no search matches
// across two.
func searchText(t ticket.Ticket) string {
	parts := [...]string{
		t.Barcode, joined(t.Firstname, t.Lastname), joined(t.Name), joined(t.Company), joined(t.Email), joined(t.Seat),
	}
	return texts.Fold(strings.Join(parts[:], "\n"))
}

func joined(parts ...*string) string {
	var words []string
	for _, part := range parts {
		if part != nil {
			words = append(words, *part)
		}
	}
	return strings.Join(words, " ")
}
