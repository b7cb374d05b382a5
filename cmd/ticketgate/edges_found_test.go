package main

import (
	"fmt"
	"strings"
	"testing"
	"time"

	"ticketgate/domain"
	"ticketgate/domain/access"
	"ticketgate/domain/catalog"
	"ticketgate/domain/sale"
)

// finds executes a query, whose data must be this without an error.
func (h *house) finds(t *testing.T, who caller, query, want string) {
	t.Helper()
	if o := h.execute(t, who, query, nil); !strings.HasPrefix(string(o.body), `{"data":`+want) || o.refusal.Code != "" {
		t.Errorf("%s\n%v, want %s", query, o, want)
	}
}

// Who has come is counted by scans that count: a ticket that left has come, an annulled check-in has not happened, and only VALID
// tickets are sold.
func TestWhoHasCome(t *testing.T) {
	t.Parallel()
	g := openGate(t)
	p := &passage{gate: g, door: g.doors()["GraphQL"], key: bearer(g.seller.APIKey)}
	p.event = p.happens(t, catalog.Single)
	kind, err := g.do.TicketTypes.Create(g.actingOn(t, g.seller), catalog.NewTicketType{EventID: p.event, Name: "Day", Price: "1"})
	must(t, err)
	of := object{"ticketTypeId": kind.ID}
	door, _ := p.opens(t, nil, nil)
	lounge, _ := p.opens(t, object{"scanZoneId": p.zone(t, "Lounge")}, nil)
	absent, inside, left, annulled, invalid := p.sells(t, serial("absent"), of), p.sells(t, serial("inside"), of), p.sells(t, serial("left"), of),
		p.sells(t, serial("annulled"), of), p.sells(t, serial("invalid"), of)
	for _, one := range []string{inside, left, invalid} {
		p.scans(t, door, one, "IN", "GRANTED")
	}
	first := p.does(t, p.key, domain.ListScans, object{"filter": object{"ticketId": inside}})["docs"].([]any)[0].(object)["time"]
	p.scans(t, lounge, inside, "IN", "GRANTED")
	p.scans(t, door, left, "OUT", "GRANTED")
	p.does(t, door, domain.AnnulScan, object{"id": p.scans(t, door, annulled, "IN", "GRANTED")["scanId"]})
	p.sells(t, invalid, object{"ticketTypeId": kind.ID, "status": "INVALID"})

	for query, want := range map[string]string{
		`{ ticketType(id: "<type>") { sold checkedIn inside } }`: `{"ticketType":{"sold":4,"checkedIn":2,"inside":1}}`,
		`{ event(id: "<event>") { tickets(filter: {checkedIn: false, status: VALID}) { totalCount nodes { _id } } } }`://
		`{"event":{"tickets":{"totalCount":2,"nodes":[{"_id":"<absent>"},{"_id":"<annulled>"}]}}}`,
		`{ event(id: "<event>") { tickets(filter: {checkedIn: true}, order: NEWEST_FIRST) { nodes { _id } } } }`://
		`{"event":{"tickets":{"nodes":[{"_id":"<invalid>"},{"_id":"<left>"},{"_id":"<inside>"}]}}}`,
		`{ tickets(filter: {ticketTypeId: "<type>", checkedIn: true, status: VALID}) { totalCount } }`: `{"tickets":{"totalCount":2}}`,
		`{ ticket(id: "<inside>") { presence { inside since firstCheckinAt } scans { totalCount } } }`://
		`{"ticket":{"presence":{"inside":true,"since":"<first>","firstCheckinAt":"<first>"},"scans":{"totalCount":2}}}`,
		`{ ticket(id: "<left>") { presence { inside since } } }`:                            `{"ticket":{"presence":{"inside":false,"since":null}}}`,
		`{ ticket(id: "<annulled>") { presence { inside firstCheckinAt } entry { _id } } }`: `{"ticket":{"presence":{"inside":false,"firstCheckinAt":null},"entry":null}}`,
		`{ ticket(id: "<absent>") { presence { inside } scans { nodes { _id } totalCount } customer { _id } } }`://
		`{"ticket":{"presence":{"inside":false},"scans":{"nodes":[],"totalCount":0},"customer":null}}`,
	} {
		names := strings.NewReplacer("<type>", kind.ID, "<event>", p.event, "<absent>", absent, "<inside>", inside, "<left>", left,
			"<annulled>", annulled, "<invalid>", invalid, "<first>", fmt.Sprint(first))
		g.finds(t, p.key, names.Replace(query), names.Replace(want))
	}
	onlyTickets := p.only(t, "tickets:list", "events:list")
	for _, query := range []string{
		`{ tickets(filter: {checkedIn: true}) { totalCount } }`, `{ event(id: "` + p.event + `") { tickets(filter: {checkedIn: true}) { totalCount } } }`,
	} {
		if o := g.execute(t, onlyTickets, query, nil); o.refusal.Message != `Missing permission "scans:list"` {
			t.Errorf("%s with tickets:list alone: %v", query, o)
		}
	}
}

// A customer's records name the customer or, where they name none, have the customer's email address.
func TestWhoseRecordsTheyAre(t *testing.T) {
	t.Parallel()
	h := openHouse(t)
	seller := h.world.Sellers[0]
	ctx, key := h.actingOn(t, seller), bearer(seller.APIKey)
	ann, err := h.do.Customers.Create(ctx, catalog.NewCustomer{Email: new("Ann@shop.example")})
	must(t, err)
	nobody := h.customer(t, seller, "without an email")
	var bought, wanted []string
	for _, buyer := range []sale.NewCheckout{{CustomerID: &ann.ID}, {}, {CustomerID: &nobody}} {
		buyer.EventID, buyer.Items = seller.EventID, []sale.WantedItem{{TicketTypeID: seller.TicketTypeID, Amount: 1}}
		made, err := h.do.Checkouts.Create(ctx, buyer)
		must(t, err)
		_, err = h.do.Checkouts.Submit(ctx, made.ID, "", sale.Details{Buyer: sale.Buyer{Name: new("Ann"), Email: new("ann@SHOP.example")}})
		must(t, err)
		done, err := h.do.Checkouts.Complete(ctx, made.ID)
		must(t, err)
		bought = append(bought, *done.TransactionID)
		intent, err := h.do.PurchaseIntents.Create(ctx, sale.NewPurchaseIntent{
			EventID: seller.EventID, Items: buyer.Items,
			Buyer: sale.Buyer{CustomerID: buyer.CustomerID, Name: new("Ann"), Email: new("ann@SHOP.example")},
		})
		must(t, err)
		wanted = append(wanted, intent.ID)
	}
	const query = `{ customer(id: %q) { purchaseIntents(%[2]s) { totalCount nodes { _id } } transactions(%[2]s) { totalCount nodes { _id } } tickets(%[2]s) { totalCount nodes { transactionId } }
		checkouts(%[2]s) { totalCount nodes { transactionId } } invoices(%[2]s) { totalCount nodes { transactionId } } } }`
	page := func(field string, total int, transactions ...string) string {
		nodes := make([]string, len(transactions))
		for i, one := range transactions {
			nodes[i] = fmt.Sprintf(`{%q:%q}`, field, one)
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
		h.finds(t, key, fmt.Sprintf(query, want.customer, arguments), fmt.Sprintf(`{"customer":{"purchaseIntents":%s,"transactions":%s,"tickets":%s,"checkouts":%s,"invoices":%s}}`,
			page("_id", want.total, want.intents...), page("_id", want.total, want.transactions...), others, others, others))
	}
}

// Events below another one are found by either reference, each once; of entries with one code the oldest is a ticket's.
func TestWhatAnObjectLeadsTo(t *testing.T) {
	t.Parallel()
	h := openHouse(t)
	seller := h.world.Sellers[0]
	ctx, key := h.actingOn(t, seller), bearer(seller.APIKey)
	group, root := h.groupEvent(t, seller, "A"), h.rootEvent(t, seller, "A")
	var below []string
	for _, names := range []catalog.NewEvent{
		{RootEventID: &root}, {ParentEventID: &root}, {RootEventID: &root, ParentEventID: &root}, {RootEventID: &root, ParentEventID: &group},
	} {
		names.Name, names.Start, names.Type = "Date", domain.NewDateTime(time.Now()), catalog.Recurrence
		made, err := h.do.CatalogEvents.Create(ctx, names)
		must(t, err)
		below = append(below, made.ID)
	}
	code := h.ticket(t, seller, "with entries")
	var entries []string
	for _, list := range []string{h.accessList(t, seller, "first"), h.accessList(t, seller, "second")} {
		made, err := h.do.AccessEntries.Create(ctx, list, access.NewEntry{ExternalCode: code})
		must(t, err)
		entries = append(entries, made.ID)
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
		h.finds(t, key, names.Replace(query), names.Replace(want))
	}
}

// A mutation may name another seller than the call acts on. Its result does not lead to records of the wrong one.
func TestAnObjectOfAnotherSellerLeadsNowhere(t *testing.T) {
	t.Parallel()
	h := openHouse(t)
	acting, named := h.world.Sellers[0], h.world.Sellers[1]
	who := h.organizationMember(t, acting, domain.Manager).on(acting.SellerID)
	const query = `mutation($input: CreateEventInput!) { createEvent(input: $input) { sellerId ticketTypes { nodes { _id } } } }`
	o := h.execute(t, who, query, object{"input": object{"sellerId": named.SellerID, "name": "There", "_id": acting.EventID, "start": "2027-01-01T00:00:00Z"}})
	if o.refusal.Code != string(domain.CodeInvalidRequest) || !strings.Contains(string(o.body), `"sellerId":"`+string(named.SellerID)+`","ticketTypes":null`) {
		t.Errorf("%v", o)
	}
}
