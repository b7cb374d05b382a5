package demo

import (
	"context"
	"crypto/rand"
	"fmt"
	"time"

	"ticketgate/domain/access"
	"ticketgate/domain/catalog"
	"ticketgate/domain/ecmajson"
	"ticketgate/domain/ids"
	"ticketgate/domain/moment"
	"ticketgate/domain/money"
	"ticketgate/domain/optional"
	"ticketgate/domain/scan"
	"ticketgate/domain/ticket"
)

// Gate is the data for trying scans: a customer with a ticket, a code in an access list, and a device that admits with
// both.
type Gate struct {
	DeviceToken  string `json:"deviceToken"`
	DeviceID     string `json:"deviceId"`
	EventID      string `json:"eventId"`
	TicketTypeID string `json:"ticketTypeId"`
	CustomerID   string `json:"customerId"`
	TicketID     string `json:"ticketId"`
	Barcode      string `json:"barcode"`
	AccessListID string `json:"accessListId"`
	ExternalCode string `json:"externalCode"`
	ScanGroupID  string `json:"scanGroupId"`
}

// seedGate creates the data of a seller's gate. The steps are in order, because each needs ids of earlier ones.
func seedGate(ctx context.Context, do Operations, seller ids.Seller) (Gate, error) {
	var gate Gate
	for _, step := range []func(context.Context, Operations, ids.Seller) error{
		gate.seedEvent, gate.seedTicket, gate.seedEntry, gate.seedDevice,
	} {
		if err := step(ctx, do, seller); err != nil {
			return Gate{}, err
		}
	}
	return gate, nil
}

// seedEvent creates an event that starts in a day, with a ticket type.
func (g *Gate) seedEvent(ctx context.Context, do Operations, seller ids.Seller) error {
	start := moment.New(time.Now().Add(24 * time.Hour).Truncate(time.Hour))
	end := moment.New(start.Add(3 * time.Hour))
	event, err := do.Events.Create(ctx, catalog.NewEvent{
		SellerID: seller, Name: "Opening night", Type: catalog.Single, Start: start, End: &end,
	})
	if err != nil {
		return fmt.Errorf("event: %w", err)
	}
	kind, err := do.TicketTypes.Create(ctx, catalog.NewTicketType{
		SellerID: seller, EventID: event.ID, Name: "Stalls", Price: "25.5", Currency: money.DefaultCurrency,
	})
	if err != nil {
		return fmt.Errorf("ticket type: %w", err)
	}
	g.EventID, g.TicketTypeID = event.ID, kind.ID
	return nil
}

// seedTicket creates a customer, and imports a ticket of theirs for the seeded event.
func (g *Gate) seedTicket(ctx context.Context, do Operations, seller ids.Seller) error {
	email, firstname, lastname := "ada@guest.example", "Ada", "Lovelace"
	customer, err := do.Customers.Create(ctx, catalog.NewCustomer{
		SellerID: seller, Email: &email, Firstname: &firstname, Lastname: &lastname,
	})
	if err != nil {
		return fmt.Errorf("customer: %w", err)
	}
	g.CustomerID, g.TicketID, g.Barcode = customer.ID, ids.New(time.Now()), rand.Text()
	document, err := ecmajson.Parse(fmt.Appendf(nil, `{"_id":%q,"sellerId":%q,"eventId":%q,"ticketTypeId":%q,
		"ticketName":"Stalls","status":"VALID","secret":%q,"barcode":%q,"customerId":%q,"email":%q,"firstname":%q,
		"lastname":%q,"regularPrice":25.5,"realPrice":25.5,"currency":"EUR"}`,
		g.TicketID, seller, g.EventID, g.TicketTypeID, rand.Text(), g.Barcode, g.CustomerID, email, firstname, lastname,
	), ecmajson.Limits{})
	if err != nil {
		return err
	}
	_, err = do.Tickets.Import(ctx, ticket.Import{SellerID: seller, Tickets: []ecmajson.Value{document}})
	if err != nil {
		return fmt.Errorf("ticket: %w", err)
	}
	return nil
}

// seedEntry creates an access list with the code of a card of the seeded customer.
func (g *Gate) seedEntry(ctx context.Context, do Operations, _ ids.Seller) error {
	list, err := do.AccessLists.Create(ctx, access.NewList{Name: "Season cards", Type: optional.Some(access.Static)})
	if err != nil {
		return fmt.Errorf("access list: %w", err)
	}
	g.AccessListID, g.ExternalCode = list.ID, "CARD-"+rand.Text()[:12]
	_, err = do.AccessEntries.Create(ctx, list.ID, access.NewEntry{
		ExternalCode: g.ExternalCode, CustomerID: optional.Some(g.CustomerID),
	})
	if err != nil {
		return fmt.Errorf("entry: %w", err)
	}
	return nil
}

// seedDevice creates a scan group for the seeded event, and a device in it with full access.
func (g *Gate) seedDevice(ctx context.Context, do Operations, _ ids.Seller) error {
	all, mode := true, scan.Full
	group, err := do.ScanGroups.Create(ctx, scan.NewGroup{
		Name: "Main entrance",
		ScanConfig: scan.Config{
			Mode: scan.Mode("default"), ScanTypes: &scan.Types{Checkin: true}, TapAndGo: &scan.TapAndGo{Enabled: true},
			Events: []scan.EventSettings{{EventID: g.EventID, AllowAllTicketTypes: &all}},
		},
	})
	if err != nil {
		return fmt.Errorf("scan group: %w", err)
	}
	device, err := do.Devices.Create(ctx, scan.NewDevice{
		Name: "Gate 1", AccessAllEvents: optional.Some(true),
		DeviceSettings: optional.Some(scan.AccessSettings{AccessMode: &mode, ScanGroupID: &group.ID}),
	})
	if err != nil {
		return fmt.Errorf("device: %w", err)
	}
	g.ScanGroupID, g.DeviceID, g.DeviceToken = group.ID, device.ID, device.Token
	return nil
}
