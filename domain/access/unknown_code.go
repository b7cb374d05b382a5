package access

import (
	"context"

	"ticketgate/domain"
	"ticketgate/domain/ids"
	"ticketgate/domain/moment"
	"ticketgate/domain/texts"
)

// UnknownCode is a code that a device looked up but no list contains. It helps to find out why a card does not open a
// gate.
type UnknownCode struct {
	ID           string     `json:"_id"`
	SellerID     ids.Seller `json:"sellerId"`
	DeviceID     string     `json:"deviceId"`
	EventID      string     `json:"eventId"`
	ExternalCode string     `json:"externalCode"`
	// Times is how often the device looked up the code at the event.
	Times   int             `json:"times"`
	FirstAt moment.DateTime `json:"firstAt"`
	LastAt  moment.DateTime `json:"lastAt"`
}

// UnknownCodeFilter narrows a list of unknown codes. An empty field does not filter.
type UnknownCodeFilter struct {
	DeviceID     string
	EventID      string
	ExternalCode string
}

// Check returns all errors of the filter, with the paths of its fields.
func (f UnknownCodeFilter) Check() error {
	var errs domain.FieldErrors
	errs.Text("deviceId", f.DeviceID)
	errs.Text("eventId", f.EventID)
	errs.Text("externalCode", f.ExternalCode)
	return errs.Err()
}

// noteUnknown records an unknown code with its device and time.
func (s Lookups) noteUnknown(ctx context.Context, device *domain.Actor, q Question) error {
	now := s.Now()
	return s.Store.NoteUnknownCode(ctx, UnknownCode{
		ID: ids.New(now), SellerID: q.SellerID, DeviceID: device.ID, EventID: q.EventID,
		ExternalCode: texts.Truncate(q.ExternalCode, MaxCodeLength), Times: 1,
		FirstAt: moment.New(now), LastAt: moment.New(now),
	})
}

// Unknown returns the codes that no list contains, in the order in which they were first seen. It requires scans:list,
// or a session with role VIEWER.
func (s Lookups) Unknown(ctx context.Context, filter UnknownCodeFilter, page domain.Page) (domain.List[UnknownCode], error) {
	return domain.ReadPage(ctx, domain.ListUnknownCodes, s.Store.UnknownCodes, filter, page)
}
