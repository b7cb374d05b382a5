package catalog

import (
	"ticketgate/domain"
	"ticketgate/domain/ecmajson"
	"ticketgate/domain/ids"
	"ticketgate/domain/moment"
	"ticketgate/domain/optional"
)

// ScanZone is a place that people go into and out of: a ticket is inside or outside of each (decisions 6.4).
type ScanZone struct {
	ID       string     `json:"_id"`
	SellerID ids.Seller `json:"sellerId"`
	Name     string     `json:"name"`
	// EventID is absent for a zone of a place that many events share.
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

// ScanZoneChange is the input of updateScanZone. Null clears a member, but for the name, which can't be cleared.
type ScanZoneChange struct {
	SellerID ids.Seller                     `json:"sellerId"`
	Name     optional.Value[string]         `json:"name"`
	EventID  optional.Value[string]         `json:"eventId"`
	Meta     optional.Value[ecmajson.Value] `json:"meta"`
	// ExpectedUpdatedAt is the updatedAt that the caller last saw: another one is CONFLICT. REST has If-Match for it.
	ExpectedUpdatedAt *moment.DateTime `json:"-" graphql:"expectedUpdatedAt"`
}

// change is a new zone as a change of nothing.
func (n NewScanZone) change() ScanZoneChange {
	return ScanZoneChange{Name: optional.Some(n.Name), EventID: optional.FromPointer(n.EventID), Meta: sentMeta(n.Meta)}
}

// apply puts the change into the zone and notes everything that is wrong with it.
func (z *ScanZone) apply(change ScanZoneChange, problems *domain.Problems) {
	problems.NotNull("name", change.Name.IsNull())
	if change.Name.Value != nil {
		z.Name = problems.Name("name", *change.Name.Value)
	}
	z.EventID = applyReference(problems, "eventId", change.EventID, z.EventID)
	z.Meta = applyMeta(problems, change.Meta, z.Meta)
}

// ScanZoneFilter narrows a list of scan zones; a zero member is no filter.
type ScanZoneFilter struct {
	Name    string
	EventID string
}

// Check tells everything that is wrong with the filter, by its own members.
func (f ScanZoneFilter) Check() error {
	var problems domain.Problems
	problems.Text("name", f.Name)
	problems.Text("eventId", f.EventID)
	return problems.Err()
}
