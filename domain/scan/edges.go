package scan

import (
	"context"

	"ticketgate/domain"
	"ticketgate/domain/moment"
)

// ByID returns the seller's scan groups with these ids, in one query (GRAPH-1). It requires scanGroups:list, or a
// session with role VIEWER.
func (s Groups) ByID(ctx context.Context, ids []string) (map[string]Group, error) {
	return domain.Read(ctx, domain.GetScanGroup, s.Store.GroupsByID, ids)
}

// OfEvents returns a page of the scan groups of each event, in one query (GRAPH-1). It requires scanGroups:list, or a
// session with role VIEWER.
func (s Groups) OfEvents(
	ctx context.Context, events []string, filter GroupFilter, page domain.Page,
) (map[string]domain.List[Group], error) {
	actor, err := domain.Authorize(ctx, domain.ListScanGroups)
	if err != nil {
		return nil, err
	}
	return s.Store.GroupsOfEvents(ctx, actor.SellerID, events, filter, page)
}

// ByID returns the seller's devices with these ids, in one query (GRAPH-1). It requires accessUsers:list, or a session
// with role VIEWER.
func (s Devices) ByID(ctx context.Context, ids []string) (map[string]Device, error) {
	return domain.Read(ctx, domain.GetDevice, s.Store.DevicesByID, ids)
}

// OfGroups returns a page of the devices of each scan group, in one query (GRAPH-1). It requires accessUsers:list, or a
// session with role VIEWER.
func (s Devices) OfGroups(
	ctx context.Context, groups []string, filter DeviceFilter, page domain.Page,
) (map[string]domain.List[Device], error) {
	actor, err := domain.Authorize(ctx, domain.ListDevices)
	if err != nil {
		return nil, err
	}
	return s.Store.DevicesOfGroups(ctx, actor.SellerID, groups, filter, page)
}

// OfGroups returns a page of the scans of each scan group, in one query (GRAPH-1). It requires scans:list, or a session
// with role VIEWER.
func (s Scans) OfGroups(
	ctx context.Context, groups []string, filter Filter, page domain.Page,
) (map[string]domain.List[Scan], error) {
	return domain.ReadPages(ctx, domain.ListScans, s.Store.ScansOfGroups, groups, filter, page)
}

// OfDevices returns a page of the scans of each device, in one query (GRAPH-1). It requires scans:list, or a session
// with role VIEWER.
func (s Scans) OfDevices(
	ctx context.Context, devices []string, filter Filter, page domain.Page,
) (map[string]domain.List[Scan], error) {
	return domain.ReadPages(ctx, domain.ListScans, s.Store.ScansOfDevices, devices, filter, page)
}

// CountOfDevices returns how many scans each device made since a time, in one query (GRAPH-1). The result has an entry
// for every device. It requires scans:list, or a session with role VIEWER.
func (s Scans) CountOfDevices(ctx context.Context, devices []string, since moment.DateTime) (map[string]int, error) {
	actor, err := domain.Authorize(ctx, domain.CountDeviceScans)
	if err != nil {
		return nil, err
	}
	counts, err := s.Store.ScansPerDevice(ctx, actor.SellerID, devices, since)
	if err != nil {
		return nil, err
	}
	for _, device := range devices {
		counts[device] += 0
	}
	return counts, nil
}

// ByID returns the seller's scans with these ids, in one query (GRAPH-1). It requires scans:list, or a session with
// role VIEWER.
func (s Scans) ByID(ctx context.Context, ids []string) (map[string]Scan, error) {
	return domain.Read(ctx, domain.GetScan, s.Store.ScansByID, ids)
}
