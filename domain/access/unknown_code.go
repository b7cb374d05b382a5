package access

import (
	"context"

	"ticketgate/domain"
	"ticketgate/domain/ids"
	"ticketgate/domain/moment"
	"ticketgate/domain/texts"
)

// UnknownCode is a code that was shown at a device and that no list knew: what a gate asks about when a card that should
// open it does not.
type UnknownCode struct {
	ID           string     `json:"_id"`
	SellerID     ids.Seller `json:"sellerId"`
	DeviceID     string     `json:"deviceId"`
	EventID      string     `json:"eventId"`
	ExternalCode string     `json:"externalCode"`
	// Times counts how often the device has asked for the code at the event.
	Times   int             `json:"times"`
	FirstAt moment.DateTime `json:"firstAt"`
	LastAt  moment.DateTime `json:"lastAt"`
}

// UnknownCodeFilter narrows a list of unknown codes; an empty member is no filter.
type UnknownCodeFilter struct {
	DeviceID     string
	EventID      string
	ExternalCode string
}

// Check tells everything that is wrong with the filter, by its own members.
func (f UnknownCodeFilter) Check() error {
	var problems domain.Problems
	problems.Text("deviceId", f.DeviceID)
	problems.Text("eventId", f.EventID)
	problems.Text("externalCode", f.ExternalCode)
	return problems.Err()
}

// noteUnknown remembers the raw code with device and time, as a scan of one is remembered (decisions 6.4).
func (s Lookups) noteUnknown(ctx context.Context, device *domain.Actor, q Question) error {
	now := s.Now()
	return s.Store.NoteUnknownCode(ctx, UnknownCode{
		ID: ids.New(now), SellerID: q.SellerID, DeviceID: device.ID, EventID: q.EventID,
		ExternalCode: texts.Truncate(q.ExternalCode, MaxCodeLength), Times: 1,
		FirstAt: moment.New(now), LastAt: moment.New(now),
	})
}

// Unknown returns the codes that no list knew, those seen first first: scans:list, or a session with VIEWER.
func (s Lookups) Unknown(ctx context.Context, filter UnknownCodeFilter, page domain.Page) (domain.List[UnknownCode], error) {
	return domain.ReadPage(ctx, domain.ListUnknownCodes, s.Store.UnknownCodes, filter, page)
}
