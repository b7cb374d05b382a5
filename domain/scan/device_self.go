package scan

import (
	"context"

	"ticketgate/domain"
	"ticketgate/domain/ticket"
)

// Self is a device as it sees itself: its scan group's configuration and settings merged in (decisions 6.3).
type Self struct {
	ID              string           `json:"_id"`
	Name            string           `json:"name"`
	SellerID        domain.SellerID  `json:"sellerId"`
	Seller          SellerName       `json:"seller"`
	AccessAllEvents bool             `json:"accessAllEvents"`
	Events          []string         `json:"events"`
	Expires         *domain.DateTime `json:"expires,omitempty"`
	Active          bool             `json:"active"`
	ScanConfig      *Config          `json:"scanConfig,omitempty"`
	DeviceSettings  SelfSettings     `json:"deviceSettings"`
}

// SelfSettings are a device's own settings and those of its scan group.
type SelfSettings struct {
	AccessMode           AccessMode     `json:"accessMode"`
	ScanGroupID          *string        `json:"scanGroupId,omitempty"`
	ColorSettings        *ColorSettings `json:"colorSettings,omitempty"`
	EnableSoundFeedback  *bool          `json:"enableSoundFeedback,omitempty"`
	EnableHapticFeedback *bool          `json:"enableHapticFeedback,omitempty"`
	ScanRevealInterval   *int           `json:"scanRevealInterval,omitempty"`
	TicketSyncInterval   *int           `json:"ticketSyncInterval,omitempty"`
}

// SellerName is what a device may know of its seller.
type SellerName struct {
	ID   domain.SellerID `json:"_id"`
	Name string          `json:"name"`
}

// EventName is what a device may know of an event.
type EventName struct {
	ID   string `json:"_id"`
	Name string `json:"name"`
}

// AtGate is what a device asks about itself and for its work.
type AtGate struct {
	Gates   Gates
	Store   DeviceStore
	Tickets TicketStore
}

// TicketStore lists tickets by creation.
type TicketStore interface {
	Tickets(ctx context.Context, seller domain.SellerID, filter ticket.Filter, page domain.Page) (domain.List[ticket.Record], error)
}

// Self returns the device that is calling.
func (s AtGate) Self(ctx context.Context) (Self, error) {
	actor, err := domain.Authorize(ctx, domain.GetSelf)
	if err != nil {
		return Self{}, err
	}
	gate, err := s.Gates.Gate(ctx, actor.SellerID, actor.ID)
	if err != nil {
		return Self{}, err
	}
	name, err := s.Store.SellerName(ctx, actor.SellerID)
	if err != nil {
		return Self{}, err
	}
	return gate.self(name), nil
}

func (g Gate) self(sellerName string) Self {
	d := g.Device
	self := Self{
		ID: d.ID, Name: d.Name, SellerID: d.SellerID, Seller: SellerName{d.SellerID, sellerName},
		AccessAllEvents: d.AccessAllEvents, Events: d.Events, Expires: d.Expires, Active: d.Active,
		ScanConfig: g.Config(), DeviceSettings: SelfSettings{AccessMode: Full},
	}
	if g.Group != nil && g.Group.DeviceSettings != nil {
		from := g.Group.DeviceSettings
		self.DeviceSettings = SelfSettings{
			AccessMode: Full, ColorSettings: from.ColorSettings, EnableSoundFeedback: from.EnableSoundFeedback,
			EnableHapticFeedback: from.EnableHapticFeedback, ScanRevealInterval: from.ScanRevealInterval,
			TicketSyncInterval: from.TicketSyncInterval,
		}
	}
	if d.Restricted() {
		self.DeviceSettings.AccessMode = Restricted
	}
	if d.DeviceSettings != nil {
		self.DeviceSettings.ScanGroupID = d.DeviceSettings.ScanGroupID
	}
	return self
}

// Events returns the events that the calling device has access to, by creation.
func (s AtGate) Events(ctx context.Context) ([]EventName, error) {
	actor, err := domain.Authorize(ctx, domain.ListDeviceEvents)
	if err != nil {
		return nil, err
	}
	gate, err := s.Gates.Gate(ctx, actor.SellerID, actor.ID)
	if err != nil {
		return nil, err
	}
	if gate.Device.AccessAllEvents {
		return s.Store.EventNames(ctx, actor.SellerID, nil)
	}
	return s.Store.EventNames(ctx, actor.SellerID, gate.Device.Events)
}

// TicketSpan is what a device wants to synchronise: tickets of an event that were created or updated in a span of time.
type TicketSpan struct {
	EventID string
	From    *domain.DateTime // inclusive
	Until   *domain.DateTime // exclusive
}

// EventTickets returns tickets for the calling device, which must have access to their event or to one below it: the scan
// lets tickets of a ROOT or GROUP event in there. An event that is not there is NOT_FOUND (decisions 1.1).
func (s AtGate) EventTickets(
	ctx context.Context, span TicketSpan, page domain.Page,
) (domain.List[ticket.Record], error) {
	none := domain.List[ticket.Record]{}
	actor, err := domain.Authorize(ctx, domain.ListDeviceTickets)
	if err != nil {
		return none, err
	}
	gate, err := s.Gates.Gate(ctx, actor.SellerID, actor.ID)
	if err != nil {
		return none, err
	}
	may, err := gate.Device.maySee(ctx, s.Store, span.EventID)
	if err != nil {
		return none, err
	}
	if !may {
		return none, domain.Forbidden("This device has no access to the event")
	}
	known, err := s.Store.EventNames(ctx, actor.SellerID, []string{span.EventID})
	if err != nil {
		return none, err
	}
	if len(known) == 0 {
		return none, domain.NotFound("Event")
	}
	list, err := s.Tickets.Tickets(ctx, actor.SellerID, ticket.Filter{
		EventID: span.EventID, StoredFrom: span.From, StoredUntil: span.Until,
	}, page)
	if err != nil || !gate.Device.Restricted() {
		return list, err
	}
	for i := range list.Items {
		if list.Items[i], err = WithoutContact(list.Items[i]); err != nil {
			return none, err
		}
	}
	return list, nil
}
