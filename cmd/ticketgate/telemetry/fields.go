package telemetry

import (
	"context"
	"time"

	"github.com/99designs/gqlgen/graphql"
	"github.com/vektah/gqlparser/v2/ast"
	"github.com/vektah/gqlparser/v2/gqlerror"

	"ticketgate/domain"
)

// fieldMetrics is a gqlgen extension that counts the root fields of documents. Documents have been validated, so the
// names of fields are those of the schema. The name of the document is not recorded, because the caller chooses it.
type fieldMetrics struct{ metrics *Metrics }

var _ interface {
	graphql.HandlerExtension
	graphql.RootFieldInterceptor
	graphql.ResponseInterceptor
} = fieldMetrics{}

// ExtensionName returns the name of the gqlgen extension.
func (fieldMetrics) ExtensionName() string { return "Metrics" }

// Validate returns nil: the extension works with any schema.
func (fieldMetrics) Validate(graphql.ExecutableSchema) error { return nil }

// InterceptRootField measures the duration of a root field and everything below it.
func (f fieldMetrics) InterceptRootField(ctx context.Context, next graphql.RootResolver) graphql.Marshaler {
	started := time.Now()
	resolved := next(ctx)
	f.metrics.fields.WithLabelValues(graphql.GetRootFieldContext(ctx).Field.Name).Observe(time.Since(started).Seconds())
	return resolved
}

// InterceptResponse counts each root field with its outcome. A refused document has no fields.
func (f fieldMetrics) InterceptResponse(ctx context.Context, next graphql.ResponseHandler) *graphql.Response {
	response := next(ctx)
	if response == nil {
		return nil
	}
	operation := graphql.GetOperationContext(ctx)
	if response.Data == nil && (len(response.Errors) == 0 || len(response.Errors[0].Path) == 0) {
		f.count(none, firstCode(response.Errors))
		return response
	}
	failed := map[ast.PathName]domain.Code{}
	for _, err := range response.Errors {
		if alias, ok := rootOf(err); ok && failed[alias] == "" {
			failed[alias] = codeOf(err)
		}
	}
	for _, field := range graphql.CollectFields(operation, operation.Operation.SelectionSet, nil) {
		f.count(field.Name, failed[ast.PathName(field.Alias)])
	}
	return response
}

func (f fieldMetrics) count(field string, code domain.Code) {
	f.metrics.operations.WithLabelValues(apiGraphQL, field, codeLabel(code)).Inc()
}

// rootOf returns the alias of the root field that an error belongs to.
func rootOf(err *gqlerror.Error) (ast.PathName, bool) {
	if len(err.Path) == 0 {
		return "", false
	}
	alias, ok := err.Path[0].(ast.PathName)
	return alias, ok
}

func firstCode(errors gqlerror.List) domain.Code {
	if len(errors) == 0 {
		return ""
	}
	return codeOf(errors[0])
}

// codeOf returns the error code that the caller sees.
func codeOf(err *gqlerror.Error) domain.Code {
	code, _ := err.Extensions["code"].(string)
	if code == "" {
		return domain.CodeInternal
	}
	return domain.Code(code)
}
