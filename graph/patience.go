package graph

import (
	"context"
	"net/http"
	"slices"
	"time"

	"github.com/vektah/gqlparser/v2/ast"
)

// How long a document may be worked on, as an ordinary request over REST may and as one with a body of 16 MiB must.
const (
	ordinaryBound = 10 * time.Second
	importBound   = time.Minute
	// answerBound is how long the caller may take to read the answer after that.
	answerBound = 30 * time.Second
)

// patiently gives the work its end, and the connection a later one in the place of the server's own: what is committed is
// answered, and what can't be answered any more is not committed. The body has been read by now; the server goes on
// reading, to notice a caller who leaves, and must not take the deadline of the body for one.
func (e *Endpoint) patiently(
	ctx context.Context, w http.ResponseWriter, operation *ast.OperationDefinition,
) (context.Context, context.CancelFunc) {
	bound := ordinaryBound
	if e.takesLargeInput(operation) {
		bound = importBound
	}
	control := http.NewResponseController(w)
	// Only a connection that knows no deadlines refuses, and that is what is wanted.
	_ = control.SetReadDeadline(time.Time{})
	if slices.ContainsFunc(operation.SelectionSet, e.boundsItself) {
		_ = control.SetWriteDeadline(time.Time{})
		return context.WithCancel(ctx)
	}
	_ = control.SetWriteDeadline(time.Now().Add(bound + answerBound)) //nolint:forbidigo // the operating system's clock
	return context.WithTimeout(ctx, bound)
}

// boundsItself tells a root field that goes through a whole list, for minutes if need be.
func (e *Endpoint) boundsItself(selection ast.Selection) bool {
	field, ok := selection.(*ast.Field)
	return ok && slices.Contains(e.longWork, field.Name)
}
