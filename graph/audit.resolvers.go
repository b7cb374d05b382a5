package graph

import (
	"context"

	"ticketgate/domain"
	"ticketgate/domain/audit"
	"ticketgate/graph/generated"
	"ticketgate/graph/relay"
)

func (r *auditEntryResolver) Actor(ctx context.Context, obj *audit.Entry) (relay.Actor, error) {
	return toAny[audit.Entry, relay.Actor](ctx, obj, actorOfEntry, fromKeys, r.actors())
}

func (r *auditEntryResolver) RecordName(ctx context.Context, obj *audit.Entry) (*string, error) {
	return toOne(ctx, obj, recordOfEntry, r.AuditEntries.RecordNames)
}

func (r *auditEntryResolver) Record(ctx context.Context, obj *audit.Entry) (relay.Node, error) {
	return toAny[audit.Entry, relay.Node](ctx, obj, recordOfEntry, fromKeys, r.changed())
}

func (r *queryResolver) AuditLog(ctx context.Context, first *int, after *string, order domain.ListOrder, filter *audit.Filter) (relay.Connection[audit.Entry], error) {
	return connect(ctx, first, after, order, filter, r.AuditEntries.List, func(e audit.Entry) string { return e.ID })
}

func (r *Resolver) AuditEntry() generated.AuditEntryResolver { return &auditEntryResolver{r} }

type auditEntryResolver struct{ *Resolver }
