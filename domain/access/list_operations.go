package access

import (
	"context"
	"time"

	"ticketgate/domain"
	"ticketgate/domain/ids"
	"ticketgate/domain/listenerurl"
	"ticketgate/domain/moment"
	"ticketgate/domain/share"
)

// Lists is what can be done with a seller's access lists.
type Lists struct {
	Store Store
	Now   func() time.Time
	// Policy is which listener URLs may be configured (decisions 7.8).
	Policy listenerurl.Policy
}

// Create makes a list: accessLists:create, or a session with MANAGER.
func (s Lists) Create(ctx context.Context, input NewList) (List, error) {
	actor, err := domain.Authorize(ctx, domain.CreateAccessList)
	if err != nil {
		return List{}, err
	}
	now := s.Now()
	made := List{
		ID: ids.New(now), SellerID: actor.SellerID, CreatedAt: moment.New(now), UpdatedAt: moment.New(now),
	}
	var problems domain.Problems
	made.typed(input, &problems)
	if err := made.apply(ListChange{Name: input.Name, HTTP: input.HTTP}, s.Policy, &problems); err != nil {
		return List{}, err
	}
	err = s.Store.InTx(ctx, func(tx Tx) error {
		if err := tx.InsertList(ctx, made); err != nil {
			return err
		}
		tx.Answer(withKeyFor(ctx, made))
		return tx.Audit(ctx, listChange(domain.CreateAccessList, made).Diff(nil, made.audited(nil)))
	})
	return withKeyFor(ctx, made), err
}

// List returns the seller's lists, oldest first: accessLists:list, or a session with VIEWER.
func (s Lists) List(ctx context.Context, filter ListFilter, page domain.Page) (domain.List[List], error) {
	actor, err := domain.Authorize(ctx, domain.ListAccessLists)
	if err != nil {
		return domain.List[List]{}, err
	}
	found, err := s.Store.Lists(ctx, actor.SellerID, filter, page)
	for i, list := range found.Items {
		found.Items[i] = withKeyFor(ctx, list)
	}
	return found, err
}

// Get returns one list: accessLists:list, or a session with VIEWER.
func (s Lists) Get(ctx context.Context, id string) (List, error) {
	actor, err := domain.Authorize(ctx, domain.GetAccessList)
	if err != nil {
		return List{}, err
	}
	list, err := s.Store.List(ctx, actor.SellerID, id)
	return withKeyFor(ctx, list), err
}

// Update changes a list's name and listener: accessLists:update, or a session with MANAGER. A change that changes
// nothing writes nothing.
func (s Lists) Update(ctx context.Context, id string, input ListChange) (List, error) {
	actor, err := domain.Authorize(ctx, domain.UpdateAccessList)
	if err != nil {
		return List{}, err
	}
	found, err := s.Store.List(ctx, actor.SellerID, id)
	if err == nil {
		err = found.apply(input, s.Policy, &domain.Problems{})
	}
	if err != nil {
		return List{}, err
	}
	var after List
	err = s.Store.InTx(ctx, func(tx Tx) error {
		before, err := tx.ListForUpdate(ctx, actor.SellerID, id)
		if err == nil {
			err = domain.Unchanged(ctx, input.ExpectedUpdatedAt, before.UpdatedAt)
		}
		if err != nil {
			return err
		}
		after = before
		if err := after.apply(input, s.Policy, &domain.Problems{}); err != nil || after.same(&before) {
			return err
		}
		after.UpdatedAt = domain.NextUpdate(s.Now(), before.UpdatedAt)
		if err := tx.UpdateList(ctx, after); err != nil {
			return err
		}
		return tx.Audit(ctx, listChange(domain.UpdateAccessList, after).Diff(before.audited(nil), after.audited(&before)))
	})
	if err != nil {
		return List{}, err
	}
	return after, nil
}

// Delete removes a list with its entries and imports, and returns it (decisions 5.7): accessLists:update, or a session
// with MANAGER.
func (s Lists) Delete(ctx context.Context, id string, expected *moment.DateTime) (List, error) {
	actor, err := domain.Authorize(ctx, domain.DeleteAccessList)
	if err != nil {
		return List{}, err
	}
	if _, err := s.Store.List(ctx, actor.SellerID, id); err != nil { // before it waits for a share of long work
		return List{}, err
	}
	var deleted List
	err = s.Store.InLongTx(ctx, actor.SellerID, share.Whole, func(ctx context.Context, tx Tx) (err error) {
		if deleted, err = tx.ListForUpdate(ctx, actor.SellerID, id); err == nil {
			err = domain.Unchanged(ctx, expected, deleted.UpdatedAt)
		}
		if err != nil {
			return err
		}
		if err := tx.DeleteList(ctx, actor.SellerID, id); err != nil {
			return err
		}
		return tx.Audit(ctx, listChange(domain.DeleteAccessList, deleted).Diff(deleted.audited(nil), nil))
	})
	return deleted, err
}

// withKeyFor leaves the signing key out for a caller who may not update lists (decisions 5.2).
func withKeyFor(ctx context.Context, list List) List {
	if list.HTTP == nil {
		return list
	}
	if !domain.May(ctx, domain.UpdateAccessList) {
		list.HTTP = &Listener{URL: list.HTTP.URL}
	}
	return list
}

func listChange(action domain.Operation, l List) domain.Change {
	return domain.Change{SellerID: l.SellerID, Action: action, Object: "accessList", ObjectID: l.ID}
}
