package scan

import (
	"context"
	"fmt"

	"ticketgate/domain"
	"ticketgate/domain/moment"
)

// maxCountedDevices is how many devices one call asks for at most.
const maxCountedDevices = 100

// DeviceScans is how many scans a device has made since an instant.
type DeviceScans struct {
	DeviceID string
	Scans    int
}

// PerDevice counts the scans that devices made since an instant, in the order asked for: scans:list, or a session with
// VIEWER. Of a device that is not the seller's, or is gone, there are those that the seller's log has.
func (s Scans) PerDevice(ctx context.Context, ids []string, since moment.DateTime) ([]DeviceScans, error) {
	actor, err := domain.Authorize(ctx, domain.CountDeviceScans)
	if err != nil {
		return nil, err
	}
	if len(ids) > maxCountedDevices {
		return nil, domain.Invalid("ids", fmt.Sprintf("must be at most %d, not %d", maxCountedDevices, len(ids)))
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
