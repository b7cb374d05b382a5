package graph

import (
	"context"
	"net/http"
	"slices"

	"github.com/vektah/gqlparser/v2/ast"

	"ticketgate/graph/edge"
)

// patiently gives the operation its deadline: that of an ordinary request, that of work that may wait for its seller's share, or
// none for work that goes through a whole list.
func (e *Endpoint) patiently(
	ctx context.Context, w http.ResponseWriter, operation *ast.OperationDefinition,
) (context.Context, context.CancelFunc) {
	bound := edge.OrdinaryBound
	if has(operation, e.sharing) {
		bound = edge.SharingBound
	}
	if has(operation, e.longWork) {
		edge.Unbounded(w, true)
		return context.WithCancel(ctx)
	}
	return edge.WithBound(ctx, w, bound)
}

// has reports whether one of the operation's root fields is among the names.
func has(operation *ast.OperationDefinition, names []string) bool {
	return slices.ContainsFunc(operation.SelectionSet, func(selection ast.Selection) bool {
		field, ok := selection.(*ast.Field)
		return ok && slices.Contains(names, field.Name)
	})
}
