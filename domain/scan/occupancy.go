package scan

import (
	"context"

	"ticketgate/domain"
	"ticketgate/domain/moment"
)

// Occupancy is how many tickets are inside an event.
type Occupancy struct {
	EventID string `json:"eventId"`
	// Inside counts tickets once, in however many zones they are.
	Inside int `json:"inside"`
	// CheckedIn counts the tickets that have ever entered.
	CheckedIn int             `json:"checkedIn"`
	Zones     []ZoneOccupancy `json:"zones"`
}

// ZoneOccupancy is that of one zone; without an id it is that of scan groups without a zone.
type ZoneOccupancy struct {
	ScanZoneID *string `json:"scanZoneId,omitempty"`
	Name       *string `json:"name,omitempty"`
	Inside     int     `json:"inside"`
	CheckedIn  int     `json:"checkedIn"`
}

// Presence is where a ticket is, over all events and zones.
type Presence struct {
	Inside bool
	// Since is when it entered, of several zones the first; nil if it is not inside.
	Since *moment.DateTime
	// FirstCheckinAt is nil for a ticket that was never checked in.
	FirstCheckinAt *moment.DateTime
}

// Occupancy returns how many tickets are inside an event: scans:list, or a session with VIEWER. An event without scans
// has nobody inside, one that is not there is NOT_FOUND.
func (s Scans) Occupancy(ctx context.Context, eventID string) (Occupancy, error) {
	return domain.Read(ctx, domain.GetOccupancy, s.Store.Occupancy, eventID)
}
