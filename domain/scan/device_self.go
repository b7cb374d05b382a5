package scan

import (
	"context"

	"ticketgate/domain"
	"ticketgate/domain/ids"
	"ticketgate/domain/moment"
)

// Self is a device as shown to itself, with the configuration and settings of its scan group.
type Self struct {
	ID              string           `json:"_id"`
	Name            string           `json:"name"`
	SellerID        ids.Seller       `json:"sellerId"`
	Seller          SellerName       `json:"seller"`
	AccessAllEvents bool             `json:"accessAllEvents"`
	Events          []string         `json:"events"`
	Expires         *moment.DateTime `json:"expires,omitempty"`
	Active          bool             `json:"active"`
	IsIntegration   bool             `json:"isIntegration"`
	ScanConfig      *Config          `json:"scanConfig,omitempty"`
	DeviceSettings  SelfSettings     `json:"deviceSettings"`

	AccessControlSettings ControlSettings `json:"accessControlSettings"`
}

// SelfSettings combines a device's own settings with those of its scan group.
type SelfSettings struct {
	AccessMode           AccessMode     `json:"accessMode"`
	ScanGroupID          *string        `json:"scanGroupId,omitempty"`
	ColorSettings        *ColorSettings `json:"colorSettings,omitempty"`
	EnableSoundFeedback  *bool          `json:"enableSoundFeedback,omitempty"`
	EnableHapticFeedback *bool          `json:"enableHapticFeedback,omitempty"`
	ScanRevealInterval   *int           `json:"scanRevealInterval,omitempty"`
	TicketSyncInterval   *int           `json:"ticketSyncInterval,omitempty"`
}

// SellerName is the part of a seller that its devices can see.
type SellerName struct {
	ID   ids.Seller `json:"_id"`
	Name string     `json:"name"`
}

// AtGate implements the operations that a device calls for itself.
type AtGate struct {
	Gates   Gates
	Store   DeviceStore
	Tickets TicketStore
}

// Self returns the calling device.
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
		IsIntegration: d.IsIntegration, ScanConfig: g.Config(), DeviceSettings: SelfSettings{AccessMode: Full},
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

// SelfSeller is the seller of the calling device, with its id under both names that programs read.
type SelfSeller struct {
	SellerID ids.Seller `json:"sellerId"`
	ID       ids.Seller `json:"_id"`
	Name     string     `json:"name"`
}

// Seller returns the seller of the calling device.
func (s AtGate) Seller(ctx context.Context) (SelfSeller, error) {
	actor, err := domain.Authorize(ctx, domain.GetDeviceSeller)
	if err != nil {
		return SelfSeller{}, err
	}
	name, err := s.Store.SellerName(ctx, actor.SellerID)
	return SelfSeller{actor.SellerID, actor.SellerID, name}, err
}
