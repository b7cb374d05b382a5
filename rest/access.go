package rest

import (
	"context"
	"net/http"

	"ticketgate/domain"
	"ticketgate/domain/access"
)

func accessListFilter(q *listQuery) access.ListFilter { return access.ListFilter{Name: q.text("name")} }

// withListAndID returns an endpoint whose only input is an access list and a record of it, both in the path.
func withListAndID[Out any](do func(ctx context.Context, listID, id string) (Out, error)) endpoint {
	return inList(func(r *http.Request, listID string) (any, error) {
		return withID(func(ctx context.Context, id string) (Out, error) { return do(ctx, listID, id) })(r)
	})
}

// inList passes the access list in the path to do.
func inList(do func(r *http.Request, listID string) (any, error)) endpoint {
	return func(r *http.Request) (any, error) {
		listID, err := pathValue(r, "listId")
		if err != nil {
			return nil, err
		}
		return do(r, listID)
	}
}

func deleteEntry(s Services) endpoint {
	return withListAndID(func(ctx context.Context, listID, id string) (access.Entry, error) {
		return s.Mutation.DeleteAccessListEntry(ctx, listID, id, nil)
	})
}

func createEntry(s Services) endpoint {
	return inList(func(r *http.Request, listID string) (any, error) {
		return withBody(s, func(m mutation, ctx context.Context, input access.NewEntry) (access.Entry, error) {
			return m.CreateAccessListEntry(ctx, listID, input)
		})(r)
	})
}

func updateEntry(s Services) endpoint {
	return inList(func(r *http.Request, listID string) (any, error) {
		return withIDAndBody(s, func(m mutation, ctx context.Context, id string, input access.NewEntry) (access.Entry, error) {
			return m.UpdateAccessListEntry(ctx, listID, id, input, nil)
		})(r)
	})
}

func listEntries(s Services) endpoint {
	return inList(func(r *http.Request, listID string) (any, error) {
		entries := func(ctx context.Context, filter access.EntryFilter, page domain.Page) (domain.List[access.Entry], error) {
			return s.AccessEntries.List(ctx, listID, filter, page)
		}
		return withList(entries, func(q *listQuery) access.EntryFilter {
			return access.EntryFilter{
				CustomerID: q.text("customerId"), ExternalCode: q.text("externalCode"), Email: q.email("email"),
			}
		}, "customerId", "externalCode", "email")(r)
	})
}
