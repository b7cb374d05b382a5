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

// Kind is what was found.
type Kind string

// The kinds, as GraphQL spells them.
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

// listedBy says for each kind, in the order in which results are shown, which operation lists it: who may not do that
// finds none.
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

// Names lists every kind.
func (Kind) Names() []string {
	names := make([]string, len(listedBy))
	for i, listed := range listedBy {
		names[i] = string(listed.kind)
	}
	return names
}

// Result is one thing that was found.
type Result struct {
	Kind  Kind
	ID    string
	Title string // what it is called where it is listed
	// Detail tells it apart from others of the same title; it may be empty.
	Detail string
	// ParentID is the list of an entry, and empty for everything else.
	ParentID string
}

// ShownParent is ParentID as GraphQL shows it.
func (r *Result) ShownParent() *string { return texts.Shown(r.ParentID) }

// The bounds of a search.
const (
	// MostOfAKind is how many of one kind are found in one way.
	MostOfAKind = 5
	// Most is how many results there are.
	Most     = 25
	shortest = 2
	longest  = 320
)

// Query is what is looked for, in the forms in which it may stand in an index.
type Query struct {
	Text string
	// Folded is the text as names and e-mails are compared (decisions 3.4).
	Folded string
	// Number is the text as an invoice's number, nil when it is none.
	Number *int64
	// UUID tells that the text has the form of a delivery's id.
	UUID bool
}

// Store finds what a seller has.
type Store interface {
	// Find returns what is of one of the kinds, in the order of the kinds, MostOfAKind of each in each way at most.
	Find(ctx context.Context, seller ids.Seller, kinds []Kind, query Query) ([]Result, error)
}

// Search finds things by what is known of them.
type Search struct{ Store Store }

// Find returns what the text names, exactly or as the beginning of a name: 25 results at most, of what the caller may
// list at the seller. The text has 2 to 320 characters.
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
	if len(found) > Most {
		found = found[:Most]
	}
	return found, err
}

func newQuery(text string) (Query, error) {
	text = strings.TrimSpace(text)
	var problems domain.Problems
	problems.Length("query", text, longest)
	if utf8.RuneCountInString(text) == shortest-1 {
		problems.Add("query", "must be at least 2 characters")
	}
	query := Query{Text: text, Folded: texts.Fold(text), UUID: looksLikeUUID(text)}
	if number, err := strconv.ParseInt(text, 10, 64); err == nil {
		query.Number = &number
	}
	return query, problems.Err()
}

// looksLikeUUID tells the form of a UUID: five groups of hexadecimal digits.
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
