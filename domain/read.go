package domain

import (
	"context"

	"ticketgate/domain/ids"
)

// Filter narrows a list. Check returns everything that is wrong with it, by its own fields.
type Filter interface{ Check() error }

// permittedFilter is a filter that needs another operation than the list does: Needs returns it, or "" if it needs none.
type permittedFilter interface{ Needs() Operation }

// Read is an operation that reads something of the seller that the call acts on: the record with a key, or the records with
// several.
func Read[K, R any](
	ctx context.Context, op Operation, read func(context.Context, ids.Seller, K) (R, error), key K,
) (R, error) {
	actor, err := Authorize(ctx, op)
	if err != nil {
		var none R
		return none, err
	}
	return read(ctx, actor.SellerID, key)
}

// ReadPage is an operation that reads a page of a list of the seller that the call acts on.
func ReadPage[F Filter, T any](
	ctx context.Context, op Operation, read func(context.Context, ids.Seller, F, Page) (List[T], error), filter F, page Page,
) (List[T], error) {
	actor, err := authorizeFilter(ctx, op, filter)
	if err != nil {
		return List[T]{}, err
	}
	return read(ctx, actor.SellerID, filter, page)
}

// ReadPages is ReadPage for the lists of several records at once: it reads the same page of each (GRAPH-1).
func ReadPages[F Filter, T any](
	ctx context.Context, op Operation, read func(context.Context, ids.Seller, []string, F, Page) (map[string]List[T], error),
	of []string, filter F, page Page,
) (map[string]List[T], error) {
	actor, err := authorizeFilter(ctx, op, filter)
	if err != nil {
		return nil, err
	}
	return read(ctx, actor.SellerID, of, filter, page)
}

func authorizeFilter[F Filter](ctx context.Context, op Operation, filter F) (*Actor, error) {
	actor, err := Authorize(ctx, op)
	if err != nil {
		return nil, err
	}
	if permitted, ok := any(filter).(permittedFilter); ok && permitted.Needs() != "" {
		if _, err := Authorize(ctx, permitted.Needs()); err != nil {
			return nil, err
		}
	}
	return actor, filter.Check()
}
