package catalog_test

import (
	"encoding/json"
	"strings"
	"testing"

	"ticketgate/domain/ids"
	"ticketgate/graph"
	"ticketgate/graph/graphtest"
)

// ask sends a GraphQL document as the platform and returns the response. If of is empty, no header names a seller.
func (w *fixture) ask(of ids.Seller, document string) string {
	w.T.Helper()
	resolver := &graph.Resolver{CatalogEvents: w.events, TicketTypes: w.types, ScanZones: w.zones, Customers: w.customers}
	return graphtest.API{T: w.T, Credentials: w.Store.Credentials(), Resolver: resolver}.Ask(of, document)
}

func (w *fixture) answers(what, got, want string) {
	w.T.Helper()
	if !strings.Contains(got, want) {
		w.T.Errorf("%s: got %s, want %s", what, got, want)
	}
}

func TestGraphQLShowsTheCatalog(t *testing.T) {
	w := newFixture(t)
	for _, c := range [...]struct{ what, document, want string }{
		{
			"a series has defaults",
			`mutation { createEvent(input: {_id: "series", name: "Series", type: ROOT, start: "2026-12-01T20:00:00+01:00"}) {
				_id name type rootEventId parentEventId start end timeZone skipAddressInfo codeDisplay barcodeRevealDate meta } }`,
			`{"createEvent":{"_id":"series","name":"Series","type":"ROOT","rootEventId":null,"parentEventId":null,` +
				`"start":"2026-12-01T19:00:00.000Z","end":null,"timeZone":"UTC","skipAddressInfo":false,"codeDisplay":"QR",` +
				`"barcodeRevealDate":null,"meta":null}}`,
		},
		{
			"a date is returned as it was created",
			`mutation { createEvent(input: {_id: "date", name: "Date", type: RECURRENCE, rootEventId: "series",
				start: "2026-12-01T20:00:00Z", end: "2026-12-01T23:00:00Z", timeZone: "Europe/Berlin", skipAddressInfo: true,
				codeDisplay: NONE, barcodeRevealDate: "2026-11-30T00:00:00Z", meta: {b: 1.50, a: [true]}}) {
				rootEventId end timeZone skipAddressInfo codeDisplay barcodeRevealDate meta } }`,
			`{"rootEventId":"series","end":"2026-12-01T23:00:00.000Z","timeZone":"Europe/Berlin","skipAddressInfo":true,` +
				`"codeDisplay":"NONE","barcodeRevealDate":"2026-11-30T00:00:00.000Z","meta":{"a":[true],"b":1.5}}`,
		},
		{
			"omitted fields are kept and null restores the default",
			`mutation { updateEvent(id: "date", input: {end: null, meta: null, timeZone: null}) {
				name rootEventId start end timeZone skipAddressInfo codeDisplay meta } }`,
			`{"name":"Date","rootEventId":"series","start":"2026-12-01T20:00:00.000Z","end":null,"timeZone":"UTC",` +
				`"skipAddressInfo":true,"codeDisplay":"NONE","meta":null}`,
		},
		{
			"events are filtered",
			`{ events(first: 1, filter: {type: RECURRENCE, startFrom: "2026-12-01T00:00:00Z"}) {
				totalCount nodes { _id } pageInfo { hasNextPage } } }`,
			`{"events":{"totalCount":1,"nodes":[{"_id":"date"}],"pageInfo":{"hasNextPage":false}}}`,
		},
		{
			"errors have paths",
			`mutation { createEvent(input: {name: "", start: "2026-12-01T20:00:00Z", timeZone: "x"}) { _id } }`,
			`"details":[{"path":"name","message":"must not be empty"},{"path":"timeZone"`,
		},
		{
			"a ticket type has an exact price",
			`mutation { createTicketType(input: {
				_id: "seat", eventId: "date", name: "Seat", price: 10.50, currency: CHF, taxRate: 7.7}) {
				_id eventId price currency taxRate active meta } }`,
			`{"_id":"seat","eventId":"date","price":10.5,"currency":"CHF","taxRate":7.7,"active":true,"meta":null}`,
		},
		{
			"a ticket type is changed",
			`mutation { updateTicketType(id: "seat", input: {taxRate: null, active: false, price: 12}) {
				name price currency taxRate active } }`,
			`{"name":"Seat","price":12,"currency":"CHF","taxRate":null,"active":false}`,
		},
		{
			"ticket types are filtered",
			`{ ticketTypes(filter: {eventId: "date", active: false}) { edges { node { name } } } ticketType(id: "seat") { price } }`,
			`{"ticketTypes":{"edges":[{"node":{"name":"Seat"}}]},"ticketType":{"price":12}}`,
		},
		{
			"a zone is created and removed from its event",
			`mutation { createScanZone(input: {_id: "hall", name: "Hall", eventId: "date"}) { _id eventId }
				updateScanZone(id: "hall", input: {eventId: null}) { name eventId } }`,
			`{"createScanZone":{"_id":"hall","eventId":"date"},"updateScanZone":{"name":"Hall","eventId":null}}`,
		},
		{
			"zones are filtered",
			`{ scanZones(filter: {name: "HAL"}) { totalCount } scanZone(id: "hall") { name } }`,
			`{"scanZones":{"totalCount":1},"scanZone":{"name":"Hall"}}`,
		},
		{
			"a customer is created and changed",
			`mutation { createCustomer(input: {_id: "c", email: "ada@example.com", lastname: "Lovelace"}) { _id email firstname }
				updateCustomer(id: "c", input: {firstname: "Ada", email: null}) { email firstname lastname } }`,
			`{"createCustomer":{"_id":"c","email":"ada@example.com","firstname":null},` +
				`"updateCustomer":{"email":null,"firstname":"Ada","lastname":"Lovelace"}}`,
		},
		{
			"customers are filtered",
			`{ customers(filter: {name: "ada love"}) { nodes { _id } } customer(id: "c") { firstname } }`,
			`{"customers":{"nodes":[{"_id":"c"}]},"customer":{"firstname":"Ada"}}`,
		},
		{"a series with dates is not deleted", `mutation { deleteEvent(id: "series") { _id } }`, `"code":"INVALID_STATE"`},
		{"a date is deleted", `mutation { deleteEvent(id: "date") { name } }`, `{"deleteEvent":{"name":"Date"}}`},
	} {
		w.answers(c.what, w.ask(seller, c.document), c.want)
	}
	w.answers("another seller's customer", w.ask(other, `{ customer(id: "c") { firstname } }`), `"code":"NOT_FOUND"`)
	w.answers("the input names the seller",
		w.ask("", `mutation { createScanZone(input: {sellerId: "`+string(other)+`", name: "Z"}) { sellerId } }`),
		`{"sellerId":"`+string(other)+`"}`)
}

// Rows written between two pages make no page repeat or skip others.
func TestGraphQLPagesOfTheCatalogContinue(t *testing.T) {
	w := newFixture(t)
	for _, id := range []string{"d", "c", "b"} {
		w.ask(seller, `mutation { createScanZone(input: {_id: "`+id+`", name: "Z"}) { _id } }`)
	}
	var first struct {
		Data struct {
			ScanZones struct {
				Nodes []struct {
					ID string `json:"_id"`
				}
				PageInfo struct {
					HasNextPage bool
					EndCursor   string
				}
			}
		}
	}
	answer := w.ask(seller, `{ scanZones(first: 2) { nodes { _id } pageInfo { hasNextPage endCursor } } }`)
	if err := json.Unmarshal([]byte(answer), &first); err != nil {
		t.Fatal(err)
	}
	if zones := first.Data.ScanZones; len(zones.Nodes) != 2 || zones.Nodes[1].ID != "c" || !zones.PageInfo.HasNextPage {
		t.Fatalf("first page %+v", zones)
	}
	w.ask(seller, `mutation { createScanZone(input: {_id: "a", name: "Z"}) { _id } }`)
	cursor := first.Data.ScanZones.PageInfo.EndCursor
	w.answers("second page",
		w.ask(seller, `{ scanZones(first: 2, after: "`+cursor+`") { nodes { _id } pageInfo { hasNextPage } } }`),
		`{"scanZones":{"nodes":[{"_id":"b"},{"_id":"a"}],"pageInfo":{"hasNextPage":false}}}`)
	w.answers("an invalid cursor", w.ask(seller, `{ scanZones(after: "x") { totalCount } }`), `"path":"after"`)
}
