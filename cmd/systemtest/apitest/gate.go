package apitest

import (
	"fmt"
	"testing"

	"ticketgate/cmd/systemtest"
	"ticketgate/cmd/ticketgate/demo"
	"ticketgate/domain/access"
	"ticketgate/domain/ecmajson"
	"ticketgate/domain/optional"
	"ticketgate/domain/scan"
	"ticketgate/domain/ticket"
	"ticketgate/rest/resttest"
)

// Gate is a server with a static list and a device that may look up tickets for all of its codes.
type Gate struct {
	*Server
	Seller demo.Seller
	List   access.List
	Device scan.Device
}

// OpenGate starts a server that makes deliveries, and creates a list and a device of the first seller.
func OpenGate(t *testing.T) *Gate {
	t.Helper()
	h := Open(t, DeliversToTests)
	g := &Gate{Server: h, Seller: h.Demo.Sellers[0]}
	ctx := h.ActingOn(t, g.Seller)
	var err error
	g.List, err = h.Do.AccessLists.Create(ctx, access.NewList{Name: "Cards"})
	systemtest.Must(t, err)
	group, err := h.Do.ScanGroups.Create(ctx, scan.NewGroup{
		Name: "Gates", ScanConfig: scan.Config{Mode: "default", TapAndGo: &scan.TapAndGo{Enabled: true}},
	})
	systemtest.Must(t, err)
	g.Device, err = h.Do.Devices.Create(ctx, scan.NewDevice{
		Name: "Gate 1", AccessAllEvents: optional.Some(true),
		DeviceSettings: optional.Some(scan.AccessSettings{ScanGroupID: &group.ID}),
	})
	systemtest.Must(t, err)
	return g
}

// Knows creates an entry for a code and a ticket for its holder, and returns the ticket's id.
func (g *Gate) Knows(t *testing.T, code string) (ticketID string) {
	t.Helper()
	ctx, holder := g.ActingOn(t, g.Seller), systemtest.Serial("holder")
	_, err := g.Do.AccessEntries.Create(ctx, g.List.ID, access.NewEntry{ExternalCode: code, CustomerID: optional.Some(holder)})
	systemtest.Must(t, err)
	ticketID = "ticket of " + holder
	value, err := ecmajson.Parse(fmt.Appendf(nil, `{"_id":%q,"sellerId":%q,"eventId":"e1","ticketTypeId":"tt","ticketName":"Day",
		"status":"VALID","secret":"s","barcode":%q,"customerId":%q,"email":"anna@example.org"}`,
		ticketID, g.Seller.SellerID, "b "+holder, holder), ecmajson.Limits{})
	systemtest.Must(t, err)
	_, err = g.Do.Tickets.Import(ctx, ticket.Import{Tickets: []ecmajson.Value{value}})
	systemtest.Must(t, err)
	return ticketID
}

// Asks looks up a code. written is the code as it appears in the path.
func (g *Gate) Asks(t *testing.T, written, query string) resttest.Answer {
	t.Helper()
	return g.REST.In(t).With("token", g.Device.Token).Get("/api/access-lists/entries/" + written + "/ticket" + query)
}
