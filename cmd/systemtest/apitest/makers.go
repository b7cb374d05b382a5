package apitest

import (
	"context"
	"encoding/json"
	"fmt"
	"strings"
	"testing"
	"time"

	"ticketgate/cmd/systemtest"
	"ticketgate/cmd/ticketgate/demo"
	"ticketgate/cmd/ticketgate/platform"
	"ticketgate/domain"
	"ticketgate/domain/access"
	"ticketgate/domain/apikey"
	"ticketgate/domain/catalog"
	"ticketgate/domain/domaintest"
	"ticketgate/domain/ecmajson"
	"ticketgate/domain/ids"
	"ticketgate/domain/moment"
	"ticketgate/domain/money"
	"ticketgate/domain/optional"
	"ticketgate/domain/sale"
	"ticketgate/domain/scan"
	"ticketgate/domain/tenant"
	"ticketgate/domain/ticket"
	"ticketgate/domain/webhook"
)

// AccessList creates an access list and returns its id.
func (h *Server) AccessList(t *testing.T, seller demo.Seller, mark string) string {
	t.Helper()
	return domaintest.Must(h.Do.AccessLists.Create(h.ActingOn(t, seller), access.NewList{Name: mark + " list"}))(t).ID
}

// Entry creates an entry in the seller's seeded list and returns its id.
func (h *Server) Entry(t *testing.T, seller demo.Seller, mark string) string {
	t.Helper()
	return domaintest.Must(h.Do.AccessEntries.Create(h.ActingOn(t, seller), seller.AccessListID, access.NewEntry{
		ExternalCode: FreshCode().(string), Email: optional.Some("holder@demo.ticketgate.example"), Lastname: optional.Some(mark + " holder"),
	}))(t).ID
}

// Code creates an entry for the holder of the seeded ticket, and returns its code.
func (h *Server) Code(t *testing.T, seller demo.Seller, mark string) string {
	t.Helper()
	return domaintest.Must(h.Do.AccessEntries.Create(h.ActingOn(t, seller), seller.AccessListID, access.NewEntry{
		ExternalCode: FreshCode().(string), CustomerID: optional.Some(seller.CustomerID), Lastname: optional.Some(mark + " holder"),
	}))(t).ExternalCode
}

// EntryImport stages an import of one entry and returns its id.
func (h *Server) EntryImport(t *testing.T, seller demo.Seller, mark string) string {
	t.Helper()
	report, err := h.Do.EntryImports.PreviewInput(h.ActingOn(t, seller), access.ImportChange{
		ListID: seller.AccessListID, Rows: []access.NewEntry{{ExternalCode: FreshCode().(string), Lastname: optional.Some(mark + " holder")}},
	})
	systemtest.Must(t, err)
	return report.ID
}

// OpenImport creates an import that accepts rows and returns its id.
func (h *Server) OpenImport(t *testing.T, seller demo.Seller, mark string) string {
	t.Helper()
	more := true
	report, err := h.Do.EntryImports.PreviewInput(h.ActingOn(t, seller), access.ImportChange{
		ListID: seller.AccessListID, More: &more,
		Rows: []access.NewEntry{{ExternalCode: FreshCode().(string), Lastname: optional.Some(mark + " holder")}},
	})
	systemtest.Must(t, err)
	return report.ID
}

// CommittedImport commits an import of entries and returns its id.
func (h *Server) CommittedImport(t *testing.T, seller demo.Seller, mark string) string {
	t.Helper()
	id := h.EntryImport(t, seller, mark)
	_, err := h.Do.EntryImports.Commit(h.ActingOn(t, seller), seller.AccessListID, id, access.Commit{})
	systemtest.Must(t, err)
	return id
}

// UnknownCode looks up a code that no list has, and returns the id of its record.
func (h *Server) UnknownCode(t *testing.T, seller demo.Seller, mark string) string {
	t.Helper()
	code := systemtest.Serial(mark + " nothing ")
	o := h.ThroughGraphQL(t, DeviceOf(seller), Call{domain.LookUpTicket, object{"externalCode": code, "eventId": seller.EventID}})
	if o.Refusal.Code != string(domain.CodeUnknownCode) {
		t.Fatal(o)
	}
	return code
}

// Event creates an event and returns its id.
func (h *Server) Event(t *testing.T, seller demo.Seller, mark string) string {
	t.Helper()
	return h.eventOf(t, seller, mark, catalog.Single)
}

// RootEvent creates the root of a recurring event and returns its id.
func (h *Server) RootEvent(t *testing.T, seller demo.Seller, mark string) string {
	t.Helper()
	return h.eventOf(t, seller, mark, catalog.Root)
}

// GroupEvent creates a group of events and returns its id.
func (h *Server) GroupEvent(t *testing.T, seller demo.Seller, mark string) string {
	t.Helper()
	return h.eventOf(t, seller, mark, catalog.Group)
}

func (h *Server) eventOf(t *testing.T, seller demo.Seller, mark string, kind catalog.EventType) string {
	t.Helper()
	return domaintest.Must(h.Do.CatalogEvents.Create(h.ActingOn(t, seller), catalog.NewEvent{
		Name: mark + " event", Type: kind, Start: moment.New(time.Now()),
	}))(t).ID
}

// TicketType creates a ticket type and returns its id.
func (h *Server) TicketType(t *testing.T, seller demo.Seller, mark string) string {
	t.Helper()
	return domaintest.Must(h.Do.TicketTypes.Create(h.ActingOn(t, seller), catalog.NewTicketType{
		EventID: seller.EventID, Name: mark + " ticket type", Price: "10.5", Currency: money.DefaultCurrency,
	}))(t).ID
}

// ScanZone creates a scan zone and returns its id.
func (h *Server) ScanZone(t *testing.T, seller demo.Seller, mark string) string {
	t.Helper()
	return domaintest.Must(h.Do.ScanZones.Create(h.ActingOn(t, seller), catalog.NewScanZone{Name: mark + " zone"}))(t).ID
}

// Customer creates a customer and returns its id.
func (h *Server) Customer(t *testing.T, seller demo.Seller, mark string) string {
	t.Helper()
	name := mark + " customer"
	return domaintest.Must(h.Do.Customers.Create(h.ActingOn(t, seller), catalog.NewCustomer{Lastname: &name}))(t).ID
}

// Checkout creates a checkout with details as the seller, and returns its id.
func (h *Server) Checkout(t *testing.T, seller demo.Seller, mark string) string {
	t.Helper()
	ctx := h.ActingOn(t, seller)
	checkout, err := h.Do.Checkouts.Create(ctx, sale.NewCheckout{
		EventID: seller.EventID, Items: []sale.WantedItem{{TicketTypeID: seller.TicketTypeID, Amount: 1}},
	})
	systemtest.Must(t, err)
	name := mark + " buyer"
	_, err = h.Do.Checkouts.Submit(ctx, checkout.ID, "", sale.Details{Buyer: sale.Buyer{Name: &name}})
	systemtest.Must(t, err)
	return checkout.ID
}

// ScanGroup creates a scan group and returns its id.
func (h *Server) ScanGroup(t *testing.T, seller demo.Seller, mark string) string {
	t.Helper()
	return domaintest.Must(h.Do.ScanGroups.Create(h.ActingOn(t, seller), scan.NewGroup{
		Name: mark + " group", ScanConfig: scan.Config{Mode: "default", ScanTypes: &scan.Types{Checkin: true}},
	}))(t).ID
}

// Device creates a device and returns its id.
func (h *Server) Device(t *testing.T, seller demo.Seller, mark string) string {
	t.Helper()
	return domaintest.Must(h.Do.Devices.Create(h.ActingOn(t, seller), scan.NewDevice{Name: mark + " device"}))(t).ID
}

// PairingCode creates a device and returns the code to pair it.
func (h *Server) PairingCode(t *testing.T, seller demo.Seller, mark string) string {
	t.Helper()
	return domaintest.Must(h.Do.Devices.IssuePairingCode(h.ActingOn(t, seller), h.Device(t, seller, mark)))(t).Code
}

// Scan admits a new ticket at the seeded device, and returns the scan's id.
func (h *Server) Scan(t *testing.T, seller demo.Seller, mark string) string {
	t.Helper()
	answer, err := h.Do.Scans.Scan(h.ActingOn(t, seller), scan.Attempt{
		Barcode: h.Ticket(t, seller, mark), DeviceID: seller.DeviceID,
	})
	systemtest.Must(t, err)
	if answer.Access != scan.Granted {
		t.Fatalf("the ticket is not admitted: %+v", answer)
	}
	return answer.ScanID
}

// Invoice issues an invoice of a seller with invoicing and returns its id.
func (h *Server) Invoice(t *testing.T, seller demo.Seller, mark string) string {
	t.Helper()
	ctx := h.ActingOn(t, seller)
	_, err := h.Do.Sellers.Update(ctx, tenant.SellerChange{
		SellerID: seller.SellerID, Invoicing: optional.Some(tenant.InvoicingChange{URL: ListenerURL}),
	})
	systemtest.Must(t, err)
	id := systemtest.Serial("transaction")
	text, err := json.Marshal(map[string]any{
		"_id": id, "sellerId": seller.SellerID, "eventId": "e1", "realPrice": 10, "status": "COMPLETE", "secret": "s",
		"tid": mark + " tid", "coupons": []string{}, "company": mark + " company",
	})
	systemtest.Must(t, err)
	transaction, err := ecmajson.Parse(text, ecmajson.Limits{})
	systemtest.Must(t, err)
	_, err = h.Do.Transactions.Import(ctx, sale.TransactionImport{Transactions: []ecmajson.Value{transaction}})
	systemtest.Must(t, err)
	record, err := h.Do.Transactions.Get(ctx, id)
	systemtest.Must(t, err)
	var issued []sale.Invoice
	systemtest.Must(t, h.Do.Transactions.Store.InTx(ctx, func(tx sale.TransactionTx) (err error) {
		invoice := sale.NewInvoice(record.Transaction, tenant.Seller{Name: mark + " seller", Country: "FR"}, time.Now())
		issued, err = tx.CreateInvoices(ctx, seller.SellerID, []sale.Invoice{invoice})
		return err
	}))
	return issued[0].ID
}

// PurchaseIntent creates a purchase intent and returns its id.
func (h *Server) PurchaseIntent(t *testing.T, seller demo.Seller, mark string) string {
	t.Helper()
	name := mark + " buyer"
	return domaintest.Must(h.Do.PurchaseIntents.Create(h.ActingOn(t, seller), sale.NewPurchaseIntent{
		EventID: seller.EventID, Items: []sale.WantedItem{{TicketTypeID: seller.TicketTypeID, Amount: 1}},
		Buyer: sale.Buyer{Lastname: &name},
	}))(t).ID
}

// Credentials of test users.
const (
	Password = "a-long-password-of-a-person"
	// LoginEmail is the address of a user without memberships.
	LoginEmail = "someone@demo.ticketgate.example"
)

// Key creates an API key and returns its id.
func (h *Server) Key(t *testing.T, seller demo.Seller, mark string) string {
	t.Helper()
	return domaintest.Must(h.Do.Keys.Create(h.ActingOn(t, seller), apikey.NewKey{Name: mark + " key"}))(t).ID
}

// Member creates a member and returns its id.
func (h *Server) Member(t *testing.T, seller demo.Seller, mark string) string {
	t.Helper()
	settled, err := h.Do.Invitations.Settle(h.ActingOn(t, seller), tenant.NewMember{
		Email: systemtest.Serial("member") + "@demo.ticketgate.example", Name: mark + " member", Role: domain.Viewer, Password: Password,
	})
	systemtest.Must(t, err)
	return settled.Member.ID
}

// Invitation creates an invitation and returns its id.
func (h *Server) Invitation(t *testing.T, seller demo.Seller, mark string) string {
	t.Helper()
	return h.invite(h.ActingOn(t, seller), t, mark).ID
}

// InvitationCode invites a user and returns the code of the link.
func (h *Server) InvitationCode(t *testing.T, seller demo.Seller, mark string) string {
	t.Helper()
	return systemtest.CodeOf(h.invite(h.ActingOn(t, seller), t, mark).Link)
}

func (h *Server) invite(ctx context.Context, t *testing.T, mark string) tenant.IssuedInvitation {
	t.Helper()
	invited, err := h.Do.Invitations.Invite(ctx, tenant.NewMember{
		Email: systemtest.Serial(strings.ToLower(mark)) + "@demo.ticketgate.example", Role: domain.Viewer,
	})
	systemtest.Must(t, err)
	return invited.Invitation
}

// InvitedMember creates a member who accepted an invitation, and returns its id.
func (h *Server) InvitedMember(t *testing.T, seller demo.Seller, mark string) string {
	t.Helper()
	accepted, err := h.Do.Invitations.Accept(t.Context(), tenant.Acceptance{
		Code: h.InvitationCode(t, seller, mark), Name: mark + " invited", Password: Password,
	})
	systemtest.Must(t, err)
	return accepted.Member.ID
}

// ResetCode creates a user and returns the code of a password reset.
func (h *Server) ResetCode(t *testing.T, seller demo.Seller, mark string) string {
	t.Helper()
	settled, err := h.Do.Invitations.Settle(h.ActingOn(t, seller), tenant.NewMember{
		Email: systemtest.Serial("member") + "@demo.ticketgate.example", Name: mark + " member", Role: domain.Viewer, Password: Password,
	})
	systemtest.Must(t, err)
	issued, err := h.Do.Invitations.IssueResetOf(platform.Context(t.Context()), settled.Member.User.Email, "")
	systemtest.Must(t, err)
	return systemtest.CodeOf(issued.Link)
}

// Organization creates an organization and returns its id.
func (h *Server) Organization(t *testing.T, _ demo.Seller, mark string) string {
	t.Helper()
	organization, err := h.Do.Organizations.Create(platform.Context(t.Context()), tenant.NewOrganization{Name: mark + " organization"})
	systemtest.Must(t, err)
	return string(organization.ID)
}

// FurtherSeller creates another seller of the organization and returns its id.
func (h *Server) FurtherSeller(t *testing.T, seller demo.Seller, mark string) string {
	t.Helper()
	created, err := h.Do.Sellers.Create(platform.Context(t.Context()), tenant.NewSeller{
		OrganizationID: seller.OrganizationID, Name: mark + " seller", Country: "FR",
	})
	systemtest.Must(t, err)
	return string(created.ID)
}

// FreshCode returns an unused code of 24 digits. Tests that replace ids also replace these codes, which are as long as
// ids.
func FreshCode() any { return systemtest.Serial(strings.Repeat("0", 24-len(systemtest.Serial("")))) }

// Ticket creates a ticket of the seeded event and returns its id, which is also its barcode.
func (h *Server) Ticket(t *testing.T, seller demo.Seller, mark string) string {
	t.Helper()
	id := ids.New(time.Now())
	document, err := ecmajson.Parse(fmt.Appendf(nil, `{"_id":%q,"sellerId":%q,"eventId":%q,"ticketTypeId":%q,"ticketName":%q,
		"status":"VALID","secret":%q,"barcode":%q}`, id, seller.SellerID, seller.EventID, seller.TicketTypeID, mark+" ticket", id, id),
		ecmajson.Limits{})
	systemtest.Must(t, err)
	_, err = h.Do.Tickets.Import(h.ActingOn(t, seller), ticket.Import{Tickets: []ecmajson.Value{document}})
	systemtest.Must(t, err)
	return id
}

// Transaction creates a transaction and returns its id.
func (h *Server) Transaction(t *testing.T, seller demo.Seller, mark string) string {
	t.Helper()
	id := ids.New(time.Now())
	document, err := ecmajson.Parse(fmt.Appendf(nil, `{"_id":%q,"sellerId":%q,"eventId":%q,"realPrice":10.5,"status":"COMPLETE",
		"secret":%q,"tid":%q,"coupons":[],"lastname":%q}`, id, seller.SellerID, seller.EventID, id, id, mark+" buyer"), ecmajson.Limits{})
	systemtest.Must(t, err)
	_, err = h.Do.Transactions.Import(h.ActingOn(t, seller), sale.TransactionImport{Transactions: []ecmajson.Value{document}})
	systemtest.Must(t, err)
	return id
}

// ListenerURL is the URL of a listener that is never called.
const ListenerURL = "https://listener.example.com/hook?shop=1"

// Webhook creates a webhook that subscribes to scans.
func (h *Server) Webhook(t *testing.T, seller demo.Seller, mark string) webhook.Webhook {
	t.Helper()
	created, err := h.Do.Webhooks.Create(h.ActingOn(t, seller), webhook.NewWebhook{
		Name: mark + " webhook", URL: ListenerURL, HMACKey: optional.Some(mark + " secret"),
		Events: optional.Some(webhook.Selection{"scan.created": true}),
	})
	systemtest.Must(t, err)
	return created
}

// Delivery publishes a scan and returns the id of the newest delivery to the webhook, or an empty id if the seller
// lacks the webhooks feature.
func (h *Server) Delivery(t *testing.T, seller demo.Seller, webhookID, mark string) string {
	t.Helper()
	h.PublishScan(t, seller, mark)
	list, err := h.Do.Deliveries.List(h.ActingOn(t, seller), webhook.DeliveryFilter{WebhookID: webhookID}, domain.Page{Limit: 1000})
	systemtest.Must(t, err)
	if !seller.Webhooks {
		return ""
	}
	return list.Items[len(list.Items)-1].ID
}

// PublishScan publishes an event about a scan.
func (h *Server) PublishScan(t *testing.T, seller demo.Seller, mark string) {
	t.Helper()
	text, err := json.Marshal(map[string]any{"scan": systemtest.ScanToPublish("s1", mark+" scan")})
	systemtest.Must(t, err)
	data, err := ecmajson.Parse(text, ecmajson.Limits{})
	systemtest.Must(t, err)
	_, err = h.Do.Events.Publish(platform.Context(t.Context()), webhook.NewEvent{
		SellerID: seller.SellerID, Type: "scan.created", Data: data,
	})
	systemtest.Must(t, err)
}

// OrganizationMember creates a user with a role in the seller's organization and returns their session.
func (h *Server) OrganizationMember(t *testing.T, seller demo.Seller, role domain.Role) Caller {
	t.Helper()
	place := tenant.Place{OrganizationID: seller.OrganizationID}
	return h.newMember(platform.Context(t.Context()), t, place, role)
}

// SellerMember creates a user with a role in the seller and returns their session.
func (h *Server) SellerMember(t *testing.T, seller demo.Seller, role domain.Role) Caller {
	t.Helper()
	return h.newMember(h.ActingOn(t, seller), t, tenant.Place{}, role)
}

func (h *Server) newMember(ctx context.Context, t *testing.T, place tenant.Place, role domain.Role) Caller {
	t.Helper()
	email := systemtest.Serial("user") + "@demo.ticketgate.example"
	_, err := h.Do.Invitations.Settle(ctx, tenant.NewMember{Place: place, Email: email, Role: role, Password: Password})
	systemtest.Must(t, err)
	return h.Session(t, email, Password)
}
