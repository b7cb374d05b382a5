package domain

import (
	"context"

	"ticketgate/domain/ids"
)

// Filter narrows a list. Check returns every fault of the filter, with its own field paths.
type Filter interface{ Check() error }

// permittedFilter is a filter that may require the right to a second operation. Needs returns that operation, or "".
type permittedFilter interface{ Needs() Operation }

// Read runs an operation that reads from the seller the call acts on: one record by its key, or several by their keys.
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

// ReadPage runs an operation that reads a page of a list of the seller the call acts on.
func ReadPage[F Filter, T any](
	ctx context.Context, op Operation, read func(context.Context, ids.Seller, F, Page) (List[T], error), filter F, page Page,
) (List[T], error) {
	actor, err := authorizeFilter(ctx, op, filter)
	if err != nil {
		return List[T]{}, err
	}
	return read(ctx, actor.SellerID, filter, page)
}

// ReadPages is ReadPage for the lists of several records: it reads the same page of each (GRAPH-1).
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
