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

// Lists implements the operations on a seller's access lists.
type Lists struct {
	Store Store
	Now   func() time.Time
	// Policy decides which listener URLs are allowed (WEBHOOK-7).
	Policy listenerurl.Policy
}

// Create creates a list. It requires accessLists:create, or a session with role MANAGER.
func (s Lists) Create(ctx context.Context, input NewList) (List, error) {
	actor, err := domain.Authorize(ctx, domain.CreateAccessList)
	if err != nil {
		return List{}, err
	}
	now := s.Now()
	list := List{
		ID: ids.New(now), SellerID: actor.SellerID, CreatedAt: moment.New(now), UpdatedAt: moment.New(now),
	}
	var errs domain.FieldErrors
	list.typed(input, &errs)
	if err := list.apply(ListChange{Name: input.Name, HTTP: input.HTTP}, s.Policy, &errs); err != nil {
		return List{}, err
	}
	err = s.Store.InTx(ctx, func(tx Tx) error {
		if err := tx.InsertList(ctx, list); err != nil {
			return err
		}
		tx.SetResponse(redactKey(ctx, list))
		return auditedList(ctx, tx, domain.CreateAccessList, nil, &list)
	})
	return redactKey(ctx, list), err
}

// List returns the seller's lists, oldest first. It requires accessLists:list, or a session with role VIEWER.
func (s Lists) List(ctx context.Context, filter ListFilter, page domain.Page) (domain.List[List], error) {
	actor, err := domain.Authorize(ctx, domain.ListAccessLists)
	if err != nil {
		return domain.List[List]{}, err
	}
	found, err := s.Store.Lists(ctx, actor.SellerID, filter, page)
	for i, list := range found.Items {
		found.Items[i] = redactKey(ctx, list)
	}
	return found, err
}

// Get returns a list. It requires accessLists:list, or a session with role VIEWER.
func (s Lists) Get(ctx context.Context, id string) (List, error) {
	actor, err := domain.Authorize(ctx, domain.GetAccessList)
	if err != nil {
		return List{}, err
	}
	list, err := s.Store.List(ctx, actor.SellerID, id)
	return redactKey(ctx, list), err
}

// Update changes a list's name and listener. An update without changes writes nothing. It requires accessLists:update,
// or a session with role MANAGER.
func (s Lists) Update(ctx context.Context, id string, input ListChange) (List, error) {
	return s.records().Update(ctx, domain.UpdateAccessList, id, input.ExpectedUpdatedAt, func(_ Tx, list List) (List, error) {
		err := list.apply(input, s.Policy, &domain.FieldErrors{})
		return list, err
	})
}

// Delete removes a list with its entries and imports, and returns it. It requires accessLists:update, or a session with
// role MANAGER.
func (s Lists) Delete(ctx context.Context, id string, expected *moment.DateTime) (List, error) {
	actor, err := domain.Authorize(ctx, domain.DeleteAccessList)
	if err != nil {
		return List{}, err
	}
	if _, err := s.Store.List(ctx, actor.SellerID, id); err != nil { // before waiting for a share of long work
		return List{}, err
	}
	var deleted List
	err = s.Store.InLongTx(ctx, actor.SellerID, share.Whole, func(ctx context.Context, tx Tx) (err error) {
		deleted, err = s.records().DeleteIn(ctx, tx, domain.DeleteAccessList, actor.SellerID, id, expected)
		return err
	})
	return deleted, err
}

func (s Lists) records() domain.Records[List, Tx] {
	return domain.Records[List, Tx]{
		Now: s.Now, InTx: s.Store.InTx, Read: s.Store.List, Lock: Tx.ListForUpdate, Replace: Tx.UpdateList, Remove: Tx.DeleteList,
		UpdatedAt: func(l *List) *moment.DateTime { return &l.UpdatedAt },
		Same:      (*List).same, Follow: auditedList,
	}
}

// redactKey removes the signing key for a caller who may not update lists (ACCESS-3).
func redactKey(ctx context.Context, list List) List {
	if list.HTTP == nil {
		return list
	}
	if !domain.May(ctx, domain.UpdateAccessList) {
		list.HTTP = &Listener{URL: list.HTTP.URL}
	}
	return list
}

var auditedList = domain.Audited[List, Tx]((*List).auditEntry, func(l, before *List) any { return l.audited(before) })

func (l *List) auditEntry(action domain.Operation) domain.Change {
	return domain.Change{SellerID: l.SellerID, Action: action, Object: "accessList", ObjectID: l.ID}
}
