package edges

import (
	"encoding/json"
	"fmt"
	"maps"
	"slices"
	"strings"
	"testing"

	"ticketgate/cmd/systemtest"
	"ticketgate/cmd/systemtest/apitest"
	"ticketgate/cmd/ticketgate/demo"
	"ticketgate/domain"
	"ticketgate/domain/sale"
)

// referral is how a field that leads from one record to others is tried.
type referral struct {
	// query asks for a record by $id and for what it refers to; found tells the data of who may see both: %[1]s is the record,
	// %[2]s the transaction, %[3]s the invoice, %[4]s the event and %[5]s the ticket type.
	query, found string
	id           func(bought) string
	// needs are the permissions for the record and for what it refers to, which may be the same.
	needs [2]domain.Permission
	// developers says that of sessions only those of developers may see the record, and no key of the organization.
	developers bool
}

// bought is a sale with all its records, and a webhook with a delivery.
type bought struct {
	checkout, transaction, ticket, barcode, invoice, event, ticketType string
	// The event stands below above and series.
	above, series, zone, customer, list, entry, scan, origin string
	webhook, delivery                                        string
}

// named replaces the names of the records in angle brackets by their ids.
func (b bought) named() *strings.Replacer {
	return strings.NewReplacer("<checkout>", b.checkout, "<transaction>", b.transaction, "<ticket>", b.ticket, "<invoice>", b.invoice,
		"<event>", b.event, "<barcode>", b.barcode, "<ticketType>", b.ticketType, "<above>", b.above, "<series>", b.series, "<zone>", b.zone,
		"<customer>", b.customer, "<list>", b.list, "<entry>", b.entry, "<scan>", b.scan, "<origin>", b.origin,
		"<webhook>", b.webhook, "<delivery>", b.delivery)
}

// referring is every edge, as it is tried.
var referring = func() map[string]referral {
	all := maps.Clone(saleReferrals)
	maps.Copy(all, catalogReferrals)
	maps.Copy(all, developerReferrals)
	return all
}()

// saleReferrals are the edges of what was sold.
var saleReferrals = map[string]referral{
	"Checkout.transaction": {
		query: `query($id: ID!) { checkout(id: $id) { _id transaction { _id } } }`,
		found: `{"checkout":{"_id":"%[1]s","transaction":{"_id":"%[2]s"}}}`,
		id:    func(b bought) string { return b.checkout }, needs: [2]domain.Permission{"checkouts:list", "transactions:list"},
	},
	"Event.ticketTypes": {
		query: `query($id: ID!) { event(id: $id) { _id ticketTypes(first: 1) { nodes { _id } } } }`,
		found: `{"event":{"_id":"%[1]s","ticketTypes":{"nodes":[{"_id":"%[5]s"}]}}}`,
		id:    func(b bought) string { return b.event }, needs: [2]domain.Permission{"events:list", "events:list"},
	},
	"Invoice.transaction": {
		query: `query($id: ID!) { invoice(id: $id) { _id transaction { _id } } }`,
		found: `{"invoice":{"_id":"%[1]s","transaction":{"_id":"%[2]s"}}}`,
		id:    func(b bought) string { return b.invoice }, needs: [2]domain.Permission{"invoices:list", "transactions:list"},
	},
	"Ticket.event": {
		query: `query($id: ID!) { ticket(id: $id) { _id event { _id } } }`,
		found: `{"ticket":{"_id":"%[1]s","event":{"_id":"%[4]s"}}}`,
		id:    func(b bought) string { return b.ticket }, needs: [2]domain.Permission{"tickets:list", "events:list"},
	},
	"Ticket.ticketType": {
		query: `query($id: ID!) { ticket(id: $id) { _id ticketType { _id } } }`,
		found: `{"ticket":{"_id":"%[1]s","ticketType":{"_id":"%[5]s"}}}`,
		id:    func(b bought) string { return b.ticket }, needs: [2]domain.Permission{"tickets:list", "events:list"},
	},
	"TicketType.event": {
		query: `query($id: ID!) { ticketType(id: $id) { _id event { _id } } }`,
		found: `{"ticketType":{"_id":"%[1]s","event":{"_id":"%[4]s"}}}`,
		id:    func(b bought) string { return b.ticketType }, needs: [2]domain.Permission{"events:list", "events:list"},
	},
	"Ticket.transaction": {
		query: `query($id: ID!) { ticket(id: $id) { _id transaction { _id } } }`,
		found: `{"ticket":{"_id":"%[1]s","transaction":{"_id":"%[2]s"}}}`,
		id:    func(b bought) string { return b.ticket }, needs: [2]domain.Permission{"tickets:list", "transactions:list"},
	},
	"Transaction.invoices": {
		query: `query($id: ID!) { transaction(id: $id) { _id invoices { nodes { _id } } } }`,
		found: `{"transaction":{"_id":"%[2]s","invoices":{"nodes":[{"_id":"%[3]s"}]}}}`,
		id:    func(b bought) string { return b.transaction }, needs: [2]domain.Permission{"transactions:list", "invoices:list"},
	},
}

// What a record refers to is refused by itself: the record stays, and nothing of the other one is told (behaviour E9).
func TestWhatARecordRefersToNeedsItsOwnPermission(t *testing.T) {
	t.Parallel()
	h := apitest.Open(t)
	tried := slices.Sorted(maps.Keys(edgesTried))
	for name := range referring {
		tried = append(tried, name)
	}
	tried = slices.AppendSeq(tried, maps.Keys(peopleEdges))      // TestWhatAdministratorsAreLedTo, tenant.TestEdgesShowWhatListsShow
	tried = slices.AppendSeq(tried, maps.Keys(unknownCodeEdges)) // TestWhereACodeWasUnknown
	tried = append(tried, "Delivery.object")                     // TestTheRecordOfADelivery
	slices.Sort(tried)
	if got, want := tried, edgesOf(h.Schema); !slices.Equal(got, want) {
		t.Errorf("tried are %q, want %q", got, want)
	}
	seller := h.Demo.Sellers[0]
	sold := sells(t, h, seller)
	sold.webhook, sold.delivery = develops(t, h, seller)
	for name, row := range referring {
		t.Run(name, func(t *testing.T) {
			id := object{"id": row.id(sold)}
			whole := fmt.Sprintf(row.found, row.id(sold), sold.transaction, sold.invoice, sold.event, sold.ticketType)
			row.query, whole = sold.named().Replace(row.query), sold.named().Replace(whole)
			if row.needs[0] != row.needs[1] {
				refusesAnEdge(t, h, seller, name, row, row.id(sold))
			}
			may, mayNot := followers(t, h, seller, row)
			for who, as := range mayNot {
				if o := h.Execute(t, as, row.query, id); o.Refusal.Code == "" || strings.Contains(string(o.Body), `"data":`+whole) {
					t.Errorf("%s: %v", who, o)
				}
			}
			for who, as := range may {
				if o := h.Execute(t, as, row.query, id); !strings.Contains(string(o.Body), `"data":`+whole) {
					t.Errorf("%s: %v, want %s", who, o, whole)
				}
			}
			if o := h.Execute(t, apitest.Bearer(h.Demo.Sellers[1].APIKey), row.query, id); o.Refusal.Code != string(domain.CodeNotFound) || o.Result != nil {
				t.Errorf("another seller's key: %v", o)
			}
		})
	}
	t.Run("a device gets tickets and nothing behind them", func(t *testing.T) {
		for name, edge := range edges {
			field, ofTicket := strings.CutPrefix(name, "Ticket.")
			if !ofTicket {
				continue
			}
			o := h.Execute(t, apitest.DeviceOf(seller), `query($event: ID!) { accessUserTickets(filter: {eventId: $event}) { nodes { _id `+edge.follow+` } } }`,
				object{"event": seller.EventID})
			if o.Refusal.Code != string(domain.CodeForbidden) || !strings.Contains(string(o.Body), `"_id":"`+sold.ticket+`","`+field+`":null`) {
				t.Errorf("%s: %v", name, o)
			}
		}
	})
	t.Run("a buyer is not led to the transaction", func(t *testing.T) {
		made, err := h.Do.Checkouts.Create(h.ActingOn(t, seller), sale.NewCheckout{
			EventID: seller.EventID, Items: []sale.WantedItem{{TicketTypeID: seller.TicketTypeID, Amount: 1}},
		})
		systemtest.Must(t, err)
		o := h.Execute(t, nil, `mutation($id: ID!, $secret: String) { abortCheckout(id: $id, secret: $secret) { status transaction { _id } } }`,
			object{"id": made.ID, "secret": made.Secret})
		if o.Refusal.Code != "" || textOf(t, o.Result) != `{"abortCheckout":{"status":"ABORTED"}}` {
			t.Errorf("%v", o)
		}
	})
}

// followers are callers who may follow an edge, and some who may not.
func followers(t *testing.T, h *apitest.Server, seller demo.Seller, row referral) (may, mayNot map[string]apitest.Caller) {
	t.Helper()
	may = map[string]apitest.Caller{
		"a key with both":            h.KeyWith(t, seller, row.needs[:]...),
		"an administrator":           h.Session(t, seller.AdminEmail, seller.AdminPassword),
		"the platform on the seller": apitest.Bearer(systemtest.SystemToken).On(seller.SellerID),
	}
	mayNot = map[string]apitest.Caller{"a device": apitest.DeviceOf(seller), "a stranger": nil}
	viewers, organizations := may, may
	if row.developers {
		viewers, organizations = mayNot, mayNot
	}
	if slices.Contains(row.needs[:], "accessLists:list") {
		organizations = mayNot
	}
	viewers["a viewer"] = h.Session(t, seller.ViewerEmail, seller.ViewerPassword)
	organizations["the organization's key"] = apitest.Bearer(h.Demo.Organizations[0].Key).On(seller.SellerID)
	return may, mayNot
}

// refusesAnEdge follows an edge with the permission for its record alone: the record stays.
func refusesAnEdge(t *testing.T, h *apitest.Server, seller demo.Seller, name string, row referral, id string) {
	t.Helper()
	refused := h.Execute(t, h.KeyWith(t, seller, row.needs[0]), row.query, object{"id": id})
	said := fmt.Sprintf("Missing permission %q", row.needs[1])
	record, field, _ := strings.Cut(name, ".")
	root := strings.ToLower(record[:1]) + record[1:]
	if refused.Refusal.Code != string(domain.CodeMissingPermission) || refused.Refusal.Message != said ||
		!strings.Contains(string(refused.Body), fmt.Sprintf(`"path":[%q,%q]`, root, field)) {
		t.Errorf("without the second permission: %v", refused)
	}
	if want := fmt.Sprintf(`{%q:{"_id":%q}}`, root, id); textOf(t, refused.Result) != want {
		t.Errorf("the record beside the refusal: %v, want %s", refused, want)
	}
}

// A ticket that an answer shows is refused by itself as well: a key that lists or makes scans reads no tickets by it. REST
// leaves it out.
func TestTheTicketOfAnAnswerNeedsItsOwnPermission(t *testing.T) {
	t.Parallel()
	h := apitest.Open(t)
	seller := h.Demo.Sellers[0]
	ticket := h.Ticket(t, seller, "Somebody's")
	for field, row := range map[string]struct {
		query string
		needs domain.Permission
	}{
		"simulateScan": {
			`query($id: ID, $at: ID) { simulateScan(input: {ticketId: $id, deviceId: $at}) { access ticket { _id secret barcode } } }`, "scans:list",
		},
		"scanTicket": {
			`mutation($id: String!, $at: ID) { scanTicket(input: {barcode: $id, deviceId: $at}) { access ticket { _id secret barcode } } }`, "scans:create",
		},
	} {
		args := object{"id": ticket, "at": seller.DeviceID}
		o := h.Execute(t, h.KeyWith(t, seller, row.needs), row.query, args)
		if o.Refusal.Code != string(domain.CodeMissingPermission) || o.Refusal.Message != `Missing permission "tickets:list"` ||
			!strings.Contains(string(o.Body), fmt.Sprintf(`"path":[%q,"ticket"]`, field)) ||
			!strings.HasPrefix(textOf(t, o.Result), fmt.Sprintf(`{%q:{"access":`, field)) || strings.Contains(string(o.Body), "barcode") {
			t.Errorf("%s without tickets:list: %v", field, o)
		}
		if o := h.Execute(t, h.KeyWith(t, seller, row.needs, "tickets:list"), row.query, args); !strings.Contains(string(o.Body), `"ticket":{"_id":"`+ticket+`"`) {
			t.Errorf("%s with it: %v", field, o)
		}
	}
	scanning := apitest.Call{domain.ScanTicket, object{"input": object{"barcode": ticket, "deviceId": seller.DeviceID}}}
	o := h.ThroughREST(t, h.KeyWith(t, seller, "scans:create"), apitest.RoutesOf(domain.ScanTicket)[0], scanning)
	if answer, ok := o.Result.(object); !ok || answer["access"] == nil || answer["ticket"] != nil {
		t.Errorf("REST without tickets:list: %v", o)
	}
	o = h.ThroughREST(t, apitest.DeviceOf(seller), apitest.RoutesOf(domain.ScanTicket)[0], scanning)
	if answer, ok := o.Result.(object); !ok || answer["ticket"] == nil {
		t.Errorf("a device: %v", o)
	}
}

// sells completes a checkout and finds what it made.
func sells(t *testing.T, h *apitest.Server, seller demo.Seller) bought {
	t.Helper()
	b := bought{event: seller.EventID, ticketType: seller.TicketTypeID, customer: h.Customer(t, seller, "buying"), list: seller.AccessListID}
	made, err := h.Do.Checkouts.Create(h.ActingOn(t, seller), sale.NewCheckout{
		EventID: seller.EventID, CustomerID: &b.customer, Items: []sale.WantedItem{{TicketTypeID: seller.TicketTypeID, Amount: 1}},
	})
	systemtest.Must(t, err)
	_, err = h.Do.Checkouts.Submit(h.ActingOn(t, seller), made.ID, "", sale.Details{Buyer: sale.Buyer{Name: new("The buyer")}})
	systemtest.Must(t, err)
	b.checkout = made.ID
	done, err := h.Do.Checkouts.Complete(h.ActingOn(t, seller), b.checkout)
	systemtest.Must(t, err)
	b.transaction = *done.TransactionID
	systemtest.Must(t, h.SQL.QueryRowContext(t.Context(), "SELECT id, barcode FROM tickets WHERE transaction_id = $1", b.transaction).Scan(&b.ticket, &b.barcode))
	systemtest.Must(t, h.SQL.QueryRowContext(t.Context(), "SELECT id FROM invoices WHERE transaction_id = $1", b.transaction).Scan(&b.invoice))
	surrounds(t, h, seller, &b)
	return b
}

func textOf(t *testing.T, value any) string {
	t.Helper()
	text, err := json.Marshal(value)
	systemtest.Must(t, err)
	return string(text)
}
