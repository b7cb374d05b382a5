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

// What one document may ask for (hardening F1 to F3, G1 to G9). Tokens come first: validation takes time in the square
// of the fields, and 1,000 tokens keep that at a tenth of a second.
const (
	maxTokens  = 1000
	maxDepth   = 10
	maxAliases = 30
	maxCost    = 20_000
	maxObjects = 10_000
)

// forSignedIn is the answer to callers who must not learn the schema.
const forSignedIn = "Introspection is for signed-in users: log in, or read the published schema"

// costExtension is the member of extensions in which an answer tells its cost.
const costExtension = "cost"

// Cost is what a document was reckoned at before it ran, and what it might have been: a client that nears the limit can
// ask for smaller pages in time.
type Cost struct {
	Requested int64 `json:"requested"`
	Limit     int64 `json:"limit"`
	// objects is how many objects the answer may have.
	objects int64
	// repeats is true if the answer may have much of what was read several times.
	repeats bool
}

// limits is the extension that weighs each operation after validation and before execution. It stands in place of
// gqlgen's complexity limit, which counts a fragment again at every spread and ignores the size of pages.
type limits struct {
	presenter presenter
	schema    *ast.Schema
	// seesFields is true if another extension has to see each field, so that gqlgen resolves all of them.
	seesFields bool
}

var _ interface {
	graphql.HandlerExtension
	graphql.OperationContextMutator
	graphql.OperationInterceptor
	graphql.ResponseInterceptor
} = (*limits)(nil)

// ExtensionName names the extension to gqlgen.
func (*limits) ExtensionName() string { return "Limits" }

// Validate takes note of the schema; any will do, as what a field costs is read from its definition.
func (l *limits) Validate(schema graphql.ExecutableSchema) error {
	l.schema = schema.Schema()
	return nil
}

// MutateOperationContext refuses an operation that asks for too much, or whose variables don't fit their types.
func (l *limits) MutateOperationContext(ctx context.Context, operation *graphql.OperationContext) *gqlerror.Error {
	if err := applyDefaults(operation); err != nil {
		return gqlerror.Wrap(domain.NewError(domain.CodeInvalidRequest, "A variable's default does not fit its type"))
	}
	asked := weigh(operation)
	operation.Stats.SetExtension(costExtension, Cost{
		Requested: asked.cost, Limit: maxCost, objects: asked.objects, repeats: asked.objects > fewObjects || asked.aliases > 0,
	})
	// gqlgen itself refuses too, should a way in be missed here.
	operation.DisableIntrospection = !mayLearnSchema(ctx)
	if err := refusalOf(asked, operation.DisableIntrospection); err != nil {
		return gqlerror.Wrap(err)
	}
	if err := checkVariables(l.schema, operation.Operation, operation.Variables); err != nil {
		return gqlerror.Wrap(err)
	}
	return l.oneStream(operation)
}

// oneStream refuses a subscription to several streams or, where @skip leaves nothing, to none. The validator's own rule
// compares names only and knows no variables, so that these pass it, and gqlgen would make them an error of the server.
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

// refusalOf names the first limit that is passed, with what was asked and what is allowed.
func refusalOf(asked weight, introspectionDisabled bool) error {
	if asked.introspects && introspectionDisabled {
		return domain.Forbidden(forSignedIn)
	}
	for _, limit := range []struct {
		asked, allowed int64
		message        string
	}{
		{asked.depth, maxDepth, "The query is nested %d levels deep; at most %d are allowed"},
		{asked.aliases, maxAliases, "The query has %d aliases; at most %d are allowed"},
		{asked.objects, maxObjects, "The query asks for up to %d objects; at most %d are allowed: ask for smaller pages"},
		{asked.cost, maxCost, "The query costs %d; at most %d is allowed: ask for smaller pages or fewer nested lists"},
	} {
		if limit.asked > limit.allowed {
			return domain.NewError(domain.CodeInvalidRequest, fmt.Sprintf(limit.message, limit.asked, limit.allowed))
		}
	}
	return nil
}

// InterceptOperation waits for the caller's share of large reads (LIMIT-22), and bounds the size (LIMIT-29) and the errors of each
// response. A subscription takes no share, as it lasts, and its size is not counted.
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

// InterceptResponse tells the cost in every answer whose document could be weighed.
func (*limits) InterceptResponse(ctx context.Context, next graphql.ResponseHandler) *graphql.Response {
	if cost := graphql.GetOperationContext(ctx).Stats.GetExtension(costExtension); cost != nil {
		graphql.RegisterExtension(ctx, costExtension, cost)
	}
	return next(ctx)
}
