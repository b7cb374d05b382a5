package main

import (
	"context"
	"fmt"
	"strconv"
	"strings"
	"testing"

	"ticketgate/domain"
	"ticketgate/domain/ecmajson"
	"ticketgate/domain/sale"
	"ticketgate/domain/scan"
)

// edgeRights is how an edge is tried by those who may follow it and those who may not. Names in angle brackets are ids of linked.
type edgeRights struct {
	// follow is what stands behind the name of the field, and found what it leads to.
	follow, found string
	// reads is the operation that the edge stands for.
	reads domain.Operation
	// list are arguments of the list for TestAnEdgeTakesOneStatement, if its first object has nothing behind the edge.
	list string
}

// firstOf follows an edge to many.
const firstOf = "(first: 1) { nodes { _id } }"

// edgesTried are the edges at the door and of sales.
var edgesTried = map[string]edgeRights{
	"AccessUser.assignedEvents": {firstOf, `{"nodes":[{"_id":"<event>"}]}`, domain.ListEvents, ""},
	"AccessUser.scanCount":      {`(since: "2026-01-01T00:00:00.000Z")`, "<scans>", domain.CountDeviceScans, ""},
	"AccessUser.scanGroup":      {"{ _id }", `{"_id":"<scanGroup>"}`, domain.GetScanGroup, ""},
	"AccessUser.scans":          {firstOf, `{"nodes":[{"_id":"<scan>"}]}`, domain.ListScans, ""},
	"Checkout.customer":         {"{ _id }", `{"_id":"<customer>"}`, domain.GetCustomer, ""},
	"Checkout.event":            {"{ _id }", `{"_id":"<event>"}`, domain.GetEvent, ""},
	"Customer.purchaseIntents":  {firstOf, `{"nodes":[{"_id":"<purchaseIntent>"}]}`, domain.ListPurchaseIntents, ""},
	"Event.scanGroups":          {firstOf, `{"nodes":[{"_id":"<scanGroup>"}]}`, domain.ListScanGroups, ""},
	"Event.transactions":        {firstOf, `{"nodes":[{"_id":"<transaction>"}]}`, domain.ListTransactions, ""},
	"Invoice.canceledBy":        {firstOf, `{"nodes":[{"_id":"<cancellation>"}]}`, domain.ListInvoices, ""},
	"Invoice.canceledInvoice":   {"{ _id }", `null`, domain.GetInvoice, "filter: { kind: cancellation }"},
	"Invoice.event":             {"{ _id }", `{"_id":"<event>"}`, domain.GetEvent, ""},
	"PurchaseIntent.customer":   {"{ _id }", `{"_id":"<customer>"}`, domain.GetCustomer, ""},
	"PurchaseIntent.event":      {"{ _id }", `{"_id":"<event>"}`, domain.GetEvent, ""},
	"Scan.device":               {"{ _id }", `{"_id":"<device>"}`, domain.GetDevice, ""},
	"Scan.event":                {"{ _id }", `{"_id":"<event>"}`, domain.GetEvent, ""},
	"Scan.scanGroup":            {"{ _id }", `{"_id":"<scanGroup>"}`, domain.GetScanGroup, ""},
	"Scan.scanZone":             {"{ _id }", `{"_id":"<zone>"}`, domain.GetScanZone, ""},
	"Scan.ticket":               {"{ _id }", `{"_id":"<ticket>"}`, domain.GetTicket, ""},
	"ScanGroup.devices":         {firstOf, `{"nodes":[{"_id":"<device>"}]}`, domain.ListDevices, ""},
	"ScanGroup.events":          {firstOf, `{"nodes":[{"_id":"<event>"}]}`, domain.ListEvents, ""},
	"ScanGroup.scans":           {firstOf, `{"nodes":[{"_id":"<scan>"}]}`, domain.ListScans, ""},
	"ScanGroup.ticketTypes":     {firstOf, `{"nodes":[{"_id":"<ticketType>"}]}`, domain.ListTicketTypes, ""},
	"Transaction.checkout":      {"{ _id }", `{"_id":"<checkout>"}`, domain.GetCheckout, ""},
	"Transaction.customer":      {"{ _id }", `{"_id":"<customer>"}`, domain.GetCustomer, ""},
	"Transaction.event":         {"{ _id }", `{"_id":"<event>"}`, domain.GetEvent, ""},
	"Transaction.issuedTickets": {firstOf, `{"nodes":[{"_id":"<issued>"}]}`, domain.ListTickets, ""},
}

// readBy are the fields that read a record of a type, and a list of them.
var readBy = map[string][2]domain.Operation{
	"AccessUser":     {domain.GetDevice, domain.ListDevices},
	"Checkout":       {domain.GetCheckout, domain.ListCheckouts},
	"Customer":       {domain.GetCustomer, domain.ListCustomers},
	"Event":          {domain.GetEvent, domain.ListEvents},
	"Invoice":        {domain.GetInvoice, domain.ListInvoices},
	"PurchaseIntent": {domain.GetPurchaseIntent, domain.ListPurchaseIntents},
	"Scan":           {domain.GetScan, domain.ListScans},
	"ScanGroup":      {domain.GetScanGroup, domain.ListScanGroups},
	"Transaction":    {domain.GetTransaction, domain.ListTransactions},
}

// named is the type and the field of an edge, and the name that an object of the type has in linked.
func named(edge string) (record, field, of string) {
	record, field, _ = strings.Cut(edge, ".")
	if of = strings.ToLower(record[:1]) + record[1:]; record == "AccessUser" {
		of = "device"
	}
	return record, field, of
}

// doorEdges are those of edgesTried as edges has them.
func doorEdges() map[string]edgeRow {
	all := map[string]edgeRow{}
	for name, row := range edgesTried {
		record, field, _ := named(name)
		all[name] = edgeRow{list: string(readBy[record][1]), arguments: row.list, follow: field + row.follow}
	}
	return all
}

// linked is a sale that was canceled, and a scan of another ticket: the ids of all that they lead to.
func (h *house) linked(t *testing.T, seller seededSeller, sold bought) map[string]string {
	t.Helper()
	ctx := h.actingOn(t, seller)
	ids := map[string]string{
		"event": seller.EventID, "ticketType": seller.TicketTypeID, "device": seller.DeviceID, "scanGroup": seller.ScanGroupID,
		"checkout": sold.checkout, "transaction": sold.transaction, "invoice": sold.invoice, "issued": sold.ticket,
		"customer": sold.customer, "zone": sold.zone, "scans": strconv.Itoa(h.count(t, "SELECT count(*) FROM scans WHERE device_id = $1", seller.DeviceID)),
	}
	intent, err := h.do.PurchaseIntents.Create(ctx, sale.NewPurchaseIntent{
		EventID: seller.EventID, Items: []sale.WantedItem{{TicketTypeID: seller.TicketTypeID, Amount: 1}},
		Buyer: sale.Buyer{CustomerID: &sold.customer},
	})
	must(t, err)
	ids["purchaseIntent"] = intent.ID
	_, err = h.do.Devices.Update(ctx, seller.DeviceID, scan.DeviceChange{Events: domain.Some([]string{seller.EventID})})
	must(t, err)
	transaction, err := h.do.Transactions.Get(ctx, sold.transaction)
	must(t, err)
	canceled, err := ecmajson.Parse([]byte(strings.Replace(string(transaction.Document), `"status":"COMPLETE"`, `"status":"CANCELED"`, 1)),
		ecmajson.Limits{})
	must(t, err)
	_, err = h.do.Transactions.Import(ctx, sale.TransactionImport{Transactions: []ecmajson.Value{canceled}})
	must(t, err)
	var found struct{ cancellation, ticket string }
	must(t, h.sql.QueryRowContext(t.Context(), "SELECT id FROM invoices WHERE transaction_id = $1 AND kind = 'cancellation'",
		sold.transaction).Scan(&found.cancellation))
	must(t, h.sql.QueryRowContext(t.Context(), "SELECT id, ticket_id FROM scans WHERE seller_id = $1 ORDER BY id LIMIT 1",
		string(seller.SellerID)).Scan(new(string), &found.ticket))
	ids["cancellation"], ids["ticket"] = found.cancellation, found.ticket
	h.inZone(t, seller, sold.zone)
	return ids
}

// inZone has all scans of the seller made in a zone.
func (h *house) inZone(t *testing.T, seller seededSeller, zone string) {
	t.Helper()
	_, err := h.sql.ExecContext(t.Context(), "UPDATE scans SET scan_zone_id = $1 WHERE seller_id = $2", zone, string(seller.SellerID))
	must(t, err)
}

// replaced puts ids in place of their names in angle brackets.
func replaced(ids map[string]string, text string) string {
	for name, id := range ids {
		text = strings.ReplaceAll(text, "<"+name+">", id)
	}
	return text
}

// An edge has the rights of the operation that it stands for, whoever calls. What is refused takes nothing else away (GRAPH-1,
// GRAPH-2).
func TestAnEdgeHasTheRightsOfItsOperation(t *testing.T) {
	t.Parallel()
	h := openHouse(t)
	seller := h.world.Sellers[0]
	scanned := h.scan(t, seller, "First")
	ids := h.linked(t, seller, h.sells(t, seller))
	ids["scan"] = scanned
	for name, row := range edgesTried {
		record, field, of := named(name)
		root := string(readBy[record][0])
		allowed, edge := domain.RuleOf(readBy[record][0]), domain.RuleOf(row.reads)
		document := replaced(ids, fmt.Sprintf("{ %s(id: \"<%s>\") { _id %s%s } }", root, of, field, row.follow))
		whole := replaced(ids, fmt.Sprintf(`{%q:{"_id":"<%s>",%q:%s}}`, root, of, field, row.found))
		beside := replaced(ids, fmt.Sprintf(`{%q:{"_id":"<%s>"}}`, root, of))
		refused := func(who string, as caller, code domain.Code, said string) {
			o := h.execute(t, as, document, nil)
			if o.refusal.Code != string(code) || !strings.Contains(o.refusal.Message, said) || textOf(t, o.result) != beside ||
				!strings.Contains(string(o.body), fmt.Sprintf(`"path":[%q,%q]`, root, field)) {
				t.Errorf("%s, %s: %v, want %s with %s", name, who, o, code, beside)
			}
		}
		mayFollow := map[string]caller{
			"a key with both":            h.keyWith(t, seller, allowed.Permission, edge.Permission),
			"a viewer":                   h.session(t, seller.ViewerEmail, seller.ViewerPassword),
			"the platform on the seller": bearer(rightToken).on(seller.SellerID),
		}
		organization := bearer(h.world.Organizations[0].Key).on(seller.SellerID)
		switch {
		case allowed.OrganizationKey && edge.OrganizationKey:
			mayFollow["the organization's key"] = organization
		case allowed.OrganizationKey:
			refused("the organization's key", organization, domain.CodeForbidden, "use a key of the seller")
		}
		for who, as := range mayFollow {
			if o := h.execute(t, as, document, nil); !strings.Contains(string(o.body), `"data":`+whole) {
				t.Errorf("%s, %s: %v, want %s", name, who, o, whole)
			}
		}
		if allowed.Permission != edge.Permission {
			refused("a key without the permission", h.keyWith(t, seller, allowed.Permission), domain.CodeMissingPermission,
				fmt.Sprintf("Missing permission %q", edge.Permission))
		}
		if o := h.execute(t, bearer(h.world.Sellers[1].APIKey), document, nil); o.refusal.Code != string(domain.CodeNotFound) || o.result != nil {
			t.Errorf("%s, another seller's key: %v", name, o)
		}
	}
	t.Run("a cancellation leads to its invoice", func(t *testing.T) {
		o := h.execute(t, bearer(seller.APIKey), replaced(ids, `{ invoice(id: "<cancellation>") { canceledInvoice { _id } canceledBy { nodes { _id } } } }`), nil)
		if want := replaced(ids, `{"invoice":{"canceledBy":{"nodes":[]},"canceledInvoice":{"_id":"<invoice>"}}}`); textOf(t, o.result) != want {
			t.Errorf("%v, want %s", o, want)
		}
	})
}

// Devices, buyers and callers without a credential get records in answers to what they do. They follow none of the edges.
func TestThoseWhoReadNoRecordsFollowNoEdges(t *testing.T) {
	t.Parallel()
	h := openHouse(t)
	seller := h.world.Sellers[0]
	scanned := h.scan(t, seller, "Annulled")
	h.inZone(t, seller, "Hall")
	made, err := h.do.Checkouts.Create(h.actingOn(t, seller), sale.NewCheckout{
		EventID: seller.EventID, CustomerID: &seller.CustomerID, Items: []sale.WantedItem{{TicketTypeID: seller.TicketTypeID, Amount: 1}},
	})
	must(t, err)
	for who, row := range map[string]struct {
		as             caller
		record, answer string
		code           domain.Code
	}{
		"a device with its scan": {
			deviceOf(seller), "Scan", fmt.Sprintf("mutation { annulScan(id: %q)", scanned), domain.CodeForbidden,
		},
		"a buyer": {
			nil, "Checkout", fmt.Sprintf("mutation { abortCheckout(id: %q, secret: %q)", made.ID, made.Secret), domain.CodeUnauthenticated,
		},
		"a shop": {nil, "Checkout", fmt.Sprintf("mutation { createCheckout(input: {sellerId: %q, eventId: %q, customerId: %q, items: [{ticketTypeId: %q, amount: 1}]})",
			seller.SellerID, seller.EventID, seller.CustomerID, seller.TicketTypeID), domain.CodeUnauthenticated},
		"a device that pairs": {
			nil, "AccessUser", fmt.Sprintf("mutation { pairAccessUser(input: {code: %q})", h.pairingCode(t, seller, "Paired")),
			domain.CodeUnauthenticated,
		},
	} {
		followed := ""
		leads := map[string]bool{}
		for name, edge := range edgesTried {
			if record, field, _ := named(name); record == row.record && field != "scanGroup" {
				followed, leads[field] = followed+" "+field+edge.follow, true
			}
		}
		o := h.execute(t, row.as, row.answer+" { _id"+followed+" } }", nil)
		data, _ := o.result.(object)
		if len(data) != 1 || o.refusal.Code != string(row.code) {
			t.Errorf("%s: %v", who, o)
		}
		for field := range leads {
			if !strings.Contains(string(o.body), fmt.Sprintf(",%q]", field)) || !strings.Contains(string(o.body), fmt.Sprintf("%q:null", field)) {
				t.Errorf("%s, %s: %v", who, field, o)
			}
		}
	}
}

// manyOf counts what an edge to many leads to from one object.
func manyOf[F, T any](
	h *house, t *testing.T, read func(context.Context, []string, F, domain.Page) (map[string]domain.List[T], error), of string, page domain.Page,
) func(seededSeller) (int, error) {
	t.Helper()
	return func(as seededSeller) (int, error) {
		var all F
		found, err := read(h.actingOn(t, as), []string{of}, all, page)
		if err != nil {
			return 0, err
		}
		total, err := found[of].Total(t.Context())
		if total != len(found[of].Items) {
			t.Errorf("%d are counted of %d", total, len(found[of].Items))
		}
		return total, err
	}
}

// Records may name what only another seller has, such as imported ones do: the edge leads nowhere.
func TestEdgesLeadToTheSellersOwn(t *testing.T) {
	t.Parallel()
	h := openHouse(t)
	seller, other := h.world.Sellers[0], h.world.Sellers[1]
	scanned := h.scan(t, seller, "First")
	ids := h.linked(t, seller, h.sells(t, seller))
	ids["scan"] = scanned
	page := domain.Page{Limit: 5}
	for name, follow := range map[string]func(seededSeller) (int, error){
		"device": func(as seededSeller) (int, error) {
			found, err := h.do.Devices.ByID(h.actingOn(t, as), []string{ids["device"]})
			return len(found), err
		},
		"scan group": func(as seededSeller) (int, error) {
			found, err := h.do.ScanGroups.ByID(h.actingOn(t, as), []string{ids["scanGroup"]})
			return len(found), err
		},
		"ticket": func(as seededSeller) (int, error) {
			found, err := h.do.Tickets.ByID(h.actingOn(t, as), []string{ids["ticket"]})
			return len(found), err
		},
		"scan zone": func(as seededSeller) (int, error) {
			found, err := h.do.ScanZones.ByID(h.actingOn(t, as), []string{ids["zone"]})
			return len(found), err
		},
		"event of a sale": func(as seededSeller) (int, error) {
			found, err := h.do.CatalogEvents.ByTransaction(h.actingOn(t, as), []string{ids["transaction"]})
			return len(found), err
		},
		"invoice": func(as seededSeller) (int, error) {
			found, err := h.do.Invoices.ByID(h.actingOn(t, as), []string{ids["invoice"]})
			return len(found), err
		},
		"checkout": func(as seededSeller) (int, error) {
			found, err := h.do.Checkouts.ByTransaction(h.actingOn(t, as), []string{ids["transaction"]})
			return len(found), err
		},
		"scan count": func(as seededSeller) (int, error) {
			found, err := h.do.Scans.CountOfDevices(h.actingOn(t, as), []string{ids["device"]}, domain.DateTime{})
			return found[ids["device"]], err
		},
		"groups of an event": manyOf(h, t, h.do.ScanGroups.OfEvents, ids["event"], page),
		"devices of a group": manyOf(h, t, h.do.Devices.OfGroups, ids["scanGroup"], page),
		"scans of a group":   manyOf(h, t, h.do.Scans.OfGroups, ids["scanGroup"], page),
		"scans of a device":  manyOf(h, t, h.do.Scans.OfDevices, ids["device"], page),
		"events of a group":  manyOf(h, t, h.do.CatalogEvents.OfScanGroups, ids["scanGroup"], page),
		"events of a device": manyOf(h, t, h.do.CatalogEvents.OfDevices, ids["device"], page),
		"types of a group":   manyOf(h, t, h.do.TicketTypes.OfScanGroups, ids["scanGroup"], page),
		"sales of an event":  manyOf(h, t, h.do.Transactions.OfEvents, ids["event"], page),
		"tickets of a sale":  manyOf(h, t, h.do.Tickets.OfTransactions, ids["transaction"], page),
		"intents of a buyer": manyOf(h, t, h.do.PurchaseIntents.OfCustomers, ids["customer"], page),
		"cancellations":      manyOf(h, t, h.do.Invoices.Cancellations, ids["invoice"], page),
	} {
		if found, err := follow(seller); found == 0 || err != nil {
			t.Errorf("%s, the seller itself: %d (%v)", name, found, err)
		}
		if found, err := follow(other); found != 0 || err != nil {
			t.Errorf("%s, another seller: %d (%v)", name, found, err)
		}
	}
}
