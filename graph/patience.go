package graph

import (
	"context"
	"net/http"
	"slices"

	"github.com/vektah/gqlparser/v2/ast"

	"ticketgate/graph/edge"
)

// patiently gives the operation its deadline: that of an ordinary request, that of an import, or none for work that goes
// through a whole list.
func (e *Endpoint) patiently(
	ctx context.Context, w http.ResponseWriter, operation *ast.OperationDefinition,
) (context.Context, context.CancelFunc) {
	bound := edge.OrdinaryBound
	if e.takesLargeInput(operation) {
		bound = edge.LargeBound
	}
	if slices.ContainsFunc(operation.SelectionSet, e.boundsItself) {
		edge.Unbounded(w, true)
		return context.WithCancel(ctx)
	}
	return edge.WithBound(ctx, w, bound)
}

// boundsItself tells a root field that goes through a whole list, for minutes if need be.
func (e *Endpoint) boundsItself(selection ast.Selection) bool {
	field, ok := selection.(*ast.Field)
	return ok && slices.Contains(e.longWork, field.Name)
}
