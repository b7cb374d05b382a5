package scan

import (
	"context"

	"ticketgate/domain"
	"ticketgate/domain/moment"
)

// Occupancy is the number of tickets inside an event.
type Occupancy struct {
	EventID string `json:"eventId"`
	// Inside counts each ticket once, even if it is inside several zones.
	Inside int `json:"inside"`
	// CheckedIn is the number of tickets that have ever entered.
	CheckedIn int             `json:"checkedIn"`
	Zones     []ZoneOccupancy `json:"zones"`
}

// ZoneOccupancy is the occupancy of one zone. Scan groups without a zone have one without an id.
type ZoneOccupancy struct {
	ScanZoneID *string `json:"scanZoneId,omitempty"`
	Name       *string `json:"name,omitempty"`
	Inside     int     `json:"inside"`
	CheckedIn  int     `json:"checkedIn"`
}

// Presence says where a ticket is, over all events and zones.
type Presence struct {
	Inside bool
	// Since is when it entered, the earliest of several zones. It is nil if the ticket is not inside.
	Since *moment.DateTime
	// FirstCheckinAt is nil if the ticket was never checked in.
	FirstCheckinAt *moment.DateTime
}

// Occupancy returns how many tickets are inside an event. It requires scans:list, or a session with role VIEWER. An
// event without scans has no tickets inside. An unknown event is NOT_FOUND.
func (s Scans) Occupancy(ctx context.Context, eventID string) (Occupancy, error) {
	return domain.Read(ctx, domain.GetOccupancy, s.Store.Occupancy, eventID)
}
