package edges

import (
	"testing"

	"ticketgate/cmd/systemtest"
	"ticketgate/cmd/systemtest/apitest"
	"ticketgate/cmd/ticketgate/demo"
	"ticketgate/domain"
	"ticketgate/domain/access"
	"ticketgate/domain/catalog"
	"ticketgate/domain/optional"
	"ticketgate/domain/scan"
)

// catalogReferrals are the edges of events, ticket types, scan zones, tickets, customers and access lists.
var catalogReferrals = map[string]referral{
	"AccessList.entries": {
		query: `query($id: ID!) { accessList(id: $id) { _id entries(filter: {externalCode: "<barcode>"}) { nodes { _id } } } }`,
		found: `{"accessList":{"_id":"%[1]s","entries":{"nodes":[{"_id":"<entry>"}]}}}`,
		id:    func(b bought) string { return b.list }, needs: [2]domain.Permission{"accessLists:list", "accessLists:list"},
	},
	"AccessList.size": {
		query: `query($id: ID!) { accessList(id: $id) { _id size { listId entries more } } }`,
		found: `{"accessList":{"_id":"%[1]s","size":{"listId":"<list>","entries":2,"more":false}}}`,
		id:    func(b bought) string { return b.list }, needs: [2]domain.Permission{"accessLists:list", "accessLists:list"},
	},
	"AccessListEntry.customer": {
		query: `query($id: ID!) { accessListEntry(listId: "<list>", id: $id) { _id customer { _id } } }`,
		found: `{"accessListEntry":{"_id":"%[1]s","customer":{"_id":"<customer>"}}}`,
		id:    func(b bought) string { return b.entry }, needs: [2]domain.Permission{"accessLists:list", "customers:list"},
	},
	"AccessListEntry.list": {
		query: `query($id: ID!) { accessListEntry(listId: "<list>", id: $id) { _id list { _id } } }`,
		found: `{"accessListEntry":{"_id":"%[1]s","list":{"_id":"<list>"}}}`,
		id:    func(b bought) string { return b.entry }, needs: [2]domain.Permission{"accessLists:list", "accessLists:list"},
	},
	"AccessListEntry.ticket": {
		query: `query($id: ID!) { accessListEntry(listId: "<list>", id: $id) { _id ticket { _id } } }`,
		found: `{"accessListEntry":{"_id":"%[1]s","ticket":{"_id":"<ticket>"}}}`,
		id:    func(b bought) string { return b.entry }, needs: [2]domain.Permission{"accessLists:list", "tickets:list"},
	},
	"Customer.checkouts": {
		query: `query($id: ID!) { customer(id: $id) { _id checkouts { nodes { _id } } } }`,
		found: `{"customer":{"_id":"%[1]s","checkouts":{"nodes":[{"_id":"<checkout>"}]}}}`,
		id:    func(b bought) string { return b.customer }, needs: [2]domain.Permission{"customers:list", "checkouts:list"},
	},
	"Customer.invoices": {
		query: `query($id: ID!) { customer(id: $id) { _id invoices { nodes { _id } } } }`,
		found: `{"customer":{"_id":"%[1]s","invoices":{"nodes":[{"_id":"<invoice>"}]}}}`,
		id:    func(b bought) string { return b.customer }, needs: [2]domain.Permission{"customers:list", "invoices:list"},
	},
	"Customer.tickets": {
		query: `query($id: ID!) { customer(id: $id) { _id tickets { nodes { _id } } } }`,
		found: `{"customer":{"_id":"%[1]s","tickets":{"nodes":[{"_id":"<ticket>"}]}}}`,
		id:    func(b bought) string { return b.customer }, needs: [2]domain.Permission{"customers:list", "tickets:list"},
	},
	"Customer.transactions": {
		query: `query($id: ID!) { customer(id: $id) { _id transactions { nodes { _id } } } }`,
		found: `{"customer":{"_id":"%[1]s","transactions":{"nodes":[{"_id":"<transaction>"}]}}}`,
		id:    func(b bought) string { return b.customer }, needs: [2]domain.Permission{"customers:list", "transactions:list"},
	},
	"Event.children": {
		query: `query($id: ID!) { event(id: $id) { _id children { nodes { _id } } } }`,
		found: `{"event":{"_id":"%[1]s","children":{"nodes":[{"_id":"<event>"}]}}}`,
		id:    func(b bought) string { return b.above }, needs: [2]domain.Permission{"events:list", "events:list"},
	},
	"Event.occupancy": {
		query: `query($id: ID!) { event(id: $id) { _id occupancy { eventId inside checkedIn } } }`,
		found: `{"event":{"_id":"%[1]s","occupancy":{"eventId":"<event>","inside":1,"checkedIn":1}}}`,
		id:    func(b bought) string { return b.event }, needs: [2]domain.Permission{"events:list", "scans:list"},
	},
	"Event.parent": {
		query: `query($id: ID!) { event(id: $id) { _id parent { _id } } }`,
		found: `{"event":{"_id":"%[1]s","parent":{"_id":"<above>"}}}`,
		id:    func(b bought) string { return b.event }, needs: [2]domain.Permission{"events:list", "events:list"},
	},
	"Event.root": {
		query: `query($id: ID!) { event(id: $id) { _id root { _id } } }`,
		found: `{"event":{"_id":"%[1]s","root":{"_id":"<series>"}}}`,
		id:    func(b bought) string { return b.event }, needs: [2]domain.Permission{"events:list", "events:list"},
	},
	"Event.scanZones": {
		query: `query($id: ID!) { event(id: $id) { _id scanZones { nodes { _id } } } }`,
		found: `{"event":{"_id":"%[1]s","scanZones":{"nodes":[{"_id":"<zone>"}]}}}`,
		id:    func(b bought) string { return b.event }, needs: [2]domain.Permission{"events:list", "scanZones:list"},
	},
	"Event.tickets": {
		query: `query($id: ID!) { event(id: $id) { _id tickets(filter: {transactionId: "<transaction>"}) { nodes { _id } } } }`,
		found: `{"event":{"_id":"%[1]s","tickets":{"nodes":[{"_id":"<ticket>"}]}}}`,
		id:    func(b bought) string { return b.event }, needs: [2]domain.Permission{"events:list", "tickets:list"},
	},
	"ScanZone.event": {
		query: `query($id: ID!) { scanZone(id: $id) { _id event { _id } } }`,
		found: `{"scanZone":{"_id":"%[1]s","event":{"_id":"<event>"}}}`,
		id:    func(b bought) string { return b.zone }, needs: [2]domain.Permission{"scanZones:list", "events:list"},
	},
	"Ticket.customer": {
		query: `query($id: ID!) { ticket(id: $id) { _id customer { _id } } }`,
		found: `{"ticket":{"_id":"%[1]s","customer":{"_id":"<customer>"}}}`,
		id:    func(b bought) string { return b.ticket }, needs: [2]domain.Permission{"tickets:list", "customers:list"},
	},
	"Ticket.entry": {
		query: `query($id: ID!) { ticket(id: $id) { _id entry { _id } } }`,
		found: `{"ticket":{"_id":"%[1]s","entry":{"_id":"<entry>"}}}`,
		id:    func(b bought) string { return b.ticket }, needs: [2]domain.Permission{"tickets:list", "accessLists:list"},
	},
	"Ticket.originTicket": {
		query: `query($id: ID!) { ticket(id: $id) { _id originTicket { _id } } }`,
		found: `{"ticket":{"_id":"%[1]s","originTicket":{"_id":"<origin>"}}}`,
		id:    func(b bought) string { return b.ticket }, needs: [2]domain.Permission{"tickets:list", "tickets:list"},
	},
	"Ticket.presence": {
		query: `query($id: ID!) { ticket(id: $id) { _id presence { inside } } }`,
		found: `{"ticket":{"_id":"%[1]s","presence":{"inside":true}}}`,
		id:    func(b bought) string { return b.ticket }, needs: [2]domain.Permission{"tickets:list", "scans:list"},
	},
	"Ticket.scans": {
		query: `query($id: ID!) { ticket(id: $id) { _id scans { nodes { _id } } } }`,
		found: `{"ticket":{"_id":"%[1]s","scans":{"nodes":[{"_id":"<scan>"}]}}}`,
		id:    func(b bought) string { return b.ticket }, needs: [2]domain.Permission{"tickets:list", "scans:list"},
	},
	"TicketType.checkedIn": {
		query: `query($id: ID!) { ticketType(id: $id) { _id checkedIn } }`,
		found: `{"ticketType":{"_id":"%[1]s","checkedIn":1}}`,
		id:    func(b bought) string { return b.ticketType }, needs: [2]domain.Permission{"events:list", "scans:list"},
	},
	"TicketType.inside": {
		query: `query($id: ID!) { ticketType(id: $id) { _id inside } }`,
		found: `{"ticketType":{"_id":"%[1]s","inside":1}}`,
		id:    func(b bought) string { return b.ticketType }, needs: [2]domain.Permission{"events:list", "scans:list"},
	},
	"TicketType.sold": {
		query: `query($id: ID!) { ticketType(id: $id) { _id sold } }`,
		found: `{"ticketType":{"_id":"%[1]s","sold":2}}`,
		id:    func(b bought) string { return b.ticketType }, needs: [2]domain.Permission{"events:list", "tickets:list"},
	},
}

// surrounds gives what was bought the records that edges lead to: an event above its event, a scan zone, an entry with the
// ticket's barcode, a scan, and a ticket that it comes from.
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
