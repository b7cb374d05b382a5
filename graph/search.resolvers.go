package graph

import (
	"context"

	"ticketgate/domain/search"
)

func (r *queryResolver) Search(ctx context.Context, query string) ([]search.Result, error) {
	return r.Resolver.Search.Find(ctx, query)
}
