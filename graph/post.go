package graph

import (
	"context"
	"net/http"
	"slices"
	"strings"

	"github.com/99designs/gqlgen/graphql"
	"github.com/vektah/gqlparser/v2/ast"
	"github.com/vektah/gqlparser/v2/gqlerror"

	"ticketgate/domain"
	"ticketgate/graph/edge"
)

// postTransport serves documents sent by POST. gqlgen's own transport reads bodies of any size, repeats them in errors,
// and knows only the statuses 200, 400 and 422.
type postTransport struct {
	presenter presenter
	documents *documents
	schema    *ast.Schema
}

// Operations that the transports treat differently: bodies of up to 16 MiB (LIMIT-16), waiting for the seller's share,
// and no deadline.
var (
	largeInputs = []domain.Operation{domain.ImportTickets, domain.ImportTransactions}
	sharing     = domain.SharingOperations()
	longWork    = domain.LongOperations()
)

var _ graphql.Transport = (*postTransport)(nil)

// Supports reports true for every request: this is the last transport, which refuses unsupported requests with our
// statuses.
func (*postTransport) Supports(*http.Request) bool { return true }

// Do responds with 200 if the document was executed, and with refusedStatus if it was refused before. Errors in the HTTP
// request have the same status as in REST.
func (t *postTransport) Do(w http.ResponseWriter, r *http.Request, exec graphql.GraphExecutor) {
	t.serve(w, r, exec, func(*graphql.OperationContext) {
		t.presenter.refuse(w, r, domain.NewError(domain.CodeInvalidRequest, "A subscription requires the header Accept: text/event-stream"))
	})
}

// serve executes a query or a mutation and leaves subscriptions to streamTransport.
func (t *postTransport) serve(
	w http.ResponseWriter, r *http.Request, exec graphql.GraphExecutor, subscribe func(*graphql.OperationContext),
) {
	defer t.refuseAfterPanic(w, r)
	asked, err := readRequest(r, bodyLimit(r.Context(), r.ContentLength))
	if err != nil {
		t.presenter.refuse(w, r, err)
		return
	}
	if len(asked.variables.Fields()) > 0 {
		asked.params.Variables = variablesOf(asked.variables, t.schema, t.documents.variables(r.Context(), &asked.params))
	}
	operation, refusals := exec.CreateOperationContext(r.Context(), &asked.params)
	switch {
	case len(refusals) > 0:
		refuseDocument(w, r, exec, operation, everyMisfit(t.schema, operation, asked.params.Variables, refusals))
	// The operation was unknown until here, so a large body was accepted on the basis of the credential alone.
	case asked.size > edge.MaxBody && !hasOnly(operation.Operation, largeInputs):
		t.presenter.refuse(w, r, edge.TooLarge(edge.MaxBody))
	case operation.Operation.Operation == ast.Subscription:
		subscribe(operation)
	default:
		ctx, cancel := withDeadline(r.Context(), w, operation.Operation)
		defer cancel()
		responses, ctx := exec.DispatchOperation(ctx, operation)
		t.presenter.respond(ctx, w, r, responses(ctx))
	}
}

// refuseAfterPanic must be deferred. It limits the effect of a bug to one response. gqlgen's server would respond
// without a media type.
func (t *postTransport) refuseAfterPanic(w http.ResponseWriter, r *http.Request) {
	if value := recover(); value != nil {
		t.presenter.refuse(w, r, recovered(r.Context(), value))
	}
}

// refuseDocument responds to a document that is not executed.
func refuseDocument(
	w http.ResponseWriter, r *http.Request, exec graphql.GraphExecutor, operation *graphql.OperationContext, refusals gqlerror.List,
) {
	if operation.Doc != nil && operation.Operation == nil {
		refusals = gqlerror.List{unnamed(operation.Doc)}
	}
	// Presenting an error takes work, so only the errors shown are presented.
	shown := exec.DispatchError(graphql.WithOperationContext(r.Context(), operation), refusals[:min(len(refusals), maxErrors)])
	noteOmitted(shown, len(refusals)-len(shown.Errors))
	media := mediaOf(r.Header)
	writeResponse(w, media, refusedStatus(media, shown), shown)
}

// unnamed returns an error that lists the document's operations, for an operationName that names none of them. gqlgen's
// message quotes only the requested name, even if it is empty.
func unnamed(document *ast.QueryDocument) *gqlerror.Error {
	names := make([]string, len(document.Operations))
	for i, operation := range document.Operations {
		names[i] = operation.Name
	}
	refused := domain.Invalid("operationName", "must name one of the document's operations: "+strings.Join(names, ", "))
	refused.Code = domain.CodeInvalidRequest
	return gqlerror.Wrap(refused)
}

// bodyLimit returns the maximum body size for the caller. Only callers who may import can make the server hold a large
// body, because the operation is known only after the body was read (LIMIT-16).
func bodyLimit(ctx context.Context, announced int64) int64 {
	isSmall := announced >= 0 && announced <= edge.MaxBody
	may := func(operation domain.Operation) bool { return domain.MayAnywhere(ctx, operation) }
	if !isSmall && slices.ContainsFunc(largeInputs, may) {
		return maxLargeBody
	}
	return edge.MaxBody
}

// withDeadline sets the deadline of the operation. Work that may wait for its seller's share has a longer one, and work
// that iterates over a whole list has none.
func withDeadline(
	ctx context.Context, w http.ResponseWriter, operation *ast.OperationDefinition,
) (context.Context, context.CancelFunc) {
	switch {
	case hasAny(operation, longWork):
		edge.Unbounded(w, true)
		return context.WithCancel(ctx)
	case hasAny(operation, sharing):
		return edge.WithBound(ctx, w, edge.SharingBound)
	default:
		return edge.WithBound(ctx, w, edge.OrdinaryBound)
	}
}

// hasAny reports whether one of the document's root fields is among the operations.
func hasAny(document *ast.OperationDefinition, operations []domain.Operation) bool {
	return slices.ContainsFunc(document.SelectionSet, func(root ast.Selection) bool { return isAmong(root, operations) })
}

// hasOnly reports whether all of the document's root fields are among the operations.
func hasOnly(document *ast.OperationDefinition, operations []domain.Operation) bool {
	return !slices.ContainsFunc(document.SelectionSet, func(root ast.Selection) bool { return !isAmong(root, operations) })
}

func isAmong(root ast.Selection, operations []domain.Operation) bool {
	field, ok := root.(*ast.Field)
	return ok && slices.Contains(operations, domain.Operation(field.Name))
}
