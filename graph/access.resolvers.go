package graph

import (
	"context"

	"ticketgate/domain"
	"ticketgate/domain/access"
	"ticketgate/domain/catalog"
	"ticketgate/domain/moment"
	"ticketgate/domain/optional"
	"ticketgate/domain/ticket"
	"ticketgate/graph/generated"
	"ticketgate/graph/relay"
)

func (r *accessListResolver) Entries(ctx context.Context, obj *access.List, first *int, after *string, order domain.ListOrder, filter *access.EntryFilter) (*relay.Connection[access.Entry], error) {
	return toMany(ctx, obj, idOfList, nested[access.EntryFilter]{first, after, order, filter},
		r.AccessEntries.OfLists, positionOfEntry)
}

func (r *accessListResolver) Size(ctx context.Context, obj *access.List) (*access.ListSize, error) {
	return toOne(ctx, obj, idOfList, r.Resolver.AccessLists.SizesByID)
}

func (r *accessListEntryResolver) List(ctx context.Context, obj *access.Entry) (*access.List, error) {
	return toOne(ctx, obj, listOfEntry, r.Resolver.AccessLists.ByID)
}

func (r *accessListEntryResolver) Customer(ctx context.Context, obj *access.Entry) (*catalog.Customer, error) {
	return toOne(ctx, obj, customerOfEntry, r.Resolver.Customers.ByID)
}

func (r *accessListEntryResolver) Ticket(ctx context.Context, obj *access.Entry) (*ticket.Record, error) {
	return toOne(ctx, obj, codeOfEntry, r.Resolver.Tickets.ByBarcode)
}

func (r *mutationResolver) CreateAccessList(ctx context.Context, input access.NewList) (access.List, error) {
	return r.AccessLists.Create(ctx, input)
}

func (r *mutationResolver) UpdateAccessList(ctx context.Context, id string, input access.ListChange) (access.List, error) {
	return r.AccessLists.Update(ctx, id, input)
}

func (r *mutationResolver) DeleteAccessList(ctx context.Context, id string, expectedUpdatedAt *moment.DateTime) (access.List, error) {
	return r.AccessLists.Delete(ctx, id, expectedUpdatedAt)
}

func (r *mutationResolver) CreateAccessListEntry(ctx context.Context, listID string, input access.NewEntry) (access.Entry, error) {
	return r.AccessEntries.Create(ctx, listID, input)
}

func (r *mutationResolver) UpdateAccessListEntry(ctx context.Context, listID string, id string, input access.NewEntry, expectedUpdatedAt *moment.DateTime) (access.Entry, error) {
	return r.AccessEntries.Update(ctx, listID, id, input, expectedUpdatedAt)
}

func (r *mutationResolver) DeleteAccessListEntry(ctx context.Context, listID string, id string, expectedUpdatedAt *moment.DateTime) (access.Entry, error) {
	return r.AccessEntries.Delete(ctx, listID, id, expectedUpdatedAt)
}

func (r *mutationResolver) DeleteAccessListEntries(ctx context.Context, listID string, input access.Removal) (access.Removed, error) {
	return r.AccessEntries.DeleteMany(ctx, listID, input)
}

func (r *mutationResolver) PreviewEntryImport(ctx context.Context, input access.ImportChange) (access.Report, error) {
	return r.EntryImports.PreviewInput(ctx, input)
}

func (r *mutationResolver) ContinueEntryImport(ctx context.Context, listID string, id string, input access.ImportContinuation) (access.Report, error) {
	return r.EntryImports.Continue(ctx, listID, id, input)
}

func (r *mutationResolver) CommitEntryImport(ctx context.Context, listID string, id string, input *access.Commit) (access.Report, error) {
	var how access.Commit
	if input != nil {
		how = *input
	}
	return r.EntryImports.Commit(ctx, listID, id, how)
}

func (r *mutationResolver) CancelEntryImport(ctx context.Context, listID string, id string) (access.Report, error) {
	return r.EntryImports.Cancel(ctx, listID, id)
}

func (r *mutationResolver) UndoEntryImport(ctx context.Context, listID string, id string) (access.Report, error) {
	return r.EntryImports.Undo(ctx, listID, id)
}

func (r *queryResolver) AccessLists(ctx context.Context, first *int, after *string, order domain.ListOrder, filter *access.ListFilter) (relay.Connection[access.List], error) {
	return connect(ctx, first, after, order, filter, r.Resolver.AccessLists.List, func(l access.List) string { return l.ID })
}

func (r *queryResolver) AccessList(ctx context.Context, id string) (*access.List, error) {
	return ptr(r.Resolver.AccessLists.Get(ctx, id))
}

func (r *queryResolver) AccessListSizes(ctx context.Context, ids []string) ([]access.ListSize, error) {
	return r.Resolver.AccessLists.Sizes(ctx, ids)
}

func (r *queryResolver) AccessListEntries(ctx context.Context, listID string, first *int, after *string, order domain.ListOrder, filter *access.EntryFilter) (relay.Connection[access.Entry], error) {
	entries := func(ctx context.Context, filter access.EntryFilter, page domain.Page) (domain.List[access.Entry], error) {
		return r.AccessEntries.List(ctx, listID, filter, page)
	}
	return connect(ctx, first, after, order, filter, entries, func(e access.Entry) string { return e.ID })
}

func (r *queryResolver) AccessListEntry(ctx context.Context, listID string, id string) (*access.Entry, error) {
	return ptr(r.AccessEntries.Get(ctx, listID, id))
}

func (r *queryResolver) EntryImports(ctx context.Context, listID string, first *int, after *string, order domain.ListOrder) (relay.Connection[access.Import], error) {
	imports := func(ctx context.Context, page domain.Page) (domain.List[access.Import], error) {
		return r.Resolver.EntryImports.List(ctx, listID, page)
	}
	return connectAll(ctx, first, after, order, imports, func(i access.Import) string { return i.ID })
}

func (r *queryResolver) EntryImport(ctx context.Context, listID string, id string) (*access.Report, error) {
	return ptr(r.Resolver.EntryImports.Get(ctx, listID, id))
}

func (r *queryResolver) EntryImportColumns(ctx context.Context, text string, heading *bool, more *bool) (access.TextBeginning, error) {
	return r.Resolver.EntryImports.Beginning(ctx, text, heading, optional.IsTrue(more))
}

func (r *Resolver) AccessList() generated.AccessListResolver { return &accessListResolver{r} }

func (r *Resolver) AccessListEntry() generated.AccessListEntryResolver {
	return &accessListEntryResolver{r}
}

type (
	accessListResolver      struct{ *Resolver }
	accessListEntryResolver struct{ *Resolver }
)
