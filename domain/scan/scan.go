package scan

import (
	"encoding/json"

	"ticketgate/domain"
	"ticketgate/domain/ecmajson"
	"ticketgate/domain/ids"
	"ticketgate/domain/moment"
	"ticketgate/domain/ticket"
)

// Type is a direction as the scan resource spells it.
type Type string

// The types.
const (
	Checkin  Type = "checkin"
	Checkout Type = "checkout"
)

// Names returns all types.
func (Type) Names() []string { return []string{string(Checkin), string(Checkout)} }

func (d Direction) scanType() Type {
	if d == Out {
		return Checkout
	}
	return Checkin
}

// Result says whether a ticket was admitted.
type Result string

// The results. An offline device decides by itself: a scan that it approved stays approved, whatever the rules say.
const (
	Approved Result = "approved"
	Declined Result = "declined"
)

// Names returns all results.
func (Result) Names() []string { return []string{string(Approved), string(Declined)} }

// Published is the part of a scan that webhooks send.
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

// Scan is an entry of the scan log. Every scan has one, even of an unknown code.
type Scan struct {
	Published
	// Reason is the first rule that fails. An approved scan has one if a device admitted a ticket against the rules.
	Reason      *Reason `json:"reason,omitempty"`
	DeviceName  *string `json:"deviceName,omitempty"` // at the time of the scan
	ScanGroupID *string `json:"scanGroupId,omitempty"`
	ScanZoneID  *string `json:"scanZoneId,omitempty"`
	// Offline reports whether the device decided the scan and uploaded it later.
	Offline bool `json:"offline"`
	// Late reports whether a later scan of the same ticket was counted before.
	Late bool `json:"late"`
	// Conflict reports whether the device's decision differs from that of the rules.
	Conflict bool `json:"conflict"`
	// ScannedAt is the time by the device's clock. ClockAhead reports whether it was in the future and Time was
	// adjusted.
	ScannedAt  *moment.DateTime `json:"scannedAt,omitempty"`
	ClockAhead bool             `json:"clockAhead"`
	ClientID   *string          `json:"clientId,omitempty"` // the device's id of the scan
	AnnulledAt *moment.DateTime `json:"annulledAt,omitempty"`
	AnnulledBy *string          `json:"annulledBy,omitempty"`
}

// created returns the scan.created event.
func (s *Scan) created() (domain.Event, error) {
	text, err := json.Marshal(map[string]Published{"scan": s.Published})
	if err != nil {
		return domain.Event{}, err
	}
	data, err := ecmajson.Canonical(text)
	return domain.Event{SellerID: s.SellerID, Type: "scan.created", Data: data}, err
}

// place returns the place where the scan counts. It reports false if the scan has no ticket or event.
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

// Place identifies a history: a ticket at an event in a zone. ZoneID is empty for no zone.
type Place struct{ TicketID, EventID, ZoneID string }

// Access is a decision as devices show it.
type Access string

// The values of Access.
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

// Answer is the response to a scan.
type Answer struct {
	Access Access  `json:"access"`
	Reason *Reason `json:"reason,omitempty"`
	// Ticket is omitted if the device may not see it, and for unknown codes.
	Ticket *ticket.Record  `json:"ticket,omitempty"`
	ScanID string          `json:"scanId"`
	Time   moment.DateTime `json:"time"`
	// FirstCheckinAt is when the ticket first entered this zone.
	FirstCheckinAt *moment.DateTime `json:"firstCheckinAt,omitempty"`
	// InsideZones are the event's other zones that the ticket is inside of.
	InsideZones []InsideZone `json:"insideZones,omitempty"`
	// Window is the allowed time span, if the scan is outside it.
	Window *Window `json:"window,omitempty"`
}

// InsideZone is a zone that a ticket is inside of. It has no id for scan groups without a zone.
type InsideZone struct {
	ScanZoneID *string         `json:"scanZoneId,omitempty"`
	Name       *string         `json:"name,omitempty"`
	Since      moment.DateTime `json:"since"`
}

// Filter narrows the scan log. A zero field does not filter.
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
	// TimeFrom and TimeUntil replace From and Until, which are deprecated.
	TimeFrom  *moment.DateTime `graphql:"timeFrom"`
	TimeUntil *moment.DateTime `graphql:"timeUntil"`
}

// Check returns all errors of the filter, with the paths of its fields.
func (f Filter) Check() error {
	var errs domain.FieldErrors
	for _, text := range [...]struct{ path, text string }{
		{"deviceId", f.DeviceID},
		{"eventId", f.EventID},
		{"scanZoneId", f.ScanZoneID},
		{"ticketId", f.TicketID},
		{"barcode", f.Barcode},
	} {
		errs.Text(text.path, text.text)
	}
	errs.Values("reasonIn", len(f.ReasonIn))
	return errs.Err()
}
