package scan

import (
	"context"
	"slices"

	"ticketgate/domain"
	"ticketgate/domain/ids"
	"ticketgate/domain/moment"
	"ticketgate/domain/optional"
	"ticketgate/domain/texts"
)

// Device is an access device; on the wire it is an access user (decisions 6.3).
type Device struct {
	ID       string     `json:"_id"`
	SellerID ids.Seller `json:"sellerId"`
	Name     string     `json:"name"`
	// AccessAllEvents makes Events, which are _ids, mean nothing. Events is never null on the wire.
	AccessAllEvents bool             `json:"accessAllEvents"`
	Events          []string         `json:"events"`
	Expires         *moment.DateTime `json:"expires,omitempty"` // from then on the token no longer authenticates
	Active          bool             `json:"active"`            // without it the token does not authenticate either
	// IsIntegration says that another system calls with the token. It is kept as it was sent and decides nothing.
	IsIntegration  bool            `json:"isIntegration"`
	DeviceSettings *AccessSettings `json:"deviceSettings,omitempty"`
	// AccessControlSettings are the same for all devices.
	AccessControlSettings ControlSettings `json:"accessControlSettings"`
	// Token is the secret: only in the answers that make it.
	Token string `json:"token,omitempty"`
	// Hint is the first eight and last four characters of the token; absent while the device has none.
	Hint             string           `json:"hint,omitempty"`
	PairingExpiresAt *moment.DateTime `json:"pairingExpiresAt,omitempty"` // while a code waits to be used
	LastUsedAt       *moment.DateTime `json:"lastUsedAt,omitempty"`       // exact to a minute
	CreatedAt        moment.DateTime  `json:"createdAt"`
	UpdatedAt        moment.DateTime  `json:"updatedAt"`
}

// ShownToken is the token as GraphQL shows it: null where there is none to show.
func (d *Device) ShownToken() *string { return texts.Shown(d.Token) }

// ShownHint is the hint as GraphQL shows it.
func (d *Device) ShownHint() *string { return texts.Shown(d.Hint) }

// AccessSettings say what a device gets to see, and which scan group decides its scans.
type AccessSettings struct {
	AccessMode  *AccessMode `json:"accessMode,omitempty"` // full when absent
	ScanGroupID *string     `json:"scanGroupId,omitempty"`
}

// ControlSettings say what a gate admits.
type ControlSettings struct {
	// IncludeDetailsRequiredTickets is whether tickets with status DETAILSREQUIRED pass: never (see DetailsRequired).
	IncludeDetailsRequiredTickets bool `json:"includeDetailsRequiredTickets"`
}

// AccessMode says how much of a ticket a device sees.
type AccessMode string

// The modes. A restricted device gets tickets without e-mail, phone and street.
const (
	Full       AccessMode = "full"
	Restricted AccessMode = "restricted"
)

// Names lists the modes.
func (AccessMode) Names() []string { return []string{string(Full), string(Restricted)} }

// Restricted tells whether the device must not see a ticket's contact details.
func (d *Device) Restricted() bool {
	return d.DeviceSettings != nil && d.DeviceSettings.AccessMode != nil && *d.DeviceSettings.AccessMode == Restricted
}

// GroupID is the device's scan group, or nothing.
func (d *Device) GroupID() string {
	if d.DeviceSettings == nil || d.DeviceSettings.ScanGroupID == nil {
		return ""
	}
	return *d.DeviceSettings.ScanGroupID
}

// worksAt tells whether the device's token authenticates at an instant.
func (d *Device) worksAt(at moment.DateTime) bool {
	return d.Active && (d.Expires == nil || at.Before(d.Expires.Time))
}

// MayUse tells whether the device has access to an event.
func (d *Device) MayUse(eventID string) bool {
	return d.AccessAllEvents || slices.Contains(d.Events, eventID)
}

// maySee reports whether tickets of an event could pass a gate of the device: those of its own events, and of the ROOT and
// GROUP events above them, which open what is below.
func (d *Device) maySee(ctx context.Context, store ChainStore, eventID string) (bool, error) {
	if d.MayUse(eventID) {
		return true, nil
	}
	chains, err := store.Chains(ctx, d.SellerID, d.Events)
	return slices.Contains(chains.events(), eventID), err
}

// NewDevice is what a caller says of a device to make. Absent: it is active, has access to no event, sees everything,
// and has no scan group.
type NewDevice struct {
	Name            string                          `json:"name"`
	AccessAllEvents optional.Value[bool]            `json:"accessAllEvents"`
	Events          optional.Value[[]string]        `json:"events"`
	Expires         optional.Value[moment.DateTime] `json:"expires"`
	Active          optional.Value[bool]            `json:"active"`
	IsIntegration   optional.Value[bool]            `json:"isIntegration"`
	DeviceSettings  optional.Value[AccessSettings]  `json:"deviceSettings"`
}

// DeviceChange is what a caller says of a device that exists. What is absent stays; null puts a setting back to what it is
// in a new device, but for the name, which can't be cleared (decisions 1.4).
type DeviceChange struct {
	Name            optional.Value[string]          `json:"name"`
	AccessAllEvents optional.Value[bool]            `json:"accessAllEvents"`
	Events          optional.Value[[]string]        `json:"events"`
	Expires         optional.Value[moment.DateTime] `json:"expires"`
	Active          optional.Value[bool]            `json:"active"`
	IsIntegration   optional.Value[bool]            `json:"isIntegration"`
	DeviceSettings  optional.Value[AccessSettings]  `json:"deviceSettings"`
	// ExpectedUpdatedAt is the updatedAt that the caller last saw: another one is CONFLICT. REST has If-Match for it.
	ExpectedUpdatedAt *moment.DateTime `json:"-" graphql:"expectedUpdatedAt"`
}

// DeviceFilter narrows a list of devices.
type DeviceFilter struct {
	// Name is a part of the name, in any case.
	Name        string `graphql:"name"`
	Active      *bool  `graphql:"active"`
	ScanGroupID string `graphql:"scanGroupId"`
	// UnusedSince finds devices that were last used before it, or never.
	UnusedSince *moment.DateTime `graphql:"unusedSince"`
}

func (n NewDevice) change() DeviceChange {
	return DeviceChange{
		Name: optional.Some(n.Name), AccessAllEvents: n.AccessAllEvents, Events: n.Events, Expires: n.Expires,
		Active: n.Active, IsIntegration: n.IsIntegration, DeviceSettings: n.DeviceSettings,
	}
}

// apply puts the change into the device and notes everything that is wrong with it, but for what only other records can
// tell. A device always has a name: it may be absent, and null can't clear it (decisions 1.4).
func (d *Device) apply(change DeviceChange, problems *domain.Problems) {
	problems.NotNull("name", change.Name.IsNull())
	if change.Name.Value != nil {
		d.Name = problems.Name("name", *change.Name.Value)
	}
	d.AccessAllEvents = change.AccessAllEvents.Apply(d.AccessAllEvents)
	if change.Events.Set && problems.Count("events", len(change.Events.Or(nil)), maxNamed) {
		d.Events = distinct(change.Events.Or(nil))
	}
	d.Expires = change.Expires.ApplyPointer(d.Expires)
	if change.Active.Set {
		d.Active = change.Active.Or(true)
	}
	d.IsIntegration = change.IsIntegration.Apply(d.IsIntegration)
	d.DeviceSettings = change.DeviceSettings.ApplyPointer(d.DeviceSettings)
	if sent := change.DeviceSettings.Value; sent != nil && sent.AccessMode != nil {
		checkName(problems, "deviceSettings.accessMode", *sent.AccessMode, Full.Names())
	}
}

// maxNamed is how many events or ticket types a device or one list of a scan group names.
const maxNamed = 1000

// distinct leaves out what repeats, in order; it is never nil.
func distinct(list []string) []string {
	kept := make([]string, 0, len(list))
	for _, one := range list {
		if !slices.Contains(kept, one) {
			kept = append(kept, one)
		}
	}
	return kept
}

// deviceState is a device as the audit log shows it: how its token begins and ends, and never the token.
type deviceState struct {
	Name            string           `json:"name"`
	AccessAllEvents bool             `json:"accessAllEvents"`
	Events          []string         `json:"events"`
	Expires         *moment.DateTime `json:"expires,omitempty"`
	Active          bool             `json:"active"`
	DeviceSettings  *AccessSettings  `json:"deviceSettings,omitempty"`
	Hint            string           `json:"hint,omitempty"`
	PairingExpires  *moment.DateTime `json:"pairingExpiresAt,omitempty"`
	IsIntegration   bool             `json:"isIntegration,omitempty"`
}

func (d *Device) audited() deviceState {
	return deviceState{
		d.Name, d.AccessAllEvents, d.Events, d.Expires, d.Active, d.DeviceSettings, d.Hint, d.PairingExpiresAt,
		d.IsIntegration,
	}
}

// Gate is a device and the scan group that decides its scans.
type Gate struct {
	Device Device
	Group  *Group // nil: none, and nothing may be scanned
}

// ZoneID is the scan zone in which check-ins count; empty is that of scan groups without one.
func (g Gate) ZoneID() string {
	if config := g.Config(); config != nil && config.ScanZoneID != nil {
		return *config.ScanZoneID
	}
	return ""
}

// Config is the scan configuration in force, or nil.
func (g Gate) Config() *Config {
	if g.Group == nil {
		return nil
	}
	return g.Group.ScanConfig
}
