package sales

import (
	"context"
	"database/sql"
	"encoding/json"
	"fmt"
	"net/http"
	"slices"
	"strings"
	"testing"
	"time"

	"ticketgate/cmd/systemtest"
	"ticketgate/cmd/ticketgate/demo"
	"ticketgate/domain"
	"ticketgate/domain/domaintest"
	"ticketgate/domain/webhook"
)

// tillKey signs the calls to a till's two listeners.
const tillKey = "clé & more"

// till is a server whose French seller requires the SIREN of companies and has two listeners: a webhook for every type of
// event, and its invoicing.
type till struct {
	t        *testing.T
	settings []string
	running  *systemtest.Process
	seller   demo.Seller
	sql      *sql.DB
	told     <-chan systemtest.Received
	invoiced <-chan systemtest.Received
	heard    int // calls of the webhook that were checked
}

func openTill(t *testing.T) *till {
	t.Helper()
	database, data := systemtest.Seeded(t)
	s := &till{t: t, settings: systemtest.OnDatabase(database), seller: data.Sellers[0]}
	s.running = systemtest.Serve(t, s.settings)
	var err error
	s.sql, err = sql.Open("pgx", database.ApplicationURL)
	systemtest.Must(t, err)
	t.Cleanup(func() { _ = s.sql.Close() })

	var hook, invoicing string
	hook, s.told = systemtest.NewReader(t, s.afterTheCommit)
	invoicing, s.invoiced = systemtest.NewListener(t, func(int) int { return http.StatusOK })
	all := map[domain.EventType]bool{}
	for _, kind := range domain.EventKinds() {
		all[kind.Type] = true
	}
	s.do(http.StatusCreated, http.MethodPost, "/api/webhooks", s.asKey(),
		object{"name": "All", "url": hook, "hmacKey": tillKey, "events": all})
	systemtest.GraphQL(t, s.running.URL, systemtest.SystemToken, `mutation($input: UpdateSellerInput!) { updateSeller(input: $input) { _id } }`, object{
		"input": object{"sellerId": s.seller.SellerID, "invoicing": object{"url": invoicing, "hmacKey": tillKey}},
	})
	return s
}

// afterTheCommit responds as the listener. It checks that the event is committed by then.
func (s *till) afterTheCommit(_ int, sent systemtest.Received) int {
	var event publishedEvent
	systemtest.Must(s.t, json.Unmarshal([]byte(sent.Body), &event))
	if stored := s.count("SELECT count(*) FROM deliveries WHERE id = $1", event.ID); stored != 1 {
		s.t.Errorf("%s %s arrived while %d deliveries of that id were committed", event.Type, event.ID, stored)
	}
	return http.StatusOK
}

func (s *till) count(query string, args ...any) (count int) {
	s.t.Helper()
	ctx := context.WithoutCancel(s.t.Context()) // the last call may arrive after the test
	if err := s.sql.QueryRowContext(ctx, query, args...).Scan(&count); err != nil {
		s.t.Errorf("%s: %v", query, err)
	}
	return count
}

func (s *till) asKey() string { return "Authorization: Bearer " + s.seller.APIKey }

// do makes one REST call, which must return a status.
func (s *till) do(want int, method, path, credential string, body any) string {
	s.t.Helper()
	text := ""
	if body != nil {
		text = systemtest.Printed(s.t, body)
	}
	status, answer := systemtest.Request(s.t, method, s.running.URL+path, text, credential)
	if status != want {
		s.t.Fatalf("%s %s: %d %s", method, path, status, answer)
	}
	return answer
}

// begin creates a checkout of four tickets as a shop's page does, without a credential.
func (s *till) begin() (path, asBuyer string) {
	s.t.Helper()
	created := s.do(http.StatusCreated, http.MethodPost, "/api/checkout", "Accept: application/json", object{
		"sellerId": s.seller.SellerID, "eventId": s.seller.EventID,
		"items": []object{{"ticketTypeId": s.seller.TicketTypeID, "amount": 4}},
	})
	return "/api/checkout/" + systemtest.Field(s.t, created, "_id"), "Checkout-Secret: " + systemtest.Field(s.t, created, "secret")
}

// publishedEvent is a received event, with its data as it was sent.
type publishedEvent struct {
	ID, SellerID, Type, Mode string
	Data                     map[string]json.RawMessage
}

// events returns the next calls of the webhook by type. They must be signed and have different ids.
func (s *till) events(count int) map[string][]publishedEvent {
	s.t.Helper()
	byType, ids := map[string][]publishedEvent{}, map[string]bool{}
	for range count {
		call := systemtest.Await(s.t, s.told, time.Minute)
		if got := call.Header.Get("X-Service-Signature"); got != webhook.Sign([]byte(tillKey), []byte(call.Body)) {
			s.t.Errorf("signature %q of %s", got, call.Body)
		}
		var event publishedEvent
		systemtest.Must(s.t, json.Unmarshal([]byte(call.Body), &event))
		if event.SellerID != string(s.seller.SellerID) || event.Mode != "dev" || ids[event.ID] {
			s.t.Errorf("received %s", call.Body)
		}
		ids[event.ID] = true
		byType[event.Type] = append(byType[event.Type], event)
	}
	s.heard += count
	return byType
}

// only returns the event of a type, which must be the only one and have only these fields in its data.
func (s *till) only(events map[string][]publishedEvent, kind string, members ...string) publishedEvent {
	s.t.Helper()
	if len(events[kind]) != 1 || len(events[kind][0].Data) != len(members) {
		s.t.Fatalf("%s: got %v", kind, events)
	}
	for _, name := range members {
		if events[kind][0].Data[name] == nil {
			s.t.Errorf("%s has no %s", kind, name)
		}
	}
	return events[kind][0]
}

// billed holds the checked fields of an invoice, which GraphQL and the hand-over must show alike.
type billed struct {
	ID             string `json:"_id"`
	Number         int
	TransactionID  string
	Total          json.Number
	Identification []struct{ Type, Identifier string }
	Buyer          struct{ Company, Lastname, Street, Postal, City, Country string }
}

// wantedSale is a buyer, and the expected data on transaction and invoice.
type wantedSale struct{ details, documents, buyer string }

// A sale reaches both listeners, from the shop's page on: every event once, after the commit, and the SIREN of a company on
// the transaction and on the invoice, wherever they are shown.
func TestSaleReachesListeners(t *testing.T) {
	t.Parallel()
	s := openTill(t)
	company := `{"company":"ACME <é>","street":"1 rue de la Paix","postal":"75002","city":"Paris","country":"FR",
		"identification":[{"type":"france_siren","identifier":"732829320 "}]}`
	s.sell(1, wantedSale{company, "[{france_siren 732829320}]", "{ACME <é>  1 rue de la Paix 75002 Paris FR}"})
	s.sell(2, wantedSale{`{"lastname":"Lovelace","country":"FR"}`, "[]", "{ Lovelace    FR}"})
}

// sell makes one sale, whose invoice gets the number.
func (s *till) sell(number int, want wantedSale) {
	s.t.Helper()
	path, asBuyer := s.begin()
	s.do(http.StatusOK, http.MethodGet, path+"/detailsform", asBuyer, nil)
	s.do(http.StatusOK, http.MethodPost, path+"/details", asBuyer, json.RawMessage(want.details))
	submitted := s.only(s.events(1), "checkout.detailsSubmitted", "checkout")
	if !strings.Contains(string(submitted.Data["checkout"]), `"status":"DETAILS"`) {
		s.t.Errorf("submitted %s", submitted.Data)
	}
	s.do(http.StatusUnauthorized, http.MethodPost, path+"/complete", asBuyer, nil)
	complete := s.do(http.StatusOK, http.MethodPost, path+"/complete", s.asKey(), nil)
	if again := s.do(http.StatusOK, http.MethodPost, path+"/complete", s.asKey(), nil); again != complete {
		s.t.Errorf("completed again: %s", again)
	}
	sent := s.completed(complete)
	shown, invoice := s.shown(sent.ID)
	if fmt.Sprint(sent.Identification) != want.documents || fmt.Sprint(shown.Identification) != want.documents {
		s.t.Errorf("the event has %v, GraphQL %v", sent.Identification, shown.Identification)
	}
	if invoice.Number != number || invoice.Total != "102" || fmt.Sprint(invoice.Identification) != want.documents ||
		fmt.Sprint(invoice.Buyer) != want.buyer {
		s.t.Errorf("got invoice %+v", invoice)
	}
	s.handedOver(invoice)
	// Nothing else is pending: all deliveries were received, each once.
	deliveries, handOvers := s.count("SELECT count(*) FROM deliveries"), s.count("SELECT count(*) FROM hand_overs")
	if deliveries != s.heard || handOvers != number || len(s.told)+len(s.invoiced) != 0 {
		s.t.Errorf("%d deliveries and %d hand-overs, received %d calls", deliveries, handOvers, s.heard)
	}
}

// handedOver waits for the signed invoice at the seller's invoicing.
func (s *till) handedOver(shown billed) {
	s.t.Helper()
	call := systemtest.Await(s.t, s.invoiced, time.Minute)
	if got := call.Header.Get("X-Service-Signature"); got != webhook.Sign([]byte(tillKey), []byte(call.Body)) {
		s.t.Errorf("signature %q of %s", got, call.Body)
	}
	var handed billed
	systemtest.Must(s.t, json.Unmarshal([]byte(call.Body), &handed))
	if fmt.Sprint(handed) != fmt.Sprint(shown) {
		s.t.Errorf("handed over %s, GraphQL shows %+v", call.Body, shown)
	}
}

// transactionPublished holds the checked fields of a transaction.
type transactionPublished struct {
	ID             string `json:"_id"`
	Status         string
	RealPrice      json.Number
	Identification []struct{ Type, Identifier string }
}

// completed checks the events of a checkout of four tickets, and returns the transaction of the event.
func (s *till) completed(checkout string) (transaction transactionPublished) {
	s.t.Helper()
	events := s.events(6)
	completed := s.only(events, "checkout.completed", "checkout")
	if !domaintest.JSON(string(completed.Data["checkout"])).Equal(domaintest.JSON(checkout)) {
		s.t.Errorf("received %s, response %s", completed.Data["checkout"], checkout)
	}
	sold := s.only(events, "transaction.complete", "transaction", "tickets")
	systemtest.Must(s.t, json.Unmarshal(sold.Data["transaction"], &transaction))
	if transaction.ID != systemtest.Field(s.t, checkout, "transactionId") || transaction.Status != "COMPLETE" || transaction.RealPrice != "102" {
		s.t.Errorf("received %s", sold.Data["transaction"])
	}
	var tickets []json.RawMessage
	systemtest.Must(s.t, json.Unmarshal(sold.Data["tickets"], &tickets))
	var together, oneByOne []string
	for _, ticket := range tickets {
		together = append(together, string(ticket))
		if got := systemtest.Field(s.t, string(ticket), "transactionId"); got != transaction.ID {
			s.t.Errorf("ticket of transaction %s", got)
		}
	}
	for _, created := range events["ticket.created"] {
		oneByOne = append(oneByOne, string(created.Data["ticket"]))
	}
	slices.Sort(together)
	slices.Sort(oneByOne)
	if len(slices.Compact(slices.Clone(together))) != 4 || !slices.Equal(together, oneByOne) {
		s.t.Errorf("the transaction has %v, created %v", together, oneByOne)
	}
	return transaction
}

// shown returns a transaction and its invoice from GraphQL.
func (s *till) shown(transaction string) (transactionPublished, billed) {
	s.t.Helper()
	text := systemtest.GraphQL(s.t, s.running.URL, s.seller.APIKey, `query($id: ID!) {
		transaction(id: $id) { _id identification { type identifier } }
		invoices(filter: {transactionId: $id}) { nodes { _id number transactionId total identification { type identifier }
			buyer { company lastname street postal city country } } } }`, object{"id": transaction})
	var read struct {
		Data struct {
			Transaction transactionPublished
			Invoices    struct{ Nodes []billed }
		}
	}
	systemtest.Must(s.t, json.Unmarshal([]byte(text), &read))
	if len(read.Data.Invoices.Nodes) != 1 {
		s.t.Fatalf("invoices: %s", text)
	}
	return read.Data.Transaction, read.Data.Invoices.Nodes[0]
}

// A process that starts aborts the checkouts that expired while none ran, and publishes events for them.
func TestCheckoutsThatExpiredWhileStoppedAreAborted(t *testing.T) {
	t.Parallel()
	s := openTill(t)
	expired, _ := s.begin()
	s.begin()
	s.running.Stop()
	_, err := s.sql.ExecContext(t.Context(), "UPDATE checkouts SET expires_at = now() - interval '1 s' WHERE '/api/checkout/' || id = $1", expired)
	systemtest.Must(t, err)
	// The process has run in this minute already. Without this, the next one would wait for the next minute.
	_, err = s.sql.ExecContext(t.Context(), "DELETE FROM periodic_runs")
	systemtest.Must(t, err)

	s.running = systemtest.Serve(t, s.settings)
	aborted := s.only(s.events(1), "checkout.aborted", "checkout")
	text := string(aborted.Data["checkout"])
	if "/api/checkout/"+systemtest.Field(t, text, "_id") != expired || systemtest.Field(t, text, "status") != "ABORTED" {
		t.Errorf("received %s", text)
	}
	if open := s.count("SELECT count(*) FROM checkouts WHERE status = 'NEW'"); open != 1 {
		t.Errorf("%d are open", open)
	}
}
