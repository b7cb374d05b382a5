package graph

import (
	"context"
	"fmt"

	"github.com/99designs/gqlgen/graphql"
	"github.com/vektah/gqlparser/v2/ast"
	"github.com/vektah/gqlparser/v2/gqlerror"

	"ticketgate/domain"
	"ticketgate/graph/edge"
	"ticketgate/graph/plain"
)

// Limits of one document (GRAPH-22), in addition to edge.MaxTokens.
const (
	maxDepth   = 10
	maxAliases = 30
	maxCost    = 20_000
	maxObjects = 10_000
)

// forSignedIn is the error message for introspection by callers who may not see the schema.
const forSignedIn = "Introspection requires a signed-in user. Sign in, or read the published schema"

// costExtension is the key in extensions under which a response reports its cost.
const costExtension = "cost"

// Cost is the computed cost of a document and its limit. Clients that approach the limit can request smaller pages.
type Cost struct {
	Requested int64 `json:"requested"`
	Limit     int64 `json:"limit"`
	// objects is the maximum number of objects in the response.
	objects int64
	// repeats is true if the response can contain the same data several times.
	repeats bool
}

// limits is the extension that weighs each operation after validation and before execution. It replaces gqlgen's
// complexity limit, which counts a fragment again at every spread and ignores page sizes.
type limits struct {
	presenter presenter
	schema    *ast.Schema
	// seesFields is true if another extension must see each field, so that gqlgen has to resolve all of them.
	seesFields bool
}

var _ interface {
	graphql.HandlerExtension
	graphql.OperationContextMutator
	graphql.OperationInterceptor
	graphql.ResponseInterceptor
} = (*limits)(nil)

// ExtensionName returns the extension's name for gqlgen.
func (*limits) ExtensionName() string { return "Limits" }

// Validate accepts any schema, because the cost of a field is read from its definition.
func (l *limits) Validate(schema graphql.ExecutableSchema) error {
	l.schema = schema.Schema()
	return nil
}

// MutateOperationContext refuses an operation that exceeds a limit, or whose variables don't fit their types.
func (l *limits) MutateOperationContext(ctx context.Context, operation *graphql.OperationContext) *gqlerror.Error {
	if err := applyDefaults(operation); err != nil {
		return gqlerror.Wrap(domain.NewError(domain.CodeInvalidRequest, "The default of a variable does not fit its type"))
	}
	asked := costOf(operation)
	operation.Stats.SetExtension(costExtension, Cost{
		Requested: asked.cost, Limit: maxCost, objects: asked.objects, repeats: asked.objects > fewObjects || asked.aliases > 0,
	})
	// gqlgen refuses introspection as well, in case a path is missed here.
	operation.DisableIntrospection = !mayLearnSchema(ctx)
	if err := refusalOf(asked, operation.DisableIntrospection); err != nil {
		return gqlerror.Wrap(err)
	}
	if err := checkVariables(l.schema, operation.Operation, operation.Variables); err != nil {
		return gqlerror.Wrap(err)
	}
	return l.oneStream(operation)
}

// oneStream refuses a subscription to several streams or, if @skip removes all, to none. The validator's rule compares
// names only and ignores variables. It accepts such documents, and gqlgen would report an internal error.
func (l *limits) oneStream(operation *graphql.OperationContext) *gqlerror.Error {
	asked := operation.Operation
	if asked.Operation != ast.Subscription {
		return nil
	}
	fields := graphql.CollectFields(operation, asked.SelectionSet, []string{l.schema.Subscription.Name})
	if len(fields) == 1 {
		return nil
	}
	at := asked.Position
	if len(fields) > 1 {
		at = fields[1].Position
	}
	refused := gqlerror.Wrap(domain.NewError(domain.CodeInvalidRequest,
		fmt.Sprintf("A subscription must select exactly one top level field, not %d", len(fields))))
	refused.Locations = []gqlerror.Location{{Line: at.Line, Column: at.Column}}
	return refused
}

// refusalOf returns an error for the first exceeded limit, with the requested and the allowed value.
func refusalOf(asked weight, introspectionDisabled bool) error {
	if asked.introspects && introspectionDisabled {
		return domain.Forbidden(forSignedIn)
	}
	for _, limit := range []struct {
		asked, allowed int64
		message        string
	}{
		{asked.depth, maxDepth, "The query is nested too deeply: at most %d levels are allowed, not %d"},
		{asked.aliases, maxAliases, "The query must have at most %d aliases, not %d"},
		{asked.objects, maxObjects, "The query must request at most %d objects, not %d. Request smaller pages"},
		{asked.cost, maxCost, "The query must cost at most %d, not %d. Request smaller pages or fewer nested lists"},
	} {
		if limit.asked > limit.allowed {
			return domain.NewError(domain.CodeInvalidRequest, fmt.Sprintf(limit.message, limit.allowed, limit.asked))
		}
	}
	return nil
}

// InterceptOperation waits for the caller's share of large reads (LIMIT-22). It bounds the size (LIMIT-29) and the
// number of errors of each response. Subscriptions take no share, because they are long-lived, and their size is not
// counted.
func (l *limits) InterceptOperation(ctx context.Context, next graphql.OperationHandler) graphql.ResponseHandler {
	operation := graphql.GetOperationContext(ctx)
	cost, ok := operation.Stats.GetExtension(costExtension).(Cost)
	answer, takes := new(answerSize), (func(context.Context, int) bool)(nil)
	if ok && operation.Operation.Operation != ast.Subscription {
		if err := edge.HoldRead(ctx, int(cost.objects)); err != nil {
			return graphql.OneShot(&graphql.Response{Errors: gqlerror.List{l.presenter.present(ctx, err)}})
		}
		if cost.repeats {
			answer.watch(operation)
			takes = answer.takes
		}
	}
	if !l.seesFields {
		plain.Enable(ctx, operation, takes)
	}
	responses := next(ctx)
	return func(ctx context.Context) *graphql.Response {
		return fewErrors(answer.bounded(ctx, responses(ctx), l.presenter.present))
	}
}

// InterceptResponse reports the cost in every response whose document could be weighed.
func (*limits) InterceptResponse(ctx context.Context, next graphql.ResponseHandler) *graphql.Response {
	if cost := graphql.GetOperationContext(ctx).Stats.GetExtension(costExtension); cost != nil {
		graphql.RegisterExtension(ctx, costExtension, cost)
	}
	return next(ctx)
}
