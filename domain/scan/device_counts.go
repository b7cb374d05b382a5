package scan

import (
	"context"

	"ticketgate/domain"
	"ticketgate/domain/moment"
)

// maxCountedDevices is the maximum number of devices per call.
const maxCountedDevices = 100

// DeviceScans is the number of scans that a device made since a time.
type DeviceScans struct {
	DeviceID string
	Scans    int
}

// PerDevice counts the scans that each device made since a time, in the order of ids. The seller's scan log is counted,
// so a deleted device still has its scans, and a device of another seller has none. It requires scans:list, or a
// session with role VIEWER.
func (s Scans) PerDevice(ctx context.Context, ids []string, since moment.DateTime) ([]DeviceScans, error) {
	actor, err := domain.Authorize(ctx, domain.CountDeviceScans)
	if err != nil {
		return nil, err
	}
	var errs domain.FieldErrors
	if !errs.Count("ids", len(ids), maxCountedDevices) {
		return nil, errs.Err()
	}
	counted, err := s.Store.ScansPerDevice(ctx, actor.SellerID, ids, since)
	if err != nil {
		return nil, err
	}
	scans := make([]DeviceScans, len(ids))
	for i, id := range ids {
		scans[i] = DeviceScans{DeviceID: id, Scans: counted[id]}
	}
	return scans, nil
}
