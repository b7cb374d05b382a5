package graph

import (
	"ticketgate/domain"
	"ticketgate/domain/access"
	"ticketgate/domain/apikey"
	"ticketgate/domain/audit"
	"ticketgate/domain/catalog"
	"ticketgate/domain/sale"
	"ticketgate/domain/scan"
	"ticketgate/domain/tenant"
	"ticketgate/domain/texts"
	"ticketgate/domain/ticket"
	"ticketgate/domain/webhook"
)

// Ids by which edges find objects that belong to a parent, and objects that the parent refers to.

func idOfEvent(e *catalog.Event) string { return e.ID }

func parentOfEvent(e *catalog.Event) string { return texts.Of(e.ParentEventID) }

func rootOfEvent(e *catalog.Event) string { return texts.Of(e.RootEventID) }

func idOfTicketType(t *catalog.TicketType) string { return t.ID }

func eventOfTicketType(t *catalog.TicketType) string { return t.EventID }

func eventOfZone(z *catalog.ScanZone) string { return texts.Of(z.EventID) }

func idOfCustomer(c *catalog.Customer) string { return c.ID }

func idOfTicket(t *ticket.Record) string { return t.ID }

func barcodeOfTicket(t *ticket.Record) string { return t.Barcode }

func customerOfTicket(t *ticket.Record) string { return texts.Of(t.CustomerID) }

func eventOfTicket(t *ticket.Record) string { return t.EventID }

func originOfTicket(t *ticket.Record) string { return texts.Of(t.OriginTicketID) }

func idOfOrganization(o *tenant.Organization) string { return string(o.ID) }

func organizationOfSeller(s *tenant.Seller) string { return string(s.OrganizationID) }

// placesOf returns the sellers and organizations that a caller belongs to.
func placesOf(me tenant.Me) mixed {
	var places mixed
	add := func(seller *tenant.Seller, organization *tenant.Organization) {
		if seller != nil {
			places = append(places, *seller)
		}
		if organization != nil {
			places = append(places, *organization)
		}
	}
	add(me.Seller, me.Organization)
	for _, membership := range me.Memberships {
		add(membership.Seller, membership.Organization)
	}
	return places
}

func idOfKey(k *apikey.Key) string { return k.ID }

func creatorOfKey(k *apikey.Key) string {
	return object{string(k.CreatedBy.Type), k.CreatedBy.ID}.key()
}

func actorOfEntry(e *audit.Entry) string { return object{e.ActorType, e.ActorID}.key() }

func recordOfEntry(e *audit.Entry) string { return object{e.Object, e.ObjectID}.key() }

func idOfWebhook(w *webhook.Webhook) string { return w.ID }

func idOfDelivery(d *webhook.Delivery) string { return d.ID }

func webhookOfDelivery(d *webhook.Delivery) string { return d.WebhookID }

func typeOfTicket(t *ticket.Record) string { return t.TicketTypeID }

func transactionOfTicket(t *ticket.Record) string { return texts.Of(t.TransactionID) }

func idOfTransaction(t *sale.TransactionRecord) string { return t.ID }

func transactionOfInvoice(i *sale.InvoiceRecord) string { return i.TransactionID }

func transactionOfCheckout(c *sale.Checkout) string { return texts.Of(c.TransactionID) }

func idOfList(l *access.List) string { return l.ID }

func listOfEntry(e *access.Entry) string { return e.ListID }

func customerOfEntry(e *access.Entry) string { return e.CustomerID }

func codeOfEntry(e *access.Entry) string { return e.ExternalCode }

func deviceOfUnknownCode(c *access.UnknownCode) string { return c.DeviceID }

func eventOfUnknownCode(c *access.UnknownCode) string { return c.EventID }

func eventOfTransaction(t *sale.TransactionRecord) string { return t.EventID }

func eventOfCheckout(c *sale.Checkout) string { return c.EventID }

func eventOfPurchaseIntent(p *sale.PurchaseIntent) string { return p.EventID }

func customerOfTransaction(t *sale.TransactionRecord) string { return texts.Of(t.CustomerID) }

func customerOfCheckout(c *sale.Checkout) string { return texts.Of(c.CustomerID) }

func customerOfPurchaseIntent(p *sale.PurchaseIntent) string { return texts.Of(p.CustomerID) }

func idOfInvoice(i *sale.InvoiceRecord) string { return i.ID }

func canceledByInvoice(i *sale.InvoiceRecord) string {
	if i.Cancels == nil {
		return ""
	}
	return i.Cancels.InvoiceID
}

func idOfScanGroup(g *scan.Group) string { return g.ID }

func idOfDevice(d *scan.Device) string { return d.ID }

func groupOfDevice(d *scan.Device) string { return d.GroupID() }

func ticketOfScan(s *scan.Scan) string { return texts.Of(s.TicketID) }

func deviceOfScan(s *scan.Scan) string { return texts.Of(s.DeviceID) }

func groupOfScan(s *scan.Scan) string { return texts.Of(s.ScanGroupID) }

func eventOfScan(s *scan.Scan) string { return texts.Of(s.EventID) }

func zoneOfScan(s *scan.Scan) string { return texts.Of(s.ScanZoneID) }

// Positions of objects in lists that are sorted by _id.

func positionOfCheckout(c sale.Checkout) domain.Cursor { return domain.Cursor{ID: c.ID} }

func positionOfPurchaseIntent(p sale.PurchaseIntent) domain.Cursor { return domain.Cursor{ID: p.ID} }

func positionOfScan(s scan.Scan) domain.Cursor { return domain.Cursor{ID: s.ID} }

func positionOfScanGroup(g scan.Group) domain.Cursor { return domain.Cursor{ID: g.ID} }

func positionOfDevice(d scan.Device) domain.Cursor { return domain.Cursor{ID: d.ID} }

func positionOfEntry(e access.Entry) domain.Cursor { return domain.Cursor{ID: e.ID} }
