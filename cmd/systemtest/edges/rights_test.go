package edges

import (
	"context"
	"fmt"
	"strconv"
	"strings"
	"testing"

	"ticketgate/cmd/systemtest"
	"ticketgate/cmd/systemtest/apitest"
	"ticketgate/cmd/ticketgate/demo"
	"ticketgate/domain"
	"ticketgate/domain/ecmajson"
	"ticketgate/domain/moment"
	"ticketgate/domain/optional"
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
func linked(t *testing.T, h *apitest.Server, seller demo.Seller, sold bought) map[string]string {
	t.Helper()
	ctx := h.ActingOn(t, seller)
	ids := map[string]string{
		"event": seller.EventID, "ticketType": seller.TicketTypeID, "device": seller.DeviceID, "scanGroup": seller.ScanGroupID,
		"checkout": sold.checkout, "transaction": sold.transaction, "invoice": sold.invoice, "issued": sold.ticket,
		"customer": sold.customer, "zone": sold.zone, "scans": strconv.Itoa(h.Count(t, "SELECT count(*) FROM scans WHERE device_id = $1", seller.DeviceID)),
	}
	intent, err := h.Do.PurchaseIntents.Create(ctx, sale.NewPurchaseIntent{
		EventID: seller.EventID, Items: []sale.WantedItem{{TicketTypeID: seller.TicketTypeID, Amount: 1}},
		Buyer: sale.Buyer{CustomerID: &sold.customer},
	})
	systemtest.Must(t, err)
	ids["purchaseIntent"] = intent.ID
	_, err = h.Do.Devices.Update(ctx, seller.DeviceID, scan.DeviceChange{Events: optional.Some([]string{seller.EventID})})
	systemtest.Must(t, err)
	transaction, err := h.Do.Transactions.Get(ctx, sold.transaction)
	systemtest.Must(t, err)
	canceled, err := ecmajson.Parse([]byte(strings.Replace(string(transaction.Document), `"status":"COMPLETE"`, `"status":"CANCELED"`, 1)),
		ecmajson.Limits{})
	systemtest.Must(t, err)
	_, err = h.Do.Transactions.Import(ctx, sale.TransactionImport{Transactions: []ecmajson.Value{canceled}})
	systemtest.Must(t, err)
	var found struct{ cancellation, ticket string }
	systemtest.Must(t, h.SQL.QueryRowContext(t.Context(), "SELECT id FROM invoices WHERE transaction_id = $1 AND kind = 'cancellation'",
		sold.transaction).Scan(&found.cancellation))
	systemtest.Must(t, h.SQL.QueryRowContext(t.Context(), "SELECT id, ticket_id FROM scans WHERE seller_id = $1 ORDER BY id LIMIT 1",
		string(seller.SellerID)).Scan(new(string), &found.ticket))
	ids["cancellation"], ids["ticket"] = found.cancellation, found.ticket
	inZone(t, h, seller, sold.zone)
	return ids
}

// inZone has all scans of the seller made in a zone.
func inZone(t *testing.T, h *apitest.Server, seller demo.Seller, zone string) {
	t.Helper()
	_, err := h.SQL.ExecContext(t.Context(), "UPDATE scans SET scan_zone_id = $1 WHERE seller_id = $2", zone, string(seller.SellerID))
	systemtest.Must(t, err)
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
	h := apitest.Open(t)
	seller := h.Demo.Sellers[0]
	scanned := h.Scan(t, seller, "First")
	ids := linked(t, h, seller, sells(t, h, seller))
	ids["scan"] = scanned
	for name, row := range edgesTried {
		record, field, of := named(name)
		root := string(readBy[record][0])
		allowed, edge := domain.RuleOf(readBy[record][0]), domain.RuleOf(row.reads)
		document := replaced(ids, fmt.Sprintf("{ %s(id: \"<%s>\") { _id %s%s } }", root, of, field, row.follow))
		whole := replaced(ids, fmt.Sprintf(`{%q:{"_id":"<%s>",%q:%s}}`, root, of, field, row.found))
		beside := replaced(ids, fmt.Sprintf(`{%q:{"_id":"<%s>"}}`, root, of))
		refused := func(who string, as apitest.Caller, code domain.Code, said string) {
			o := h.Execute(t, as, document, nil)
			if o.Refusal.Code != string(code) || !strings.Contains(o.Refusal.Message, said) || textOf(t, o.Result) != beside ||
				!strings.Contains(string(o.Body), fmt.Sprintf(`"path":[%q,%q]`, root, field)) {
				t.Errorf("%s, %s: %v, want %s with %s", name, who, o, code, beside)
			}
		}
		mayFollow := map[string]apitest.Caller{
			"a key with both":            h.KeyWith(t, seller, allowed.Permission, edge.Permission),
			"a viewer":                   h.Session(t, seller.ViewerEmail, seller.ViewerPassword),
			"the platform on the seller": apitest.Bearer(systemtest.SystemToken).On(seller.SellerID),
		}
		organization := apitest.Bearer(h.Demo.Organizations[0].Key).On(seller.SellerID)
		switch {
		case allowed.OrganizationKey && edge.OrganizationKey:
			mayFollow["the organization's key"] = organization
		case allowed.OrganizationKey:
			refused("the organization's key", organization, domain.CodeForbidden, "use a key of the seller")
		}
		for who, as := range mayFollow {
			if o := h.Execute(t, as, document, nil); !strings.Contains(string(o.Body), `"data":`+whole) {
				t.Errorf("%s, %s: %v, want %s", name, who, o, whole)
			}
		}
		if allowed.Permission != edge.Permission {
			refused("a key without the permission", h.KeyWith(t, seller, allowed.Permission), domain.CodeMissingPermission,
				fmt.Sprintf("Missing permission %q", edge.Permission))
		}
		if o := h.Execute(t, apitest.Bearer(h.Demo.Sellers[1].APIKey), document, nil); o.Refusal.Code != string(domain.CodeNotFound) || o.Result != nil {
			t.Errorf("%s, another seller's key: %v", name, o)
		}
	}
	t.Run("a cancellation leads to its invoice", func(t *testing.T) {
		o := h.Execute(t, apitest.Bearer(seller.APIKey), replaced(ids, `{ invoice(id: "<cancellation>") { canceledInvoice { _id } canceledBy { nodes { _id } } } }`), nil)
		if want := replaced(ids, `{"invoice":{"canceledBy":{"nodes":[]},"canceledInvoice":{"_id":"<invoice>"}}}`); textOf(t, o.Result) != want {
			t.Errorf("%v, want %s", o, want)
		}
	})
}

// Devices, buyers and callers without a credential get records in answers to what they do. They follow none of the edges.
func TestThoseWhoReadNoRecordsFollowNoEdges(t *testing.T) {
	t.Parallel()
	h := apitest.Open(t)
	seller := h.Demo.Sellers[0]
	scanned := h.Scan(t, seller, "Annulled")
	inZone(t, h, seller, "Hall")
	made, err := h.Do.Checkouts.Create(h.ActingOn(t, seller), sale.NewCheckout{
		EventID: seller.EventID, CustomerID: &seller.CustomerID, Items: []sale.WantedItem{{TicketTypeID: seller.TicketTypeID, Amount: 1}},
	})
	systemtest.Must(t, err)
	for who, row := range map[string]struct {
		as             apitest.Caller
		record, answer string
		code           domain.Code
	}{
		"a device with its scan": {
			apitest.DeviceOf(seller), "Scan", fmt.Sprintf("mutation { annulScan(id: %q)", scanned), domain.CodeForbidden,
		},
		"a buyer": {
			nil, "Checkout", fmt.Sprintf("mutation { abortCheckout(id: %q, secret: %q)", made.ID, made.Secret), domain.CodeUnauthenticated,
		},
		"a shop": {nil, "Checkout", fmt.Sprintf("mutation { createCheckout(input: {sellerId: %q, eventId: %q, customerId: %q, items: [{ticketTypeId: %q, amount: 1}]})",
			seller.SellerID, seller.EventID, seller.CustomerID, seller.TicketTypeID), domain.CodeUnauthenticated},
		"a device that pairs": {
			nil, "AccessUser", fmt.Sprintf("mutation { pairAccessUser(input: {code: %q})", h.PairingCode(t, seller, "Paired")),
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
		o := h.Execute(t, row.as, row.answer+" { _id"+followed+" } }", nil)
		data, _ := o.Result.(object)
		if len(data) != 1 || o.Refusal.Code != string(row.code) {
			t.Errorf("%s: %v", who, o)
		}
		for field := range leads {
			if !strings.Contains(string(o.Body), fmt.Sprintf(",%q]", field)) || !strings.Contains(string(o.Body), fmt.Sprintf("%q:null", field)) {
				t.Errorf("%s, %s: %v", who, field, o)
			}
		}
	}
}

// manyOf counts what an edge to many leads to from one object.
func manyOf[F, T any](
	h *apitest.Server, t *testing.T, read func(context.Context, []string, F, domain.Page) (map[string]domain.List[T], error), of string, page domain.Page,
) func(demo.Seller) (int, error) {
	t.Helper()
	return func(as demo.Seller) (int, error) {
		var all F
		found, err := read(h.ActingOn(t, as), []string{of}, all, page)
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
	h := apitest.Open(t)
	seller, other := h.Demo.Sellers[0], h.Demo.Sellers[1]
	scanned := h.Scan(t, seller, "First")
	ids := linked(t, h, seller, sells(t, h, seller))
	ids["scan"] = scanned
	page := domain.Page{Limit: 5}
	for name, follow := range map[string]func(demo.Seller) (int, error){
		"device": func(as demo.Seller) (int, error) {
			found, err := h.Do.Devices.ByID(h.ActingOn(t, as), []string{ids["device"]})
			return len(found), err
		},
		"scan group": func(as demo.Seller) (int, error) {
			found, err := h.Do.ScanGroups.ByID(h.ActingOn(t, as), []string{ids["scanGroup"]})
			return len(found), err
		},
		"ticket": func(as demo.Seller) (int, error) {
			found, err := h.Do.Tickets.ByID(h.ActingOn(t, as), []string{ids["ticket"]})
			return len(found), err
		},
		"scan zone": func(as demo.Seller) (int, error) {
			found, err := h.Do.ScanZones.ByID(h.ActingOn(t, as), []string{ids["zone"]})
			return len(found), err
		},
		"event of a sale": func(as demo.Seller) (int, error) {
			found, err := h.Do.CatalogEvents.ByTransaction(h.ActingOn(t, as), []string{ids["transaction"]})
			return len(found), err
		},
		"invoice": func(as demo.Seller) (int, error) {
			found, err := h.Do.Invoices.ByID(h.ActingOn(t, as), []string{ids["invoice"]})
			return len(found), err
		},
		"checkout": func(as demo.Seller) (int, error) {
			found, err := h.Do.Checkouts.ByTransaction(h.ActingOn(t, as), []string{ids["transaction"]})
			return len(found), err
		},
		"scan count": func(as demo.Seller) (int, error) {
			found, err := h.Do.Scans.CountOfDevices(h.ActingOn(t, as), []string{ids["device"]}, moment.DateTime{})
			return found[ids["device"]], err
		},
		"groups of an event": manyOf(h, t, h.Do.ScanGroups.OfEvents, ids["event"], page),
		"devices of a group": manyOf(h, t, h.Do.Devices.OfGroups, ids["scanGroup"], page),
		"scans of a group":   manyOf(h, t, h.Do.Scans.OfGroups, ids["scanGroup"], page),
		"scans of a device":  manyOf(h, t, h.Do.Scans.OfDevices, ids["device"], page),
		"events of a group":  manyOf(h, t, h.Do.CatalogEvents.OfScanGroups, ids["scanGroup"], page),
		"events of a device": manyOf(h, t, h.Do.CatalogEvents.OfDevices, ids["device"], page),
		"types of a group":   manyOf(h, t, h.Do.TicketTypes.OfScanGroups, ids["scanGroup"], page),
		"sales of an event":  manyOf(h, t, h.Do.Transactions.OfEvents, ids["event"], page),
		"tickets of a sale":  manyOf(h, t, h.Do.Tickets.OfTransactions, ids["transaction"], page),
		"intents of a buyer": manyOf(h, t, h.Do.PurchaseIntents.OfCustomers, ids["customer"], page),
		"cancellations":      manyOf(h, t, h.Do.Invoices.Cancellations, ids["invoice"], page),
	} {
		if found, err := follow(seller); found == 0 || err != nil {
			t.Errorf("%s, the seller itself: %d (%v)", name, found, err)
		}
		if found, err := follow(other); found != 0 || err != nil {
			t.Errorf("%s, another seller: %d (%v)", name, found, err)
		}
	}
}
