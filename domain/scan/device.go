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

// Device is an access device. The API calls it an access user.
type Device struct {
	ID       string     `json:"_id"`
	SellerID ids.Seller `json:"sellerId"`
	Name     string     `json:"name"`
	// AccessAllEvents overrides Events, which holds _ids and is never null in JSON.
	AccessAllEvents bool             `json:"accessAllEvents"`
	Events          []string         `json:"events"`
	Expires         *moment.DateTime `json:"expires,omitempty"` // the token authenticates before this time only
	Active          bool             `json:"active"`            // if false, the token does not authenticate
	// IsIntegration marks a token that another system uses. It is stored as sent and has no effect.
	IsIntegration  bool            `json:"isIntegration"`
	DeviceSettings *AccessSettings `json:"deviceSettings,omitempty"`
	// AccessControlSettings are the same for every device.
	AccessControlSettings ControlSettings `json:"accessControlSettings"`
	// Token is the secret. It is set only in responses that create one.
	Token string `json:"token,omitempty"`
	// Hint is the first eight and last four characters of the token. It is empty while the device has no token.
	Hint             string           `json:"hint,omitempty"`
	PairingExpiresAt *moment.DateTime `json:"pairingExpiresAt,omitempty"` // of an unused pairing code
	LastUsedAt       *moment.DateTime `json:"lastUsedAt,omitempty"`       // precise to a minute
	CreatedAt        moment.DateTime  `json:"createdAt"`
	UpdatedAt        moment.DateTime  `json:"updatedAt"`
}

// ShownToken returns the token for GraphQL, or nil if there is none to show.
func (d *Device) ShownToken() *string { return texts.Shown(d.Token) }

// ShownHint returns the hint for GraphQL.
func (d *Device) ShownHint() *string { return texts.Shown(d.Hint) }

// AccessSettings are the access mode of a device and the scan group that applies to its scans.
type AccessSettings struct {
	AccessMode  *AccessMode `json:"accessMode,omitempty"` // full by default
	ScanGroupID *string     `json:"scanGroupId,omitempty"`
}

// ControlSettings are settings of admission.
type ControlSettings struct {
	// IncludeDetailsRequiredTickets reports whether tickets with status DETAILSREQUIRED are admitted. It is always
	// false.
	IncludeDetailsRequiredTickets bool `json:"includeDetailsRequiredTickets"`
}

// AccessMode decides how much of a ticket a device sees.
type AccessMode string

// The modes. A restricted device gets tickets without contact details.
const (
	Full       AccessMode = "full"
	Restricted AccessMode = "restricted"
)

// Names returns all modes.
func (AccessMode) Names() []string { return []string{string(Full), string(Restricted)} }

// Restricted reports whether the device must not see contact details of tickets.
func (d *Device) Restricted() bool {
	return d.DeviceSettings != nil && d.DeviceSettings.AccessMode != nil && *d.DeviceSettings.AccessMode == Restricted
}

// GroupID returns the id of the device's scan group, or "".
func (d *Device) GroupID() string {
	if d.DeviceSettings == nil || d.DeviceSettings.ScanGroupID == nil {
		return ""
	}
	return *d.DeviceSettings.ScanGroupID
}

// worksAt reports whether the device's token authenticates at this time.
func (d *Device) worksAt(at moment.DateTime) bool {
	return d.Active && (d.Expires == nil || at.Before(d.Expires.Time))
}

// MayUse reports whether the device has access to an event.
func (d *Device) MayUse(eventID string) bool {
	return d.AccessAllEvents || slices.Contains(d.Events, eventID)
}

// maySee reports whether the device could admit tickets of an event: its own events, and the ROOT and GROUP events
// above them, whose tickets open the events below.
func (d *Device) maySee(ctx context.Context, store ChainStore, eventID string) (bool, error) {
	if d.MayUse(eventID) {
		return true, nil
	}
	chains, err := store.Chains(ctx, d.SellerID, d.Events)
	return slices.Contains(chains.events(), eventID), err
}

// NewDevice is the input of createAccessUser. By default, the device is active, has access to no events, sees whole
// tickets, and has no scan group.
type NewDevice struct {
	Name            string                          `json:"name"`
	AccessAllEvents optional.Value[bool]            `json:"accessAllEvents"`
	Events          optional.Value[[]string]        `json:"events"`
	Expires         optional.Value[moment.DateTime] `json:"expires"`
	Active          optional.Value[bool]            `json:"active"`
	IsIntegration   optional.Value[bool]            `json:"isIntegration"`
	DeviceSettings  optional.Value[AccessSettings]  `json:"deviceSettings"`
}

// DeviceChange is the input of updateAccessUser. Omitted fields keep their values. Null resets a field to its default,
// except the name, which can't be cleared.
type DeviceChange struct {
	Name            optional.Value[string]          `json:"name"`
	AccessAllEvents optional.Value[bool]            `json:"accessAllEvents"`
	Events          optional.Value[[]string]        `json:"events"`
	Expires         optional.Value[moment.DateTime] `json:"expires"`
	Active          optional.Value[bool]            `json:"active"`
	IsIntegration   optional.Value[bool]            `json:"isIntegration"`
	DeviceSettings  optional.Value[AccessSettings]  `json:"deviceSettings"`
	// ExpectedUpdatedAt is the updatedAt that the caller last saw. If it has changed, the error is CONFLICT. REST
	// uses If-Match.
	ExpectedUpdatedAt *moment.DateTime `json:"-" graphql:"expectedUpdatedAt"`
}

// DeviceFilter narrows a list of devices.
type DeviceFilter struct {
	// Name is part of the name, case-insensitive.
	Name        string `graphql:"name"`
	Active      *bool  `graphql:"active"`
	ScanGroupID string `graphql:"scanGroupId"`
	// UnusedSince selects devices that were last used before this time, or never.
	UnusedSince *moment.DateTime `graphql:"unusedSince"`
}

func (n NewDevice) change() DeviceChange {
	return DeviceChange{
		Name: optional.Some(n.Name), AccessAllEvents: n.AccessAllEvents, Events: n.Events, Expires: n.Expires,
		Active: n.Active, IsIntegration: n.IsIntegration, DeviceSettings: n.DeviceSettings,
	}
}

// apply applies the change to the device, and adds its errors except those that depend on other records. The name may
// be omitted but not cleared.
func (d *Device) apply(change DeviceChange, errs *domain.FieldErrors) {
	errs.NotNull("name", change.Name.IsNull())
	if change.Name.Value != nil {
		d.Name = errs.Name("name", *change.Name.Value)
	}
	d.AccessAllEvents = change.AccessAllEvents.Apply(d.AccessAllEvents)
	if change.Events.Set && errs.Count("events", len(change.Events.Or(nil)), maxNamed) {
		d.Events = distinct(change.Events.Or(nil))
	}
	d.Expires = change.Expires.ApplyPointer(d.Expires)
	if change.Active.Set {
		d.Active = change.Active.Or(true)
	}
	d.IsIntegration = change.IsIntegration.Apply(d.IsIntegration)
	d.DeviceSettings = change.DeviceSettings.ApplyPointer(d.DeviceSettings)
	if sent := change.DeviceSettings.Value; sent != nil && sent.AccessMode != nil {
		checkName(errs, "deviceSettings.accessMode", *sent.AccessMode, Full.Names())
	}
}

// maxNamed is the maximum number of events or ticket types of a device, or in one list of a scan group.
const maxNamed = 1000

// distinct returns the list without duplicates, in the same order. It never returns nil.
func distinct(list []string) []string {
	kept := make([]string, 0, len(list))
	for _, item := range list {
		if !slices.Contains(kept, item) {
			kept = append(kept, item)
		}
	}
	return kept
}

// deviceState is a device as the audit log shows it: with the token's hint, but without the token.
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

// Gate is a device with the scan group that applies to its scans.
type Gate struct {
	Device Device
	Group  *Group // if nil, nothing may be scanned
}

// ZoneID returns the scan zone in which check-ins count, or "" for scan groups without a zone.
func (g Gate) ZoneID() string {
	if config := g.Config(); config != nil && config.ScanZoneID != nil {
		return *config.ScanZoneID
	}
	return ""
}

// Config returns the scan configuration, or nil.
func (g Gate) Config() *Config {
	if g.Group == nil {
		return nil
	}
	return g.Group.ScanConfig
}
