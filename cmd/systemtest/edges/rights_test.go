package edges

import (
	"cmp"
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

// linked cancels a sale and returns the ids of all objects that the sale and the first scan lead to, by the names used
// in edges.
func linked(t *testing.T, h *apitest.Server, seller demo.Seller, sold bought) map[string]string {
	t.Helper()
	ctx := h.ActingOn(t, seller)
	ids := map[string]string{
		"event": sold.event, "ticketType": sold.ticketType, "device": seller.DeviceID, "scanGroup": seller.ScanGroupID,
		"checkout": sold.checkout, "transaction": sold.transaction, "invoice": sold.invoice, "ticket": sold.ticket, "barcode": sold.barcode,
		"above": sold.above, "series": sold.series, "zone": sold.zone, "customer": sold.customer, "list": sold.list, "entry": sold.entry,
		"scan": sold.scan, "origin": sold.origin, "webhook": sold.webhook, "delivery": sold.delivery,
		"scans": strconv.Itoa(h.Count(t, "SELECT count(*) FROM scans WHERE device_id = $1", seller.DeviceID)),
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
	ids["cancellation"] = only(t, h, "SELECT id FROM invoices WHERE transaction_id = $1 AND kind = 'cancellation'", sold.transaction)
	ids["firstScan"] = only(t, h, "SELECT id FROM scans WHERE seller_id = $1 ORDER BY id LIMIT 1", string(seller.SellerID))
	ids["scanned"] = only(t, h, "SELECT ticket_id FROM scans WHERE id = $1", ids["firstScan"])
	inZone(t, h, seller, sold.zone)
	return ids
}

// inZone moves all scans of the seller to a zone.
func inZone(t *testing.T, h *apitest.Server, seller demo.Seller, zone string) {
	t.Helper()
	_, err := h.SQL.ExecContext(t.Context(), "UPDATE scans SET scan_zone_id = $1 WHERE seller_id = $2", zone, string(seller.SellerID))
	systemtest.Must(t, err)
}

// An edge requires the rights of its operation, for every caller. A refused edge leaves the rest of the response intact
// (GRAPH-1, GRAPH-2).
func TestEdgeNeedsPermissionOfOperation(t *testing.T) {
	t.Parallel()
	h := apitest.Open(t)
	seller := h.Demo.Sellers[0]
	h.Scan(t, seller, "First")
	sold := sells(t, h, seller)
	sold.webhook, sold.delivery = develops(t, h, seller)
	ids := linked(t, h, seller, sold)
	f := &followers{
		Server: h, seller: seller, ids: ids, keys: map[[2]domain.Permission]apitest.Caller{},
		admin:        h.Session(t, seller.AdminEmail, seller.AdminPassword),
		viewer:       h.Session(t, seller.ViewerEmail, seller.ViewerPassword),
		organization: apitest.Bearer(h.Demo.Organizations[0].Key).On(seller.SellerID),
	}
	for name, e := range edges {
		if (e.triedBy == "") == (e.found == "") {
			t.Errorf("%s must be tried in exactly one test", name)
		}
		if e.found != "" {
			t.Run(name, func(t *testing.T) { f.follow(t, name, e) })
		}
	}
	t.Run("a cancellation has no cancellation", func(t *testing.T) {
		o := h.Execute(t, apitest.Bearer(seller.APIKey), replaced(ids, `{ invoice(id: "<cancellation>") { canceledBy { nodes { _id } } } }`), nil)
		if textOf(t, o.Result) != `{"invoice":{"canceledBy":{"nodes":[]}}}` {
			t.Errorf("%v", o)
		}
	})
	t.Run("an invoice cancels no other", func(t *testing.T) {
		o := h.Execute(t, apitest.Bearer(seller.APIKey), replaced(ids, `{ invoice(id: "<invoice>") { canceledInvoice { _id } } }`), nil)
		if o.Refusal.Code != "" || !strings.Contains(string(o.Body), `"data":{"invoice":{"canceledInvoice":null}}`) {
			t.Errorf("%v", o)
		}
	})
	t.Run("a device gets tickets and nothing behind them", func(t *testing.T) {
		for name, e := range edges {
			field, ofTicket := strings.CutPrefix(name, "Ticket.")
			if !ofTicket {
				continue
			}
			o := h.Execute(t, apitest.DeviceOf(seller),
				fmt.Sprintf("query($event: ID!) { accessUserTickets(filter: {eventId: $event}) { nodes { _id %s%s } } }", field, e.follow),
				object{"event": seller.EventID})
			if o.Refusal.Code != string(domain.CodeForbidden) || !strings.Contains(string(o.Body), `"_id":"`+sold.ticket+`","`+field+`":null`) {
				t.Errorf("%s: %v", name, o)
			}
		}
	})
	t.Run("a buyer gets no transaction", func(t *testing.T) {
		checkout, err := h.Do.Checkouts.Create(h.ActingOn(t, seller), sale.NewCheckout{
			EventID: seller.EventID, Items: []sale.WantedItem{{TicketTypeID: seller.TicketTypeID, Amount: 1}},
		})
		systemtest.Must(t, err)
		o := h.Execute(t, nil, `mutation($id: ID!, $secret: String) { abortCheckout(id: $id, secret: $secret) { status transaction { _id } } }`,
			object{"id": checkout.ID, "secret": checkout.Secret})
		if o.Refusal.Code != "" || textOf(t, o.Result) != `{"abortCheckout":{"status":"ABORTED"}}` {
			t.Errorf("%v", o)
		}
	})
}

// followers are callers who follow edges, permitted or not, and the ids of what the edges lead to.
type followers struct {
	*apitest.Server
	seller                      demo.Seller
	ids                         map[string]string
	admin, viewer, organization apitest.Caller
	keys                        map[[2]domain.Permission]apitest.Caller
}

// key creates a key with the permissions for a record and for an edge, which may be the same.
func (f *followers) key(t *testing.T, permissions ...domain.Permission) apitest.Caller {
	t.Helper()
	name := [2]domain.Permission(append(permissions, permissions...))
	if _, created := f.keys[name]; !created {
		f.keys[name] = f.KeyWith(t, f.seller, permissions...)
	}
	return f.keys[name]
}

// follow follows an edge as all kinds of callers.
func (f *followers) follow(t *testing.T, name string, e edgeRow) {
	t.Helper()
	record, field, _ := strings.Cut(name, ".")
	of := reachedBy[record]
	allowed, needed := domain.RuleOf(of.lookup), domain.RuleOf(e.reads)
	head := replaced(f.ids, fmt.Sprintf(`{%q:{%q:"<%s>"`, of.lookup, idOf(record), cmp.Or(e.from, of.of)))
	beside, whole := head+"}}", head+fmt.Sprintf(`,%q:`, field)+replaced(f.ids, e.found)
	if begins, more := strings.CutSuffix(whole, "…"); more {
		whole = begins
	} else {
		whole += "}}"
	}
	arguments := argumentsOf(of.arguments, fmt.Sprintf("id: \"<%s>\"", cmp.Or(e.from, of.of)))
	document := replaced(f.ids, fmt.Sprintf("{ %s(%s) { %s %s%s } }", of.lookup, arguments, idOf(record), field, e.follow))
	refused := func(who string, as apitest.Caller, code domain.Code, said string) {
		o := f.Execute(t, as, document, nil)
		if o.Refusal.Code != string(code) || !strings.Contains(o.Refusal.Message, said) || textOf(t, o.Result) != beside ||
			!strings.Contains(string(o.Body), fmt.Sprintf(`"path":[%q,%q]`, of.lookup, field)) {
			t.Errorf("%s: %v, want %s with %s", who, o, code, beside)
		}
	}
	may := map[string]apitest.Caller{
		"a key with both":            f.key(t, allowed.Permission, needed.Permission),
		"an administrator":           f.admin,
		"the platform on the seller": apitest.Bearer(systemtest.SystemToken).On(f.seller.SellerID),
	}
	mayNot := map[string]apitest.Caller{"a device": apitest.DeviceOf(f.seller), "a stranger": nil}
	viewers := may
	if max(allowed.Role, needed.Role) > domain.Viewer {
		viewers = mayNot
	}
	viewers["a viewer"] = f.viewer
	switch {
	case allowed.OrganizationKey && needed.OrganizationKey:
		may["the organization's key"] = f.organization
	case allowed.OrganizationKey:
		refused("the organization's key", f.organization, domain.CodeForbidden, "use a key of the seller")
	default:
		mayNot["the organization's key"] = f.organization
	}
	for who, as := range may {
		if o := f.Execute(t, as, document, nil); !strings.Contains(string(o.Body), `"data":`+whole) {
			t.Errorf("%s: %v, want %s", who, o, whole)
		}
	}
	for who, as := range mayNot {
		if o := f.Execute(t, as, document, nil); o.Refusal.Code == "" || strings.Contains(string(o.Body), `"data":`+whole) {
			t.Errorf("%s: %v", who, o)
		}
	}
	if allowed.Permission != needed.Permission {
		refused("a key without the permission", f.key(t, allowed.Permission), domain.CodeMissingPermission,
			fmt.Sprintf("Missing permission %q", needed.Permission))
	}
	if o := f.Execute(t, apitest.Bearer(f.Demo.Sellers[1].APIKey), document, nil); o.Refusal.Code != string(domain.CodeNotFound) || o.Result != nil {
		t.Errorf("another seller's key: %v", o)
	}
}

// Devices, buyers and callers without a credential get records in responses to their actions. They can't follow edges.
func TestDevicesAndBuyersFollowNoEdges(t *testing.T) {
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
		for name, e := range edges {
			record, field, _ := strings.Cut(name, ".")
			// A device knows its scan group, and an aborted checkout has no transaction.
			if record == row.record && field != "scanGroup" && field != "transaction" {
				followed, leads[field] = followed+" "+field+e.follow, true
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

// manyOf returns a function that counts the objects that an edge leads to.
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
			t.Errorf("total %d, but %d items", total, len(found[of].Items))
		}
		return total, err
	}
}

// Records such as imported ones may name ids of another seller. The edge then leads nowhere.
func TestEdgesLeadOnlyToTheSellersRecords(t *testing.T) {
	t.Parallel()
	h := apitest.Open(t)
	seller, other := h.Demo.Sellers[0], h.Demo.Sellers[1]
	h.Scan(t, seller, "First")
	ids := linked(t, h, seller, sells(t, h, seller))
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
