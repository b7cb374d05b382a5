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

// Groups implements the operations on a seller's scan groups.
type Groups struct {
	Store GroupStore
	Now   func() time.Time
}

// Create creates a scan group. It requires scanGroups:create, or a session with role MANAGER.
func (s Groups) Create(ctx context.Context, input NewGroup) (Group, error) {
	actor, err := domain.Authorize(ctx, domain.CreateScanGroup)
	if err != nil {
		return Group{}, err
	}
	now := s.Now()
	group := Group{
		ID: ids.New(now), SellerID: actor.SellerID,
		CreatedAt: moment.New(now), UpdatedAt: moment.New(now),
	}
	change := GroupChange{Name: input.Name, ScanConfig: optional.Some(input.ScanConfig), DeviceSettings: input.DeviceSettings}
	if group, err = group.with(ctx, s.Store, change); err != nil {
		return Group{}, err
	}
	err = s.Store.InTx(ctx, func(tx Tx) error {
		if err := tx.InsertGroup(ctx, group); err != nil {
			return err
		}
		tx.SetResponse(group)
		return auditedGroup(ctx, tx, domain.CreateScanGroup, nil, &group)
	})
	return group, err
}

// with returns the changed group, or all errors of the change.
func (g Group) with(ctx context.Context, from catalog.Reader, change GroupChange) (Group, error) {
	var errs domain.FieldErrors
	g.apply(change, &errs)
	return g, cmp.Or(change.ScanConfig.Value.checkReferences(ctx, from, g.SellerID, "scanConfig", &errs), errs.Err())
}

// List returns the seller's scan groups, oldest first. It requires scanGroups:list, or a session with role VIEWER.
func (s Groups) List(ctx context.Context, filter GroupFilter, page domain.Page) (domain.List[Group], error) {
	actor, err := domain.Authorize(ctx, domain.ListScanGroups)
	if err != nil {
		return domain.List[Group]{}, err
	}
	return s.Store.Groups(ctx, actor.SellerID, filter, page)
}

// Get returns a scan group. It requires scanGroups:list, or a session with role VIEWER.
func (s Groups) Get(ctx context.Context, id string) (Group, error) {
	return domain.Read(ctx, domain.GetScanGroup, s.Store.Group, id)
}

// Update changes a scan group. The change applies to the next scan of each of its devices (KEY-1). An update without
// changes writes nothing. It requires scanGroups:update, or a session with role MANAGER.
func (s Groups) Update(ctx context.Context, id string, input GroupChange) (Group, error) {
	return s.records().Update(ctx, domain.UpdateScanGroup, id, input.ExpectedUpdatedAt, func(tx Tx, before Group) (Group, error) {
		if tx == nil {
			return before.with(ctx, s.Store, input)
		}
		return before.with(ctx, tx, input)
	})
}

// Delete removes a scan group and returns it. While a device uses it, the error is INVALID_STATE. It requires
// scanGroups:update, or a session with role MANAGER.
func (s Groups) Delete(ctx context.Context, id string, expected *moment.DateTime) (Group, error) {
	return s.records().Delete(ctx, domain.DeleteScanGroup, id, expected)
}

func (s Groups) records() domain.Records[Group, Tx] {
	return domain.Records[Group, Tx]{
		Now: s.Now, InTx: s.Store.InTx, Read: s.Store.Group, Lock: Tx.GroupForUpdate, Replace: Tx.UpdateGroup, Remove: Tx.DeleteGroup,
		UpdatedAt: func(g *Group) *moment.DateTime { return &g.UpdatedAt },
		Same:      (*Group).same, Follow: auditedGroup,
	}
}

var auditedGroup = domain.Audited[Group, Tx]((*Group).auditEntry, func(g, _ *Group) any { return g.audited() })

func (g *Group) auditEntry(action domain.Operation) domain.Change {
	return domain.Change{SellerID: g.SellerID, Action: action, Object: "scanGroup", ObjectID: g.ID}
}
