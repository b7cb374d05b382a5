package edges

import (
	"fmt"
	"strings"
	"testing"

	"ticketgate/cmd/systemtest/apitest"
	"ticketgate/domain"
)

// Every Node is found by its type and id, but not by another type or by another seller (GRAPH-7).
func TestObjectIsFoundByItsType(t *testing.T) {
	t.Parallel()
	h := apitest.Open(t)
	seller, other := h.Demo.Sellers[0], h.Demo.Sellers[1]
	sold := sells(t, h, seller)
	hook, _ := develops(t, h, seller)
	as := h.Session(t, seller.AdminEmail, seller.AdminPassword)
	foreign := h.Session(t, other.AdminEmail, other.AdminPassword)
	ids := map[string]string{
		"AccessList": sold.list, "AccessUser": seller.DeviceID, "Checkout": sold.checkout, "Customer": sold.customer,
		"Event": seller.EventID, "Invoice": sold.invoice, "ScanGroup": seller.ScanGroupID, "ScanZone": sold.zone,
		"Seller": string(seller.SellerID), "Ticket": sold.ticket, "TicketType": seller.TicketTypeID,
		"Transaction": sold.transaction, "Webhook": hook, "ApiKey": h.Key(t, seller, "A node"),
		"Scan": h.Scan(t, seller, "A node"), "PurchaseIntent": linked(t, h, seller, sold)["purchaseIntent"],
	}
	for _, value := range h.Schema.Types["NodeType"].EnumValues {
		t.Run(value.Name, func(t *testing.T) {
			id := ids[value.Name]
			document := fmt.Sprintf(`{ node(id: %q, type: %s) { __typename _id } }`, id, value.Name)
			if o := h.Execute(t, as, document, nil); !strings.Contains(string(o.Body), fmt.Sprintf(`{"__typename":%q,"_id":%q}`, value.Name, id)) {
				t.Errorf("%v", o)
			}
			if o := h.Execute(t, foreign, document, nil); o.Result != nil || o.Refusal.Code == "" {
				t.Errorf("another seller: %v", o)
			}
		})
	}
	if got, want := len(ids), len(h.Schema.PossibleTypes["Node"]); got != want || want != len(h.Schema.Types["NodeType"].EnumValues) {
		t.Errorf("tried %d types of %d nodes", got, want)
	}
	if o := h.Execute(t, as, fmt.Sprintf(`{ node(id: %q, type: Event) { _id } }`, sold.ticket), nil); o.Refusal.Code != string(domain.CodeNotFound) {
		t.Errorf("a ticket as an event: %v", o)
	}
	if o := h.Execute(t, apitest.Bearer(seller.APIKey), fmt.Sprintf(`{ node(id: %q, type: ApiKey) { _id } }`, ids["ApiKey"]), nil); o.Refusal.Code != string(domain.CodeForbidden) {
		t.Errorf("a key as the caller: %v", o)
	}
}
