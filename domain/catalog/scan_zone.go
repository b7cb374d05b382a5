package catalog

import (
	"ticketgate/domain"
	"ticketgate/domain/ecmajson"
	"ticketgate/domain/ids"
	"ticketgate/domain/moment"
	"ticketgate/domain/optional"
)

// ScanZone is an area that people enter and leave. A ticket is inside or outside of each zone.
type ScanZone struct {
	ID       string     `json:"_id"`
	SellerID ids.Seller `json:"sellerId"`
	Name     string     `json:"name"`
	// EventID is nil if several events share the zone.
	EventID   *string         `json:"eventId,omitempty"`
	Meta      ecmajson.Value  `json:"meta,omitzero"`
	CreatedAt moment.DateTime `json:"createdAt"`
	UpdatedAt moment.DateTime `json:"updatedAt"`
}

// NewScanZone is the input of createScanZone.
type NewScanZone struct {
	SellerID ids.Seller     `json:"sellerId"`
	ID       *string        `json:"_id"`
	Name     string         `json:"name"`
	EventID  *string        `json:"eventId"`
	Meta     ecmajson.Value `json:"meta"`
}

// ScanZoneChange is the input of updateScanZone. Null clears a field, except for the name, which can't be cleared.
type ScanZoneChange struct {
	SellerID ids.Seller                     `json:"sellerId"`
	Name     optional.Value[string]         `json:"name"`
	EventID  optional.Value[string]         `json:"eventId"`
	Meta     optional.Value[ecmajson.Value] `json:"meta"`
	// ExpectedUpdatedAt is the updatedAt that the caller last saw. If the stored one differs, the update fails with
	// CONFLICT (BODY-2). REST uses If-Match instead.
	ExpectedUpdatedAt *moment.DateTime `json:"-" graphql:"expectedUpdatedAt"`
}

// change returns the input as a change to an empty zone.
func (n NewScanZone) change() ScanZoneChange {
	return ScanZoneChange{Name: optional.Some(n.Name), EventID: optional.FromPointer(n.EventID), Meta: sentMeta(n.Meta)}
}

// apply applies change to the zone and adds all validation errors to errs.
func (z *ScanZone) apply(change ScanZoneChange, errs *domain.FieldErrors) {
	errs.NotNull("name", change.Name.IsNull())
	if change.Name.Value != nil {
		z.Name = errs.Name("name", *change.Name.Value)
	}
	z.EventID = applyReference(errs, "eventId", change.EventID, z.EventID)
	z.Meta = applyMeta(errs, change.Meta, z.Meta)
}

// ScanZoneFilter narrows a list of scan zones. A zero field does not filter.
type ScanZoneFilter struct {
	Name    string
	EventID string
}

// Check returns all validation errors of the filter's fields.
func (f ScanZoneFilter) Check() error {
	var errs domain.FieldErrors
	errs.Text("name", f.Name)
	errs.Text("eventId", f.EventID)
	return errs.Err()
}
