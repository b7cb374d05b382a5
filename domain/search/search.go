package search

import (
	"context"
	"strconv"
	"strings"
	"unicode/utf8"

	"ticketgate/domain"
	"ticketgate/domain/ids"
	"ticketgate/domain/texts"
)

// Kind is the kind of a result.
type Kind string

// The kinds, in their GraphQL spelling.
const (
	Ticket          Kind = "TICKET"
	Transaction     Kind = "TRANSACTION"
	Checkout        Kind = "CHECKOUT"
	Invoice         Kind = "INVOICE"
	Customer        Kind = "CUSTOMER"
	Event           Kind = "EVENT"
	AccessList      Kind = "ACCESS_LIST"
	AccessListEntry Kind = "ACCESS_LIST_ENTRY"
	ScanGroup       Kind = "SCAN_GROUP"
	AccessUser      Kind = "ACCESS_USER"
	Webhook         Kind = "WEBHOOK"
	Delivery        Kind = "DELIVERY"
	APIKey          Kind = "API_KEY"
)

// listedBy maps each kind to the operation that lists it, in the order of the results. A caller without the right to
// that operation gets no results of the kind.
var listedBy = [...]struct {
	kind      Kind
	operation domain.Operation
}{
	{Ticket, domain.ListTickets},
	{AccessListEntry, domain.ListEntries},
	{Transaction, domain.ListTransactions},
	{Customer, domain.ListCustomers},
	{Checkout, domain.ListCheckouts},
	{Invoice, domain.ListInvoices},
	{Event, domain.ListEvents},
	{AccessList, domain.ListAccessLists},
	{ScanGroup, domain.ListScanGroups},
	{AccessUser, domain.ListDevices},
	{Webhook, domain.ListWebhooks},
	{Delivery, domain.ListDeliveries},
	{APIKey, domain.ListAPIKeys},
}

// Names returns every kind.
func (Kind) Names() []string {
	names := make([]string, len(listedBy))
	for i, listed := range listedBy {
		names[i] = string(listed.kind)
	}
	return names
}

// Result is a record that was found.
type Result struct {
	Kind  Kind
	ID    string
	Title string // the name of the record in lists
	// Detail distinguishes records with the same title. It may be empty.
	Detail string
	// ParentID is the list of an entry. It is empty for all other kinds.
	ParentID string
}

// ShownParent returns ParentID for GraphQL, or nil if it is empty.
func (r *Result) ShownParent() *string { return texts.Shown(r.ParentID) }

// The bounds of a search.
const (
	// MaxPerKind is the maximum number of results of one kind per index.
	MaxPerKind = 5
	// Max is the maximum number of results.
	Max      = 25
	shortest = 2
	longest  = 320
)

// Query is the search text in the forms that indexes use.
type Query struct {
	Text string
	// Folded is the text as names and email addresses are compared (TEXT-1).
	Folded string
	// Number is the text as an invoice number, or nil if it is not a number.
	Number *int64
	// UUID is true if the text has the form of a delivery's id.
	UUID bool
}

// Store searches a seller's records.
type Store interface {
	// Find returns results of the kinds, in the order of the kinds, with at most MaxPerKind of each kind per index.
	Find(ctx context.Context, seller ids.Seller, kinds []Kind, query Query) ([]Result, error)
}

// Search searches a seller's records.
type Search struct{ Store Store }

// Find returns at most 25 records that match the text, of the kinds that the caller may list at the seller. The
// description of the GraphQL query says which fields of each kind match. The text must have 2 to 320 characters.
func (s Search) Find(ctx context.Context, text string) ([]Result, error) {
	actor, err := domain.Authorize(ctx, domain.Search)
	if err != nil {
		return nil, err
	}
	query, err := newQuery(text)
	if err != nil {
		return nil, err
	}
	var kinds []Kind
	for _, listed := range listedBy {
		if domain.May(ctx, listed.operation) {
			kinds = append(kinds, listed.kind)
		}
	}
	found, err := s.Store.Find(ctx, actor.SellerID, kinds, query)
	if len(found) > Max {
		found = found[:Max]
	}
	return found, err
}

func newQuery(text string) (Query, error) {
	text = strings.TrimSpace(text)
	var errs domain.FieldErrors
	errs.Length("query", text, longest)
	if utf8.RuneCountInString(text) == shortest-1 {
		errs.Add("query", "must be at least 2 characters")
	}
	query := Query{Text: text, Folded: texts.Fold(text), UUID: looksLikeUUID(text)}
	if number, err := strconv.ParseInt(text, 10, 64); err == nil {
		query.Number = &number
	}
	return query, errs.Err()
}

// looksLikeUUID reports whether text has the form of a UUID: five groups of hexadecimal digits.
func looksLikeUUID(text string) bool {
	const groups = "8-4-4-4-12"
	var lengths []string
	for group := range strings.SplitSeq(text, "-") {
		if strings.Trim(group, "0123456789abcdefABCDEF") != "" {
			return false
		}
		lengths = append(lengths, strconv.Itoa(len(group)))
	}
	return strings.Join(lengths, "-") == groups
}
