package scan

import (
	"bytes"
	"encoding/json"

	"ticketgate/domain"
	"ticketgate/domain/ids"
	"ticketgate/domain/moment"
	"ticketgate/domain/optional"
)

// Group is a scan group (spec 2.4): what may be scanned, and how the devices that are in it behave. A device is in one at
// most, see AccessSettings.
type Group struct {
	ID             string          `json:"_id"`
	Name           string          `json:"name"`
	SellerID       ids.Seller      `json:"sellerId"`
	CreatedAt      moment.DateTime `json:"createdAt"`
	UpdatedAt      moment.DateTime `json:"updatedAt"`
	ScanConfig     *Config         `json:"scanConfig,omitempty"`
	DeviceSettings *DeviceSettings `json:"deviceSettings,omitempty"`
}

// Config says what may be scanned and how (spec 2.4). It holds what was sent: absent members stay absent.
type Config struct {
	Mode Mode `json:"mode"`
	// Events are those that may be scanned: absent, none. None of them is a GROUP or ROOT event.
	Events []EventSettings `json:"events,omitzero"`
	// ScanZoneID is where check-ins count; absent is a zone of its own (decisions 6.4).
	ScanZoneID *string `json:"scanZoneId,omitempty"`
	// ScanTypes absent means check-in only.
	ScanTypes *Types `json:"scanTypes,omitempty"`
	// EnableMultiCheckin lets a ticket in again once it was let out; otherwise it is let in once, ever.
	EnableMultiCheckin *bool `json:"enableMultiCheckin,omitempty"`
	// CheckTimeslots holds tickets that have a slot to it; those without one pass.
	CheckTimeslots *bool     `json:"checkTimeslots,omitempty"`
	TapAndGo       *TapAndGo `json:"tapAndGo,omitempty"`
}

// Names are the events and the ticket types that the configuration names, some of them repeatedly.
func (c *Config) Names() (events, ticketTypes []string) {
	if c == nil {
		return nil, nil
	}
	for _, event := range c.Events {
		events = append(events, event.EventID)
		ticketTypes = append(ticketTypes, event.AllowedTicketTypeIDs...)
	}
	if c.TapAndGo != nil {
		events = append(events, c.TapAndGo.EventIDs...)
	}
	return events, ticketTypes
}

// MultiCheckin reports whether a ticket that was let out may be let in again.
func (c *Config) MultiCheckin() bool { return c != nil && isTrue(c.EnableMultiCheckin) }

// Mode says whether the operator may change the configuration at the device; it decides nothing here (decisions 6.1).
type Mode string

// Names lists the modes.
func (Mode) Names() []string { return []string{"lock", "default"} }

// Types are the directions that are scanned; at least one (decisions 6.1).
type Types struct {
	Checkin  bool `json:"checkin"`
	Checkout bool `json:"checkout"`
}

// TapAndGo says whether a device may exchange codes of access lists for tickets, and of which events.
type TapAndGo struct {
	Enabled bool `json:"enabled"`
	// EventIDs absent means every event that the device may use, an empty list none. A ROOT event may be among them.
	EventIDs []string `json:"eventIds,omitzero"`
}

// EventSettings are those of one event in a scan group.
type EventSettings struct {
	EventID string `json:"eventId"`
	// AllowAllTicketTypes makes AllowedTicketTypeIDs mean nothing. Without either, no type is allowed.
	AllowAllTicketTypes  *bool    `json:"allowAllTicketTypes,omitempty"`
	AllowedTicketTypeIDs []string `json:"allowedTicketTypeIds,omitzero"`
	// TimeslotSettings count where CheckTimeslots is on.
	TimeslotSettings  *TimeslotSettings  `json:"timeslotSettings,omitempty"`
	EventTimeSettings *EventTimeSettings `json:"eventTimeSettings,omitempty"`
}

// TimeslotSettings are minutes around the start of a ticket's slot, 0 to 525,600 each; absent ones are 0. Both ends belong
// to the span (decisions 6.1, 6.4).
type TimeslotSettings struct {
	BeforeMinutes *float64 `json:"beforeMinutes,omitempty"`
	AfterMinutes  *float64 `json:"afterMinutes,omitempty"`
}

// EventTimeSettings are hours before an event's start and after its end, 0 to 8,760 each; absent ones are 0. They hold only
// when active. An event without end ends at its start (decisions 6.1).
type EventTimeSettings struct {
	Active      bool     `json:"active"`
	BeforeHours *float64 `json:"beforeHours,omitempty"`
	AfterHours  *float64 `json:"afterHours,omitempty"`
}

// DeviceSettings say how the devices of a scan group behave (spec 2.4).
type DeviceSettings struct {
	ColorSettings        *ColorSettings `json:"colorSettings,omitempty"`
	EnableSoundFeedback  *bool          `json:"enableSoundFeedback,omitempty"`
	EnableHapticFeedback *bool          `json:"enableHapticFeedback,omitempty"`
	// ScanRevealInterval is how many seconds a result stays on the screen: one of revealIntervals.
	ScanRevealInterval *int `json:"scanRevealInterval,omitempty"`
	// TicketSyncInterval is how many seconds pass between two looks for changed tickets: one of syncIntervals.
	TicketSyncInterval *int `json:"ticketSyncInterval,omitempty"`
}

// ColorSettings are the colours of a scan's results. Success is always green and declined red: operators of all
// sellers know these two.
type ColorSettings struct {
	Success        *Color `json:"success,omitempty"`
	Declined       *Color `json:"declined,omitempty"`
	Repeated       *Color `json:"repeated,omitempty"`
	Highlighted    *Color `json:"highlighted,omitempty"`
	ActionRequired *Color `json:"actionRequired,omitempty"`
}

// Color is a colour that a device can show.
type Color string

// The two colours that have a fixed meaning.
const (
	Green Color = "green"
	Red   Color = "red"
)

// Names lists the colours in the specification's order.
func (Color) Names() []string { return []string{"green", "orange", "red", "blue", "pink"} }

// The intervals that a device can be set to, in seconds (spec 2.4).
var (
	revealIntervals = []int{1, 3, 5, 10, 15, 30}
	syncIntervals   = []int{5, 15, 30, 60, 300, 600, 900}
)

// NewGroup is what a caller says of a scan group to make.
type NewGroup struct {
	Name           string                         `json:"name"`
	ScanConfig     Config                         `json:"scanConfig"`
	DeviceSettings optional.Value[DeviceSettings] `json:"deviceSettings"`
}

// GroupChange is what a caller says of a scan group that exists. Both objects replace the old one whole, and null takes
// it away (decisions 1.4).
type GroupChange struct {
	Name           string                         `json:"name"`
	ScanConfig     optional.Value[Config]         `json:"scanConfig"`
	DeviceSettings optional.Value[DeviceSettings] `json:"deviceSettings"`
	// ExpectedUpdatedAt is the updatedAt that the caller last saw: another one is CONFLICT. REST has If-Match for it.
	ExpectedUpdatedAt *moment.DateTime `json:"-" graphql:"expectedUpdatedAt"`
}

// GroupFilter narrows a list of scan groups.
type GroupFilter struct {
	// Name is a part of the name, in any case.
	Name string
}

// apply puts the change into the group and notes everything that is wrong with it, but for what only other records can
// tell.
func (g *Group) apply(change GroupChange, problems *domain.Problems) {
	g.Name = problems.Name("name", change.Name)
	g.ScanConfig = change.ScanConfig.ApplyPointer(g.ScanConfig)
	g.DeviceSettings = change.DeviceSettings.ApplyPointer(g.DeviceSettings)
	if change.ScanConfig.Value != nil {
		g.ScanConfig.check("scanConfig", problems)
	}
	if change.DeviceSettings.Value != nil {
		g.DeviceSettings.check("deviceSettings", problems)
	}
}

// same tells whether two states of a group differ in nothing that a caller can set.
func (g *Group) same(other *Group) bool {
	return g.Name == other.Name && equalJSON(g.ScanConfig, other.ScanConfig) && equalJSON(g.DeviceSettings, other.DeviceSettings)
}

// groupState is a group as the audit log shows it.
type groupState struct {
	Name           string          `json:"name"`
	ScanConfig     *Config         `json:"scanConfig,omitempty"`
	DeviceSettings *DeviceSettings `json:"deviceSettings,omitempty"`
}

func (g *Group) audited() groupState { return groupState{g.Name, g.ScanConfig, g.DeviceSettings} }

// equalJSON compares what the wire would show.
func equalJSON(a, b any) bool {
	one, errOne := json.Marshal(a)
	other, errOther := json.Marshal(b)
	return errOne == nil && errOther == nil && bytes.Equal(one, other)
}
