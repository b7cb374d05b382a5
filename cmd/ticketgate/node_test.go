package main

import (
	"fmt"
	"strings"
	"testing"

	"ticketgate/domain"
)

// Every object that is a Node is found by its type and id, and no object is found by another type or by another seller
// (GRAPH-7).
func TestAnObjectIsFoundByItsType(t *testing.T) {
	t.Parallel()
	h := openHouse(t)
	seller, other := h.world.Sellers[0], h.world.Sellers[1]
	sold := h.sells(t, seller)
	hook, _ := h.develops(t, seller)
	as := h.session(t, seller.AdminEmail, seller.AdminPassword)
	foreign := h.session(t, other.AdminEmail, other.AdminPassword)
	ids := map[string]string{
		"AccessList": sold.list, "AccessUser": seller.DeviceID, "Checkout": sold.checkout, "Customer": sold.customer,
		"Event": seller.EventID, "Invoice": sold.invoice, "ScanGroup": seller.ScanGroupID, "ScanZone": sold.zone,
		"Seller": string(seller.SellerID), "Ticket": sold.ticket, "TicketType": seller.TicketTypeID,
		"Transaction": sold.transaction, "Webhook": hook, "ApiKey": h.key(t, seller, "A node"),
		"Scan": h.scan(t, seller, "A node"), "PurchaseIntent": h.linked(t, seller, sold)["purchaseIntent"],
	}
	for _, value := range h.schema.Types["NodeType"].EnumValues {
		t.Run(value.Name, func(t *testing.T) {
			id := ids[value.Name]
			document := fmt.Sprintf(`{ node(id: %q, type: %s) { __typename _id } }`, id, value.Name)
			if o := h.execute(t, as, document, nil); !strings.Contains(string(o.body), fmt.Sprintf(`{"__typename":%q,"_id":%q}`, value.Name, id)) {
				t.Errorf("%v", o)
			}
			if o := h.execute(t, foreign, document, nil); o.result != nil || o.refusal.Code == "" {
				t.Errorf("another seller: %v", o)
			}
		})
	}
	if got, want := len(ids), len(h.schema.PossibleTypes["Node"]); got != want || want != len(h.schema.Types["NodeType"].EnumValues) {
		t.Errorf("tried are %d types of %d nodes", got, want)
	}
	if o := h.execute(t, as, fmt.Sprintf(`{ node(id: %q, type: Event) { _id } }`, sold.ticket), nil); o.refusal.Code != string(domain.CodeNotFound) {
		t.Errorf("a ticket as an event: %v", o)
	}
	if o := h.execute(t, bearer(seller.APIKey), fmt.Sprintf(`{ node(id: %q, type: ApiKey) { _id } }`, ids["ApiKey"]), nil); o.refusal.Code != string(domain.CodeForbidden) {
		t.Errorf("a key asks for a key: %v", o)
	}
}
