package ticket_test

import (
	"encoding/json"
	"fmt"
	"net/http"
	"strings"
	"testing"
	"time"

	"ticketgate/domain/domaintest"
	"ticketgate/domain/ecmajson"
	"ticketgate/domain/ticket"
	"ticketgate/graph"
	"ticketgate/graph/graphtest"
)

// post sends a GraphQL request as the platform, for the seller.
func (w *fixture) post(query string, variables string) (int, string) {
	w.T.Helper()
	resolver := &graph.Resolver{Tickets: w.tickets}
	return graphtest.API{T: w.T, Credentials: w.Store.Credentials(), Resolver: resolver}.Post(seller, query, variables)
}

const importQuery = `mutation($tickets: [JSON!]!) { importTickets(input: {tickets: $tickets}) { created updated unchanged } }`

// Every imported field can be read as a typed field with the same value.
func TestGraphQLShowsEveryTicketField(t *testing.T) {
	w := newFixture(t)
	full := domaintest.Document(ticket.Definition)
	full = ticket.Definition.With(full, "sellerId", ecmajson.NewString(string(seller)))
	code, answer := w.post(importQuery, `{"tickets":[`+string(full.Append(nil))+`]}`)
	if want := `{"importTickets":{"created":1,"updated":0,"unchanged":0}}`; code != http.StatusOK || !strings.Contains(answer, want) {
		t.Fatalf("got %d %s", code, answer)
	}

	code, answer = w.post(`query { tickets(filter: {status: VALID, currency: EUR, type: SINGLE, origin: yourticket, text: "ünïcode"}) {
		totalCount nodes { _id sellerId eventId ticketTypeId ticketName createdAt updatedAt status secret barcode company email name
		firstname lastname street line2 city postal state country rootEventId transactionId posId underShopId categoryRef categoryName
		slotId slotStartTime cartItemId customMessage priceCategoryId customerId originTicketId fulfillmentTypeId batch seat
		triggeredBy currency regularPrice realPrice batchCounter completed readyForDelivery personalized expiresAt
		seatingInfo { _type statusId _id categoryId seatType sectionName groupName rowName seatName gate } type origin extraFields
		deliveryType entryPermissions history personalizations excludedEventIds packageInfo { packageId packageConfigId name }
		__v: _v _locks { by at eventId type } addOns { productId productVariantId name }
		capabilities { type settings { phases { condition { unit offset target } refundPercentage } returnRelatedItems } } } } }`, `{}`)
	var parsed struct {
		Data struct {
			Tickets struct {
				TotalCount int               `json:"totalCount"`
				Nodes      []json.RawMessage `json:"nodes"`
			} `json:"tickets"`
		} `json:"data"`
	}
	w.Must(json.Unmarshal([]byte(answer), &parsed))
	if code != http.StatusOK || parsed.Data.Tickets.TotalCount != 1 || len(parsed.Data.Tickets.Nodes) != 1 {
		t.Fatalf("got %d %s", code, answer)
	}
	if got := domaintest.JSON(string(parsed.Data.Tickets.Nodes[0])); !got.Equal(full) {
		t.Errorf("got  %s\nwant %s", got.Append(nil), full.Append(nil))
	}
}

func TestGraphQLReportsEveryFaultOfAnImportWithItsPath(t *testing.T) {
	w := newFixture(t)
	code, answer := w.post(importQuery, `{"tickets":[`+small("a")+`,`+small("b", `"status":"USED"`, `"realPrice":"10"`)+`]}`)
	if code != http.StatusOK {
		t.Errorf("status %d", code)
	}
	for _, want := range []string{
		`"code":"VALIDATION_FAILED"`, `"path":"tickets[1].realPrice","message":"must be a number, not a string"`,
		`"path":"tickets[1].status","message":"must be one of VALID, INVALID, RESERVED, DETAILSREQUIRED, BLANK"`,
	} {
		if !strings.Contains(answer, want) {
			t.Errorf("%s is not in %s", want, answer)
		}
	}
}

func TestGraphQLImportsBodiesOfMegabytes(t *testing.T) {
	w := newFixture(t)
	const many = 4000
	list := make([]string, many)
	for i := range list {
		list[i] = small(fmt.Sprint("t", i), `"customMessage":"`+strings.Repeat("x", 400)+`"`)
	}
	variables := `{"tickets":[` + strings.Join(list, ",") + `]}`
	start := time.Now()
	code, answer := w.post(importQuery, variables)
	t.Logf("%d tickets of %d bytes in all: %v", many, len(variables), time.Since(start))
	if want := fmt.Sprintf(`"created":%d,`, many); code != http.StatusOK || !strings.Contains(answer, want) {
		t.Errorf("got %d %.300s", code, answer)
	}
}

// BODY-23.
func TestAnIntegerBeyond32BitsIsReturned(t *testing.T) {
	w := newFixture(t)
	large := small("a", `"__v":9007199254740991`)
	if code, answer := w.post(importQuery, `{"tickets":[`+large+`]}`); code != http.StatusOK || !strings.Contains(answer, `"created":1`) {
		t.Fatalf("got %d %s", code, answer)
	}
	code, answer := w.post(`query($n: Int) { tickets(first: $n) { nodes { _v } } shown: __type(name: "Ticket") { fields { name type { name } } } }`, `{"n":1}`)
	for _, want := range []string{`{"_v":9007199254740991}`, `{"name":"_v","type":{"name":"Integer"}}`} {
		if code != http.StatusOK || !strings.Contains(answer, want) {
			t.Errorf("%d: %s is not in %s", code, want, answer)
		}
	}
}
