package scan

import (
	"cmp"
	"context"
	"time"

	"ticketgate/domain"
	"ticketgate/domain/catalog"
	"ticketgate/domain/ids"
	"ticketgate/domain/moment"
	"ticketgate/domain/optional"
)

// Groups is what can be done with a seller's scan groups.
type Groups struct {
	Store GroupStore
	Now   func() time.Time
}

// Create makes a scan group: scanGroups:create, or a session with MANAGER.
func (s Groups) Create(ctx context.Context, input NewGroup) (Group, error) {
	actor, err := domain.Authorize(ctx, domain.CreateScanGroup)
	if err != nil {
		return Group{}, err
	}
	now := s.Now()
	made := Group{
		ID: ids.New(now), SellerID: actor.SellerID,
		CreatedAt: moment.New(now), UpdatedAt: moment.New(now),
	}
	change := GroupChange{Name: input.Name, ScanConfig: optional.Some(input.ScanConfig), DeviceSettings: input.DeviceSettings}
	if made, err = made.with(ctx, s.Store, change); err != nil {
		return Group{}, err
	}
	err = s.Store.InTx(ctx, func(tx Tx) error {
		if err := tx.InsertGroup(ctx, made); err != nil {
			return err
		}
		tx.Answer(made)
		return tx.Audit(ctx, made.auditEntry(domain.CreateScanGroup).Diff(nil, made.audited()))
	})
	return made, err
}

// with returns the group after a change, or everything that is wrong with the change.
func (g Group) with(ctx context.Context, from catalog.Reader, change GroupChange) (Group, error) {
	var problems domain.Problems
	g.apply(change, &problems)
	return g, cmp.Or(change.ScanConfig.Value.checkReferences(ctx, from, g.SellerID, "scanConfig", &problems), problems.Err())
}

// List returns the seller's scan groups, oldest first: scanGroups:list, or a session with VIEWER.
func (s Groups) List(ctx context.Context, filter GroupFilter, page domain.Page) (domain.List[Group], error) {
	actor, err := domain.Authorize(ctx, domain.ListScanGroups)
	if err != nil {
		return domain.List[Group]{}, err
	}
	return s.Store.Groups(ctx, actor.SellerID, filter, page)
}

// Get returns one scan group: scanGroups:list, or a session with VIEWER.
func (s Groups) Get(ctx context.Context, id string) (Group, error) {
	return domain.Read(ctx, domain.GetScanGroup, s.Store.Group, id)
}

// Update changes a scan group; the next scan of each of its devices is decided by it. ScanGroups:update, or a session
// with MANAGER. A change that changes nothing writes nothing.
func (s Groups) Update(ctx context.Context, id string, input GroupChange) (Group, error) {
	actor, err := domain.Authorize(ctx, domain.UpdateScanGroup)
	if err != nil {
		return Group{}, err
	}
	found, err := s.Store.Group(ctx, actor.SellerID, id)
	if err == nil {
		_, err = found.with(ctx, s.Store, input)
	}
	if err != nil {
		return Group{}, err
	}
	var after Group
	err = s.Store.InTx(ctx, func(tx Tx) error {
		before, err := tx.GroupForUpdate(ctx, actor.SellerID, id)
		if err == nil {
			err = domain.Unchanged(ctx, input.ExpectedUpdatedAt, before.UpdatedAt)
		}
		if err != nil {
			return err
		}
		if after, err = before.with(ctx, tx, input); err != nil || after.same(&before) {
			return err
		}
		after.UpdatedAt = domain.NextUpdate(s.Now(), before.UpdatedAt)
		if err := tx.UpdateGroup(ctx, after); err != nil {
			return err
		}
		return tx.Audit(ctx, after.auditEntry(domain.UpdateScanGroup).Diff(before.audited(), after.audited()))
	})
	if err != nil {
		return Group{}, err
	}
	return after, nil
}

// Delete removes a scan group and returns it; INVALID_STATE while a device uses it. ScanGroups:update, or a session with
// MANAGER.
func (s Groups) Delete(ctx context.Context, id string, expected *moment.DateTime) (Group, error) {
	actor, err := domain.Authorize(ctx, domain.DeleteScanGroup)
	if err != nil {
		return Group{}, err
	}
	var deleted Group
	err = s.Store.InTx(ctx, func(tx Tx) (err error) {
		if deleted, err = tx.GroupForUpdate(ctx, actor.SellerID, id); err == nil {
			err = domain.Unchanged(ctx, expected, deleted.UpdatedAt)
		}
		if err != nil {
			return err
		}
		if err := tx.DeleteGroup(ctx, actor.SellerID, id); err != nil {
			return err
		}
		return tx.Audit(ctx, deleted.auditEntry(domain.DeleteScanGroup).Diff(deleted.audited(), nil))
	})
	return deleted, err
}

func (g *Group) auditEntry(action domain.Operation) domain.Change {
	return domain.Change{SellerID: g.SellerID, Action: action, Object: "scanGroup", ObjectID: g.ID}
}
