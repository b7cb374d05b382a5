package scan

import (
	"bytes"
	"encoding/json"

	"ticketgate/domain"
	"ticketgate/domain/ids"
	"ticketgate/domain/moment"
	"ticketgate/domain/optional"
)

// Group is a scan group. It defines what may be scanned and how its devices behave. A device has at most one, see
// AccessSettings.
type Group struct {
	ID             string          `json:"_id"`
	Name           string          `json:"name"`
	SellerID       ids.Seller      `json:"sellerId"`
	CreatedAt      moment.DateTime `json:"createdAt"`
	UpdatedAt      moment.DateTime `json:"updatedAt"`
	ScanConfig     *Config         `json:"scanConfig,omitempty"`
	DeviceSettings *DeviceSettings `json:"deviceSettings,omitempty"`
}

// Config lists the events and ticket types that may be scanned, with the rules. It is stored as sent, without defaults.
type Config struct {
	Mode Mode `json:"mode"`
	// Events are the events that may be scanned, none by default. GROUP and ROOT events are not allowed (GATE-15).
	Events []EventSettings `json:"events,omitzero"`
	// ScanZoneID is the zone in which check-ins count. Having no zone counts as a zone of its own.
	ScanZoneID *string `json:"scanZoneId,omitempty"`
	// ScanTypes defaults to check-in only.
	ScanTypes *Types `json:"scanTypes,omitempty"`
	// EnableMultiCheckin lets a ticket enter again after it has left. Otherwise it can enter once.
	EnableMultiCheckin *bool `json:"enableMultiCheckin,omitempty"`
	// CheckTimeslots enforces the time slots of tickets. Tickets without a slot pass.
	CheckTimeslots *bool     `json:"checkTimeslots,omitempty"`
	TapAndGo       *TapAndGo `json:"tapAndGo,omitempty"`
}

// Names returns the events and ticket types in the configuration, possibly with duplicates.
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

// MultiCheckin reports whether a ticket may enter again after it has left.
func (c *Config) MultiCheckin() bool { return c != nil && isTrue(c.EnableMultiCheckin) }

// Mode says whether the operator may change the configuration at the device. It has no effect on decisions.
type Mode string

// Names returns all modes.
func (Mode) Names() []string { return []string{"lock", "default"} }

// Types are the directions that may be scanned, at least one.
type Types struct {
	Checkin  bool `json:"checkin"`
	Checkout bool `json:"checkout"`
}

// TapAndGo says whether, and for which events, a device may exchange codes of access lists for tickets.
type TapAndGo struct {
	Enabled bool `json:"enabled"`
	// EventIDs may include ROOT events. Nil means all events that the device may use, and an empty list means none.
	EventIDs []string `json:"eventIds,omitzero"`
}

// EventSettings are the settings of one event in a scan group.
type EventSettings struct {
	EventID string `json:"eventId"`
	// AllowAllTicketTypes overrides AllowedTicketTypeIDs. Without either, no ticket type is allowed.
	AllowAllTicketTypes  *bool    `json:"allowAllTicketTypes,omitempty"`
	AllowedTicketTypeIDs []string `json:"allowedTicketTypeIds,omitzero"`
	// TimeslotSettings apply if CheckTimeslots is set.
	TimeslotSettings  *TimeslotSettings  `json:"timeslotSettings,omitempty"`
	EventTimeSettings *EventTimeSettings `json:"eventTimeSettings,omitempty"`
}

// TimeslotSettings are the minutes before and after the start of a ticket's slot, both ends included. Each is 0 to
// 525,600, by default 0.
type TimeslotSettings struct {
	BeforeMinutes *float64 `json:"beforeMinutes,omitempty"`
	AfterMinutes  *float64 `json:"afterMinutes,omitempty"`
}

// EventTimeSettings are the hours before an event's start and after its end, each 0 to 8,760, by default 0. They apply
// only if active. An event without an end ends at its start.
type EventTimeSettings struct {
	Active      bool     `json:"active"`
	BeforeHours *float64 `json:"beforeHours,omitempty"`
	AfterHours  *float64 `json:"afterHours,omitempty"`
}

// DeviceSettings are the settings of a scan group's devices.
type DeviceSettings struct {
	ColorSettings        *ColorSettings `json:"colorSettings,omitempty"`
	EnableSoundFeedback  *bool          `json:"enableSoundFeedback,omitempty"`
	EnableHapticFeedback *bool          `json:"enableHapticFeedback,omitempty"`
	// ScanRevealInterval is how many seconds a result is displayed, one of revealIntervals.
	ScanRevealInterval *int `json:"scanRevealInterval,omitempty"`
	// TicketSyncInterval is how many seconds pass between checks for changed tickets, one of syncIntervals.
	TicketSyncInterval *int `json:"ticketSyncInterval,omitempty"`
}

// ColorSettings are the colors of scan results. Success is always green and declined always red, so that operators can
// rely on them at every seller.
type ColorSettings struct {
	Success        *Color `json:"success,omitempty"`
	Declined       *Color `json:"declined,omitempty"`
	Repeated       *Color `json:"repeated,omitempty"`
	Highlighted    *Color `json:"highlighted,omitempty"`
	ActionRequired *Color `json:"actionRequired,omitempty"`
}

// Color is a color that a device can show.
type Color string

// The two colors with a fixed meaning.
const (
	Green Color = "green"
	Red   Color = "red"
)

// Names returns all colors.
func (Color) Names() []string { return []string{"green", "orange", "red", "blue", "pink"} }

// The allowed intervals, in seconds.
var (
	revealIntervals = []int{1, 3, 5, 10, 15, 30}
	syncIntervals   = []int{5, 15, 30, 60, 300, 600, 900}
)

// NewGroup is the input of createScanGroup.
type NewGroup struct {
	Name           string                         `json:"name"`
	ScanConfig     Config                         `json:"scanConfig"`
	DeviceSettings optional.Value[DeviceSettings] `json:"deviceSettings"`
}

// GroupChange is the input of updateScanGroup. A scanConfig or deviceSettings replaces the whole previous one, and null
// removes it.
type GroupChange struct {
	Name           string                         `json:"name"`
	ScanConfig     optional.Value[Config]         `json:"scanConfig"`
	DeviceSettings optional.Value[DeviceSettings] `json:"deviceSettings"`
	// ExpectedUpdatedAt is the updatedAt that the caller last saw. If it has changed, the error is CONFLICT. REST
	// uses If-Match.
	ExpectedUpdatedAt *moment.DateTime `json:"-" graphql:"expectedUpdatedAt"`
}

// GroupFilter narrows a list of scan groups.
type GroupFilter struct {
	// Name is part of the name, case-insensitive.
	Name string
}

// apply applies the change to the group, and adds its errors except those that depend on other records.
func (g *Group) apply(change GroupChange, errs *domain.FieldErrors) {
	g.Name = errs.Name("name", change.Name)
	g.ScanConfig = change.ScanConfig.ApplyPointer(g.ScanConfig)
	g.DeviceSettings = change.DeviceSettings.ApplyPointer(g.DeviceSettings)
	if change.ScanConfig.Value != nil {
		g.ScanConfig.check("scanConfig", errs)
	}
	if change.DeviceSettings.Value != nil {
		g.DeviceSettings.check("deviceSettings", errs)
	}
}

// same reports whether both have equal values in all fields that callers can set.
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

// equalJSON reports whether both values have the same JSON form.
func equalJSON(a, b any) bool {
	item, errOne := json.Marshal(a)
	other, errOther := json.Marshal(b)
	return errOne == nil && errOther == nil && bytes.Equal(item, other)
}
