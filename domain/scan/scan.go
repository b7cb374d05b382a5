package scan

import (
	"encoding/json"

	"ticketgate/domain"
	"ticketgate/domain/ecmajson"
	"ticketgate/domain/ids"
	"ticketgate/domain/moment"
	"ticketgate/domain/ticket"
)

// Type is a direction as the scan resource spells it (decisions 7.5).
type Type string

// The types.
const (
	Checkin  Type = "checkin"
	Checkout Type = "checkout"
)

// Names lists the types.
func (Type) Names() []string { return []string{string(Checkin), string(Checkout)} }

func (d Direction) scanType() Type {
	if d == Out {
		return Checkout
	}
	return Checkin
}

// Result says whether a ticket passed.
type Result string

// The results. A device that was offline decides itself: what it let in is approved, whatever the rules say.
const (
	Approved Result = "approved"
	Declined Result = "declined"
)

// Names lists the results.
func (Result) Names() []string { return []string{string(Approved), string(Declined)} }

// Published is a scan as webhooks tell of it (decisions 7.5).
type Published struct {
	ID            string          `json:"_id"`
	TicketID      *string         `json:"ticketId,omitempty"`
	Time          moment.DateTime `json:"time"`
	EventID       *string         `json:"eventId,omitempty"`
	ParentEventID *string         `json:"parentEventId,omitempty"`
	Barcode       string          `json:"barcode"`
	Name          *string         `json:"name,omitempty"` // of the holder
	TicketTypeID  *string         `json:"ticketTypeId,omitempty"`
	TicketName    *string         `json:"ticketName,omitempty"`
	DeviceID      *string         `json:"deviceId,omitempty"`
	Type          Type            `json:"type"`
	Result        Result          `json:"scanResult"`
	SellerID      ids.Seller      `json:"sellerId"`
	CreatedAt     moment.DateTime `json:"createdAt"`
	UpdatedAt     moment.DateTime `json:"updatedAt"`
}

// Scan is one row of the scan log: every scan leaves one, also of an unknown code.
type Scan struct {
	Published
	// Reason is the rule that fails; an approved scan has one when a device let in whom the rules would not.
	Reason      *Reason `json:"reason,omitempty"`
	DeviceName  *string `json:"deviceName,omitempty"` // as it was then
	ScanGroupID *string `json:"scanGroupId,omitempty"`
	ScanZoneID  *string `json:"scanZoneId,omitempty"`
	// Offline scans were decided by the device and handed in later.
	Offline bool `json:"offline"`
	// Late says that a later scan of the same ticket was counted before.
	Late bool `json:"late"`
	// Conflict says that the device's own decision was not that of the rules.
	Conflict bool `json:"conflict"`
	// ScannedAt is what the device's clock said; ClockAhead that it lay in the future and Time does not.
	ScannedAt  *moment.DateTime `json:"scannedAt,omitempty"`
	ClockAhead bool             `json:"clockAhead"`
	ClientID   *string          `json:"clientId,omitempty"` // the device's own id of the scan
	AnnulledAt *moment.DateTime `json:"annulledAt,omitempty"`
	AnnulledBy *string          `json:"annulledBy,omitempty"`
}

// created is the event that tells of a scan.
func (s *Scan) created() (domain.Event, error) {
	text, err := json.Marshal(map[string]Published{"scan": s.Published})
	if err != nil {
		return domain.Event{}, err
	}
	data, err := ecmajson.Canonical(text)
	return domain.Event{SellerID: s.SellerID, Type: "scan.created", Data: data}, err
}

// place is where the scan counts; false when no ticket was known.
func (s *Scan) place() (Place, bool) {
	if s.TicketID == nil || s.EventID == nil {
		return Place{}, false
	}
	place := Place{TicketID: *s.TicketID, EventID: *s.EventID}
	if s.ScanZoneID != nil {
		place.ZoneID = *s.ScanZoneID
	}
	return place, true
}

// Place is what a history belongs to: a ticket at an event in a zone, of which the empty one is no zone.
type Place struct{ TicketID, EventID, ZoneID string }

// Access is a decision as a device shows it.
type Access string

// The two kinds of access.
const (
	Granted Access = "GRANTED"
	Denied  Access = "DENIED"
)

func accessOf(reason Reason) Access {
	if reason == "" {
		return Granted
	}
	return Denied
}

// Answer is what a device gets to know of a scan (decisions 6.3).
type Answer struct {
	Access Access  `json:"access"`
	Reason *Reason `json:"reason,omitempty"`
	// Ticket is left out where the device may not see it: unknown codes and events that are not its own.
	Ticket *ticket.Record  `json:"ticket,omitempty"`
	ScanID string          `json:"scanId"`
	Time   moment.DateTime `json:"time"`
	// FirstCheckinAt is when the ticket entered this zone first.
	FirstCheckinAt *moment.DateTime `json:"firstCheckinAt,omitempty"`
	// InsideZones are the other zones of the event that the ticket is inside of.
	InsideZones []InsideZone `json:"insideZones,omitempty"`
	// Window is the span of time that the scan lies outside of.
	Window *Window `json:"window,omitempty"`
}

// InsideZone is a zone that a ticket is inside of; without an id it is that of scan groups without a zone.
type InsideZone struct {
	ScanZoneID *string         `json:"scanZoneId,omitempty"`
	Name       *string         `json:"name,omitempty"`
	Since      moment.DateTime `json:"since"`
}

// Filter narrows the scan log; a zero member is no filter.
type Filter struct {
	DeviceID   string           `graphql:"deviceId"`
	EventID    string           `graphql:"eventId"`
	ScanZoneID string           `graphql:"scanZoneId"`
	TicketID   string           `graphql:"ticketId"`
	Barcode    string           `graphql:"barcode"`
	Type       Type             `graphql:"type"`
	Result     Result           `graphql:"scanResult"`
	Reason     Reason           `graphql:"reason"`
	ReasonIn   []Reason         `graphql:"reasonIn"` // one of these
	From       *moment.DateTime `graphql:"from"`     // inclusive
	Until      *moment.DateTime `graphql:"until"`    // exclusive
	Offline    *bool            `graphql:"offline"`
	Late       *bool            `graphql:"late"`
	Conflict   *bool            `graphql:"conflict"`
	Annulled   *bool            `graphql:"annulled"`
	// TimeFrom and TimeUntil are From and Until by their newer names.
	TimeFrom  *moment.DateTime `graphql:"timeFrom"`
	TimeUntil *moment.DateTime `graphql:"timeUntil"`
}

// Check tells everything that is wrong with the filter, by its own members.
func (f Filter) Check() error {
	var problems domain.Problems
	for _, text := range [...]struct{ path, text string }{
		{"deviceId", f.DeviceID},
		{"eventId", f.EventID},
		{"scanZoneId", f.ScanZoneID},
		{"ticketId", f.TicketID},
		{"barcode", f.Barcode},
	} {
		problems.Text(text.path, text.text)
	}
	problems.Values("reasonIn", len(f.ReasonIn))
	return problems.Err()
}
