package ticket_test

import (
	"fmt"
	"slices"
	"testing"

	"ticketgate/db/dbtest"
	"ticketgate/domain"
	"ticketgate/domain/domaintest"
	"ticketgate/domain/ecmajson"
	"ticketgate/domain/ids"
	"ticketgate/domain/moment"
	"ticketgate/domain/money"
	"ticketgate/domain/ticket"
)

func TestCallersOfTicketOperations(t *testing.T) {
	w := newFixture(t)
	w.imported(seller, ticket.Imported{Created: 1}, small("a"))
	field := func(role domain.Role) domain.Actor {
		return domain.Actor{
			Kind: domain.UserActor, SellerID: seller, OrgID: dbtest.Org,
			Memberships: []domain.Membership{{SellerID: seller, Role: role}},
		}
	}
	const (
		unauthenticated = domain.CodeUnauthenticated
		missing         = domain.CodeMissingPermission
		forbidden       = domain.CodeForbidden
		invalid         = domain.CodeValidationFailed
		unnamed         = domain.CodeInvalidRequest
	)
	system := domain.Actor{Kind: domain.SystemActor}
	organization := domain.Actor{Kind: domain.OrganizationKeyActor, OrgID: dbtest.Org}
	for name, row := range map[string]struct {
		actor         domain.Actor
		seller        ids.Seller
		imports, list domain.Code
	}{
		"no credential":                 {domain.Actor{}, "", unauthenticated, unauthenticated},
		"a key that can create":         {dbtest.KeyOf(seller, "tickets:create"), "", "", missing},
		"a key that can list":           {dbtest.KeyOf(seller, "tickets:list"), "", missing, ""},
		"a key with full access":        {dbtest.KeyOf(seller), seller, "", ""},
		"a key for another seller":      {dbtest.KeyOf(seller), other, invalid, ""},
		"a viewer":                      {field(domain.Viewer), "", forbidden, ""},
		"a manager":                     {field(domain.Manager), "", "", ""},
		"a manager for another seller":  {field(domain.Manager), other, invalid, ""},
		"the platform":                  {system, seller, "", unnamed},
		"the platform without a seller": {system, "", unnamed, unnamed},
		"the platform, unknown seller":  {system, "333", invalid, unnamed},
		"an organization's key":         {organization, seller, "", unnamed},
		"a device":                      {domain.Actor{Kind: domain.DeviceActor, SellerID: seller}, "", forbidden, forbidden},
	} {
		ctx := domain.WithActor(t.Context(), &row.actor)
		_, err := w.tickets.Import(ctx, ticket.Import{SellerID: row.seller, Tickets: []ecmajson.Value{domaintest.JSON(small("a"))}})
		domaintest.HasCode(t, name+" imports", err, row.imports)
		_, err = w.tickets.List(ctx, ticket.Filter{}, domain.Page{Limit: 1})
		domaintest.HasCode(t, name+" lists", err, row.list)
		_, err = w.tickets.Get(ctx, "a")
		domaintest.HasCode(t, name+" reads", err, row.list)
	}
}

func TestAnotherSellersTicketIsNotFound(t *testing.T) {
	w := newFixture(t)
	w.imported(other, ticket.Imported{Created: 1}, smallOf(other, "theirs"))
	for _, id := range []string{"theirs", "nothing", ""} {
		if _, err := w.tickets.Get(w.As(seller), id); domaintest.Code(err) != domain.CodeNotFound || err.Error() != "Ticket not found" {
			t.Errorf("%q: got %v", id, err)
		}
	}
	if got := w.ids(ticket.Filter{Barcode: "B-theirs"}); len(got) > 0 {
		t.Errorf("got %q", got)
	}
	if _, err := w.Store.TicketReader().TicketByBarcode(t.Context(), seller, "B-theirs"); domaintest.Code(err) != domain.CodeNotFound {
		t.Errorf("by barcode: got %v", err)
	}
}

// ids returns the ids of the tickets that match a filter.
func (w *fixture) ids(filter ticket.Filter) []string {
	w.T.Helper()
	return idsOf(domaintest.Whole(w.tickets.List(w.As(seller), filter, domain.Page{Limit: 100}))(w.T))
}

func idsOf(records []ticket.Record) []string {
	ids := make([]string, len(records))
	for i, record := range records {
		ids[i] = record.ID
	}
	return ids
}

func TestFiltersOfTickets(t *testing.T) {
	w := newFixture(t)
	at := func(day int) string {
		return fmt.Sprintf(`"createdAt":"2026-01-%02dT00:00:00Z","updatedAt":"2026-02-%02dT00:00:00Z"`, day, day)
	}
	w.imported(seller, ticket.Imported{Created: 3},
		small("z", at(1), `"email":"ÉLISE@Example.com"`, `"customerId":"c1"`, `"transactionId":"tx"`, `"type":"MULTI"`,
			`"name":"Straße 100%"`),
		small("y", at(2), `"status":"INVALID"`, `"eventId":"e2"`, `"rootEventId":"r"`, `"origin":"pos"`, `"firstname":"Ada"`,
			`"lastname":"Lovelace"`),
		small("a", at(3), `"ticketTypeId":"tt2"`, `"currency":"CHF"`, `"company":"A_B"`, `"seat":"R\\12"`),
	)
	when := func(text string) *moment.DateTime {
		parsed, err := moment.Parse(text)
		w.Must(err)
		return &parsed
	}
	for name, row := range map[string]struct {
		filter ticket.Filter
		want   []string
	}{
		"none, in the order of creation": {ticket.Filter{}, []string{"z", "y", "a"}},
		"status":                         {ticket.Filter{Status: ticket.Invalid}, []string{"y"}},
		"event":                          {ticket.Filter{EventID: "e2"}, []string{"y"}},
		"root event":                     {ticket.Filter{RootEventID: "r"}, []string{"y"}},
		"ticket type":                    {ticket.Filter{TicketTypeID: "tt2"}, []string{"a"}},
		"customer":                       {ticket.Filter{CustomerID: "c1"}, []string{"z"}},
		"customer is exact":              {ticket.Filter{CustomerID: "C1"}, nil},
		"email in another case":          {ticket.Filter{Email: "élise@EXAMPLE.com"}, []string{"z"}},
		"part of the email":              {ticket.Filter{Email: "example.com"}, nil},
		"barcode":                        {ticket.Filter{Barcode: "B-a"}, []string{"a"}},
		"barcode in another case":        {ticket.Filter{Barcode: "b-a"}, nil},
		"transaction":                    {ticket.Filter{TransactionID: "tx"}, []string{"z"}},
		"type":                           {ticket.Filter{Type: ticket.Multi}, []string{"z"}},
		"origin":                         {ticket.Filter{Origin: "pos"}, []string{"y"}},
		"currency":                       {ticket.Filter{Currency: "CHF"}, []string{"a"}},
		"text of a whole name":           {ticket.Filter{Text: "ADA LOVE"}, []string{"y"}},
		"text folded":                    {ticket.Filter{Text: "STRASSE"}, []string{"z"}},
		"text with a percent sign":       {ticket.Filter{Text: "0%"}, []string{"z"}},
		"text with an underscore":        {ticket.Filter{Text: "a_b"}, []string{"a"}},
		"text with a backslash":          {ticket.Filter{Text: `r\1`}, []string{"a"}},
		"text does not span two fields":  {ticket.Filter{Text: "B-a a_b"}, nil},
		"created from, first included":   {ticket.Filter{CreatedFrom: when("2026-01-02T00:00:00Z")}, []string{"y", "a"}},
		"created until, last excluded":   {ticket.Filter{CreatedUntil: when("2026-01-02T00:00:00Z")}, []string{"z"}},
		"updated within": {
			ticket.Filter{UpdatedFrom: when("2026-02-02T00:00:00Z"), UpdatedUntil: when("2026-02-02T00:00:00.001Z")}, []string{"y"},
		},
		"one of several statuses":        {ticket.Filter{StatusIn: []ticket.Status{ticket.Invalid, ticket.Valid}}, []string{"z", "y", "a"}},
		"one status of several":          {ticket.Filter{StatusIn: []ticket.Status{ticket.Invalid}}, []string{"y"}},
		"an empty list":                  {ticket.Filter{StatusIn: []ticket.Status{}}, []string{"z", "y", "a"}},
		"one of several origins":         {ticket.Filter{OriginIn: []ticket.Origin{"pos", "rebooking"}}, []string{"y"}},
		"one of several currencies":      {ticket.Filter{CurrencyIn: []money.Currency{"CHF", "USD"}}, []string{"a"}},
		"a status and several":           {ticket.Filter{Status: ticket.Invalid, StatusIn: []ticket.Status{ticket.Valid}}, nil},
		"several filters must all match": {ticket.Filter{Status: ticket.Valid, EventID: "e2"}, nil},
	} {
		if got := w.ids(row.filter); !slices.Equal(got, row.want) {
			t.Errorf("%s: got %q, want %q", name, got, row.want)
		}
	}
}

func TestTicketPagesContinueAfterCursor(t *testing.T) {
	w := newFixture(t)
	const sameTime = `"createdAt":"2026-01-01T00:00:00Z"`
	w.imported(seller, ticket.Imported{Created: 4}, small("c", sameTime), small("a", sameTime), small("b", sameTime),
		small("0", `"createdAt":"2026-01-02T00:00:00Z"`))
	got := make([]string, 0, 5)
	page := domain.Page{Limit: 1}
	for range 5 {
		list, err := w.tickets.List(w.As(seller), ticket.Filter{}, page)
		w.Must(err)
		for _, record := range list.Items {
			got = append(got, record.ID)
			cursor, err := domain.ParseCursor("tickets", record.Cursor().Of("tickets"))
			w.Must(err)
			page.After = &cursor
		}
		if list.HasMore != (len(got) < 4) {
			t.Errorf("after %q: HasMore is %v", got, list.HasMore)
		}
	}
	if want := []string{"a", "b", "c", "0"}; !slices.Equal(got, want) {
		t.Errorf("got %q, want %q", got, want)
	}
}

func TestTicketsOfAHolder(t *testing.T) {
	w := newFixture(t)
	w.imported(seller, ticket.Imported{Created: 5},
		small("1", `"customerId":"c"`, `"email":"Ada@example.com"`),
		small("2", `"customerId":"c"`, `"eventId":"e2"`),
		small("3", `"email":"ADA@EXAMPLE.COM"`, `"eventId":"child"`, `"rootEventId":"root"`),
		small("4", `"customerId":"d"`), small("5", `"email":""`))
	ofE1, both := []string{"e1"}, []string{"e1", "child"}
	for name, row := range map[string]struct {
		holder ticket.Holder
		want   []string
	}{
		"by customer, for the event":        {ticket.Holder{CustomerID: "c", EventIDs: []string{"e1"}}, []string{"1"}},
		"by customer, for several events":   {ticket.Holder{CustomerID: "c", EventIDs: []string{"e1", "e2"}}, []string{"1", "2"}},
		"by email, case-insensitive":        {ticket.Holder{Email: "aDa@example.com", EventIDs: both}, []string{"1", "3"}},
		"by its root event":                 {ticket.Holder{Email: "ada@example.com", EventIDs: []string{"root"}}, []string{"3"}},
		"a customer takes precedence":       {ticket.Holder{CustomerID: "d", Email: "ada@example.com", EventIDs: ofE1}, []string{"4"}},
		"no person, no tickets":             {ticket.Holder{EventIDs: []string{"e1"}}, nil},
		"no tickets of another event":       {ticket.Holder{CustomerID: "c", EventIDs: []string{"e3"}}, nil},
		"no event, no tickets":              {ticket.Holder{CustomerID: "c"}, nil},
		"an unknown customer has no ticket": {ticket.Holder{CustomerID: "C", EventIDs: []string{"e1"}}, nil},
	} {
		found, err := w.Store.TicketReader().TicketsOfHolder(t.Context(), seller, row.holder)
		w.Must(err)
		got := idsOf(found)
		if !slices.Equal(got, row.want) {
			t.Errorf("%s: got %q, want %q", name, got, row.want)
		}
	}
}
