package graph

import (
	"context"

	"ticketgate/domain"
	"ticketgate/domain/audit"
	"ticketgate/graph/relay"
)

func (r *queryResolver) AuditLog(ctx context.Context, first *int, after *string, order domain.ListOrder, filter *audit.Filter) (relay.Connection[audit.Entry], error) {
	return connect(ctx, first, after, order, filter, r.AuditEntries.List, func(e audit.Entry) string { return e.ID })
}
