package edges

import (
	"encoding/json"
	"fmt"
	"strings"
	"testing"

	"ticketgate/cmd/systemtest"
	"ticketgate/cmd/systemtest/apitest"
	"ticketgate/cmd/ticketgate/demo"
	"ticketgate/domain"
	"ticketgate/domain/access"
	"ticketgate/domain/catalog"
	"ticketgate/domain/optional"
	"ticketgate/domain/sale"
	"ticketgate/domain/scan"
)

// bought is a sale with all its records, and a webhook with a delivery.
type bought struct {
	checkout, transaction, ticket, barcode, invoice, event, ticketType string
	// The event is below above, and series is its root.
	above, series, zone, customer, list, entry, scan, origin string
	webhook, delivery                                        string
}

// A ticket within a response needs its own permission: a key that lists or makes scans reads no tickets through them. REST
// omits the ticket.
func TestTheTicketInAResponseNeedsItsOwnPermission(t *testing.T) {
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
	scanning := apitest.To(domain.ScanTicket, object{"input": object{"barcode": ticket, "deviceId": seller.DeviceID}})
	o := h.ThroughREST(t, h.KeyWith(t, seller, "scans:create"), apitest.RoutesOf(domain.ScanTicket)[0], scanning)
	if answer, ok := o.Result.(object); !ok || answer["access"] == nil || answer["ticket"] != nil {
		t.Errorf("REST without tickets:list: %v", o)
	}
	o = h.ThroughREST(t, apitest.DeviceOf(seller), apitest.RoutesOf(domain.ScanTicket)[0], scanning)
	if answer, ok := o.Result.(object); !ok || answer["ticket"] == nil {
		t.Errorf("a device: %v", o)
	}
}

// sells completes a checkout and returns its records.
func sells(t *testing.T, h *apitest.Server, seller demo.Seller) bought {
	t.Helper()
	b := bought{event: seller.EventID, ticketType: seller.TicketTypeID, customer: h.Customer(t, seller, "buying"), list: seller.AccessListID}
	checkout, err := h.Do.Checkouts.Create(h.ActingOn(t, seller), sale.NewCheckout{
		EventID: seller.EventID, CustomerID: &b.customer, Items: []sale.WantedItem{{TicketTypeID: seller.TicketTypeID, Amount: 1}},
	})
	systemtest.Must(t, err)
	_, err = h.Do.Checkouts.Submit(h.ActingOn(t, seller), checkout.ID, "", sale.Details{Buyer: sale.Buyer{Name: new("The buyer")}})
	systemtest.Must(t, err)
	b.checkout = checkout.ID
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

// surrounds adds records that edges lead to: an event above the sold one, a scan zone, an entry with the ticket's barcode, a
// scan, and an original ticket.
func surrounds(t *testing.T, h *apitest.Server, seller demo.Seller, b *bought) {
	t.Helper()
	ctx := h.ActingOn(t, seller)
	b.above, b.series = h.GroupEvent(t, seller, "above"), h.RootEvent(t, seller, "above")
	_, err := h.SQL.ExecContext(ctx, "UPDATE catalog_events SET parent_event_id = $1, root_event_id = $2 WHERE id = $3", b.above, b.series, b.event)
	systemtest.Must(t, err)
	zone, err := h.Do.ScanZones.Create(ctx, catalog.NewScanZone{Name: "Hall", EventID: &b.event})
	systemtest.Must(t, err)
	b.zone = zone.ID
	entry, err := h.Do.AccessEntries.Create(ctx, b.list, access.NewEntry{ExternalCode: b.barcode, CustomerID: optional.Some(b.customer)})
	systemtest.Must(t, err)
	b.entry = entry.ID
	answer, err := h.Do.Scans.Scan(ctx, scan.Attempt{Barcode: b.barcode, DeviceID: seller.DeviceID})
	systemtest.Must(t, err)
	b.scan, b.origin = answer.ScanID, seller.TicketID
	_, err = h.SQL.ExecContext(ctx, `UPDATE tickets SET document = (document::jsonb || jsonb_build_object('originTicketId', $1::text))::json
		WHERE id = $2`, b.origin, b.ticket)
	systemtest.Must(t, err)
}
