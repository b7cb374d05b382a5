package edges

import (
	"fmt"
	"strings"
	"testing"
	"time"

	"ticketgate/cmd/systemtest"
	"ticketgate/cmd/systemtest/apitest"
	"ticketgate/domain"
	"ticketgate/domain/access"
	"ticketgate/domain/catalog"
	"ticketgate/domain/moment"
	"ticketgate/domain/sale"
)

// A customer's records are those that name the customer and, of those that name none, those with the customer's email
// address.
func TestRecordsOfACustomer(t *testing.T) {
	t.Parallel()
	h := apitest.Open(t)
	seller := h.Demo.Sellers[0]
	ctx, key := h.ActingOn(t, seller), apitest.Bearer(seller.APIKey)
	ann, err := h.Do.Customers.Create(ctx, catalog.NewCustomer{Email: new("Ann@shop.example")})
	systemtest.Must(t, err)
	nobody := h.Customer(t, seller, "without an email")
	var bought, wanted []string
	for _, buyer := range []sale.NewCheckout{{CustomerID: &ann.ID}, {}, {CustomerID: &nobody}} {
		buyer.EventID, buyer.Items = seller.EventID, []sale.WantedItem{{TicketTypeID: seller.TicketTypeID, Amount: 1}}
		made, err := h.Do.Checkouts.Create(ctx, buyer)
		systemtest.Must(t, err)
		_, err = h.Do.Checkouts.Submit(ctx, made.ID, "", sale.Details{Buyer: sale.Buyer{Name: new("Ann"), Email: new("ann@SHOP.example")}})
		systemtest.Must(t, err)
		done, err := h.Do.Checkouts.Complete(ctx, made.ID)
		systemtest.Must(t, err)
		bought = append(bought, *done.TransactionID)
		intent, err := h.Do.PurchaseIntents.Create(ctx, sale.NewPurchaseIntent{
			EventID: seller.EventID, Items: buyer.Items,
			Buyer: sale.Buyer{CustomerID: buyer.CustomerID, Name: new("Ann"), Email: new("ann@SHOP.example")},
		})
		systemtest.Must(t, err)
		wanted = append(wanted, intent.ID)
	}
	const query = `{ customer(id: %q) { purchaseIntents(%[2]s) { totalCount nodes { _id } } transactions(%[2]s) { totalCount nodes { _id } } tickets(%[2]s) { totalCount nodes { transactionId } }
		checkouts(%[2]s) { totalCount nodes { transactionId } } invoices(%[2]s) { totalCount nodes { transactionId } } } }`
	page := func(field string, total int, transactions ...string) string {
		nodes := make([]string, len(transactions))
		for i, item := range transactions {
			nodes[i] = fmt.Sprintf(`{%q:%q}`, field, item)
		}
		return fmt.Sprintf(`{"totalCount":%d,"nodes":[%s]}`, total, strings.Join(nodes, ","))
	}
	for arguments, want := range map[string]struct {
		customer     string
		total        int
		transactions []string
		intents      []string
	}{
		"first: 5":                       {ann.ID, 2, bought[:2], wanted[:2]},
		"order: NEWEST_FIRST":            {ann.ID, 2, []string{bought[1], bought[0]}, []string{wanted[1], wanted[0]}},
		"first: 1":                       {ann.ID, 2, bought[:1], wanted[:1]},
		"first: 1, order: NEWEST_FIRST":  {ann.ID, 2, bought[1:2], wanted[1:2]},
		"first: 10, order: OLDEST_FIRST": {nobody, 1, bought[2:], wanted[2:]},
	} {
		others := page("transactionId", want.total, want.transactions...)
		h.Finds(t, key, fmt.Sprintf(query, want.customer, arguments), fmt.Sprintf(`{"customer":{"purchaseIntents":%s,"transactions":%s,"tickets":%s,"checkouts":%s,"invoices":%s}}`,
			page("_id", want.total, want.intents...), page("_id", want.total, want.transactions...), others, others, others))
	}
}

// An event's children are found by either reference, each once. Of several entries with one code, a ticket has the oldest.
func TestEdgesFindEachObjectOnce(t *testing.T) {
	t.Parallel()
	h := apitest.Open(t)
	seller := h.Demo.Sellers[0]
	ctx, key := h.ActingOn(t, seller), apitest.Bearer(seller.APIKey)
	group, root := h.GroupEvent(t, seller, "A"), h.RootEvent(t, seller, "A")
	var below []string
	for _, names := range []catalog.NewEvent{
		{RootEventID: &root}, {ParentEventID: &root}, {RootEventID: &root, ParentEventID: &root}, {RootEventID: &root, ParentEventID: &group},
	} {
		names.Name, names.Start, names.Type = "Date", moment.New(time.Now()), catalog.Recurrence
		event, err := h.Do.CatalogEvents.Create(ctx, names)
		systemtest.Must(t, err)
		below = append(below, event.ID)
	}
	code := h.Ticket(t, seller, "with entries")
	var entries []string
	for _, list := range []string{h.AccessList(t, seller, "first"), h.AccessList(t, seller, "second")} {
		entry, err := h.Do.AccessEntries.Create(ctx, list, access.NewEntry{ExternalCode: code})
		systemtest.Must(t, err)
		entries = append(entries, entry.ID)
	}
	names := strings.NewReplacer("<group>", group, "<root>", root, "<a>", below[0], "<b>", below[1], "<c>", below[2], "<d>", below[3],
		"<code>", code, "<entry>", entries[0], "<event>", seller.EventID, "<type>", seller.TicketTypeID)
	for query, want := range map[string]string{
		`{ event(id: "<root>") { children(first: 3) { totalCount pageInfo { hasNextPage } nodes { _id parent { _id } root { _id } } } } }`: //
		`{"event":{"children":{"totalCount":4,"pageInfo":{"hasNextPage":true},"nodes":[{"_id":"<a>","parent":null,"root":{"_id":"<root>"}},` +
			`{"_id":"<b>","parent":{"_id":"<root>"},"root":null},{"_id":"<c>","parent":{"_id":"<root>"},"root":{"_id":"<root>"}}]}}}`,
		`{ event(id: "<group>") { children { nodes { _id } } } }`: `{"event":{"children":{"nodes":[{"_id":"<d>"}]}}}`,
		`{ event(id: "<root>") { children(order: NEWEST_FIRST, filter: {parentEventId: "<group>"}) { totalCount nodes { _id } } } }`://
		`{"event":{"children":{"totalCount":1,"nodes":[{"_id":"<d>"}]}}}`,
		`{ ticket(id: "<code>") { entry { _id ticket { _id entry { ticket { _id } } } } } }`://
		`{"ticket":{"entry":{"_id":"<entry>","ticket":{"_id":"<code>","entry":{"ticket":{"_id":"<code>"}}}}}}`,
		// One name for two edges of the same objects.
		`{ events(first: 1, filter: {name: "Opening"}) { nodes { of: ticketTypes(first: 0) { nodes { _id } } also: parent { _id } }
			edges { node { of: ticketTypes(first: 1) { nodes { _id } } also: scanZones { totalCount } } } } }`: //
		`{"events":{"nodes":[{"of":{"nodes":[]},"also":null}],"edges":[{"node":{"of":{"nodes":[{"_id":"<type>"}]},"also":{"totalCount":0}}}]}}`,
	} {
		h.Finds(t, key, names.Replace(query), names.Replace(want))
	}
}

// A mutation may name another seller than the call acts on. Its result must not lead to the acting seller's records.
func TestEdgesOfAnotherSellersObjectAreEmpty(t *testing.T) {
	t.Parallel()
	h := apitest.Open(t)
	acting, named := h.Demo.Sellers[0], h.Demo.Sellers[1]
	who := h.OrganizationMember(t, acting, domain.Manager).On(acting.SellerID)
	const query = `mutation($input: CreateEventInput!) { createEvent(input: $input) { sellerId ticketTypes { nodes { _id } } } }`
	o := h.Execute(t, who, query, object{"input": object{"sellerId": named.SellerID, "name": "There", "_id": acting.EventID, "start": "2027-01-01T00:00:00Z"}})
	if o.Refusal.Code != string(domain.CodeInvalidRequest) || !strings.Contains(string(o.Body), `"sellerId":"`+string(named.SellerID)+`","ticketTypes":null`) {
		t.Errorf("%v", o)
	}
}
