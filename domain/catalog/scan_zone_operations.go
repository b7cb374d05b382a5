package catalog

import (
	"cmp"
	"context"
	"time"

	"ticketgate/domain"
)

// ScanZones is what can be done with a seller's scan zones.
type ScanZones struct {
	Store  Store
	Seller SellerOf
	Now    func() time.Time
}

// Create makes a scan zone: scanZones:create, or a session with MANAGER.
func (s ScanZones) Create(ctx context.Context, input NewScanZone) (ScanZone, error) {
	actor, err := domain.AuthorizeSeller(ctx, domain.CreateScanZone, input.SellerID, s.Seller)
	if err != nil {
		return ScanZone{}, err
	}
	var problems domain.Problems
	now := s.Now()
	made := ScanZone{
		ID: newID(&problems, input.ID, now), SellerID: actor.SellerID,
		CreatedAt: domain.NewDateTime(now), UpdatedAt: domain.NewDateTime(now),
	}
	made.apply(input.change(), &problems)
	if err := cmp.Or(
		checkUnused(ctx, s.Store.ScanZone, actor.SellerID, input.ID, &problems),
		checkEvent(ctx, s.Store, actor.SellerID, input.EventID, &problems),
		problems.Err(),
	); err != nil {
		return ScanZone{}, err
	}
	err = s.Store.InTx(ctx, func(tx Tx) error {
		if err := tx.InsertScanZone(ctx, made); err != nil {
			return err
		}
		return tx.Audit(ctx, scanZoneChange(domain.CreateScanZone, made).Diff(nil, made))
	})
	return made, err
}

// List returns the seller's scan zones that match, oldest first: scanZones:list, or a session with VIEWER.
func (s ScanZones) List(ctx context.Context, filter ScanZoneFilter, page domain.Page) (domain.List[ScanZone], error) {
	actor, err := domain.Authorize(ctx, domain.ListScanZones)
	if err != nil {
		return domain.List[ScanZone]{}, err
	}
	if err := filter.Check(); err != nil {
		return domain.List[ScanZone]{}, err
	}
	return s.Store.ScanZones(ctx, actor.SellerID, filter, page)
}

// Get returns one scan zone: scanZones:list, or a session with VIEWER.
func (s ScanZones) Get(ctx context.Context, id string) (ScanZone, error) {
	actor, err := domain.Authorize(ctx, domain.GetScanZone)
	if err != nil {
		return ScanZone{}, err
	}
	return s.Store.ScanZone(ctx, actor.SellerID, id)
}

// Update changes a scan zone: scanZones:update, or a session with MANAGER. A change that changes nothing writes
// nothing.
func (s ScanZones) Update(ctx context.Context, id string, input ScanZoneChange) (ScanZone, error) {
	actor, err := domain.AuthorizeSeller(ctx, domain.UpdateScanZone, input.SellerID, s.Seller)
	if err != nil {
		return ScanZone{}, err
	}
	before, err := s.Store.ScanZone(ctx, actor.SellerID, id)
	if err == nil {
		err = before.check(ctx, s.Store, input)
	}
	if err != nil {
		return ScanZone{}, err
	}
	var after ScanZone
	err = s.Store.InTx(ctx, func(tx Tx) error {
		before, err := tx.ScanZoneForUpdate(ctx, actor.SellerID, id)
		if err == nil {
			err = domain.Unchanged(ctx, input.ExpectedUpdatedAt, before.UpdatedAt)
		}
		if err != nil {
			return err
		}
		if after, err = before.with(input); err != nil {
			return err
		}
		if unchanged, err := same(before, after); err != nil || unchanged {
			return err
		}
		after.UpdatedAt = domain.NextUpdate(s.Now(), before.UpdatedAt)
		if err := tx.UpdateScanZone(ctx, after); err != nil {
			return err
		}
		return tx.Audit(ctx, scanZoneChange(domain.UpdateScanZone, after).Diff(before, after))
	})
	return after, err
}

func scanZoneChange(action domain.Operation, z ScanZone) domain.Change {
	return domain.Change{SellerID: z.SellerID, Action: action, Object: "scanZone", ObjectID: z.ID}
}

// with returns the scan zone after a change, or everything that is wrong with the change.
func (z ScanZone) with(change ScanZoneChange) (ScanZone, error) {
	var problems domain.Problems
	z.apply(change, &problems)
	return z, problems.Err()
}

// check returns everything that is wrong with a change, an event that the seller doesn't have included.
func (z ScanZone) check(ctx context.Context, from Reader, change ScanZoneChange) error {
	var problems domain.Problems
	z.apply(change, &problems)
	return cmp.Or(checkEvent(ctx, from, z.SellerID, change.EventID.Value, &problems), problems.Err())
}
