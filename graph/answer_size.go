package graph

import (
	"context"
	"fmt"
	"reflect"
	"sync/atomic"

	"github.com/99designs/gqlgen/graphql"
	"github.com/vektah/gqlparser/v2/ast"
	"github.com/vektah/gqlparser/v2/gqlerror"

	"ticketgate/domain"
	"ticketgate/domain/ecmajson"
)

// How many bytes of text and JSON an answer has: at most (LIMIT-29), and without its seller's share of large reads (LIMIT-22). A
// record that is read once can be in an answer many times, under several names and behind many other records.
const (
	mostAnswered = 32 << 20
	largeAnswer  = 1 << 20
	// fewObjects can't repeat enough of what was read, which is bounded (LIMIT-23), if nothing has an alias.
	fewObjects = 10
)

// answerSize counts the bytes of text and JSON of one answer while its fields are resolved.
type answerSize struct {
	bytes   atomic.Int64
	refused atomic.Pointer[error]
}

// watch counts what each field of an operation gives.
func (a *answerSize) watch(operation *graphql.OperationContext) {
	inner := operation.ResolverMiddleware
	operation.ResolverMiddleware = func(ctx context.Context, next graphql.Resolver) (any, error) {
		value, err := inner(ctx, next)
		if size := bytesOf(value); size > 0 && err == nil && !a.takes(ctx, size) {
			// Nothing of the answer is sent. An error here would be one for each of many fields.
			return reflect.Zero(reflect.TypeOf(value)).Interface(), nil
		}
		return value, err
	}
}

// takes counts a value, and reports false once the answer is refused. A large answer waits for its place first.
func (a *answerSize) takes(ctx context.Context, size int) bool {
	all := a.bytes.Add(int64(size))
	if all <= largeAnswer {
		return true
	}
	if a.refused.Load() != nil {
		return false
	}
	var err error
	if reading := domain.CallOf(ctx).Read; all > mostAnswered {
		err = domain.NewError(domain.CodeInvalidRequest,
			fmt.Sprintf("The answer has more than %d MiB of text and JSON; ask for smaller pages or fewer fields", mostAnswered>>20))
	} else if reading != nil && !reading.HasPlace() {
		err = reading.Hold(ctx)
	}
	if err != nil {
		a.refused.CompareAndSwap(nil, &err)
	}
	return err == nil
}

// bounded is the response, or the reason why it is refused.
func (a *answerSize) bounded(
	ctx context.Context, response *graphql.Response, present func(context.Context, error) *gqlerror.Error,
) *graphql.Response {
	if refused := a.refused.Load(); response != nil && refused != nil {
		response.Data, response.Errors = nil, gqlerror.List{present(ctx, *refused)}
		if graphql.GetOperationContext(ctx).Operation.Operation == ast.Mutation {
			response.Errors[0].Message += ". The mutation was carried out"
		}
	}
	return response
}

// bytesOf is how many bytes of text and JSON a field gives. Values whose size is bounded by their type don't count.
func bytesOf(value any) int {
	switch value := value.(type) {
	case string:
		return len(value)
	case *string:
		if value != nil {
			return len(*value)
		}
	case []string:
		size := 0
		for _, text := range value {
			size += len(text)
		}
		return size
	case ecmajson.Value:
		return value.Size()
	case *ecmajson.Value:
		if value != nil {
			return value.Size()
		}
	case []ecmajson.Value:
		size := 0
		for _, one := range value {
			size += one.Size()
		}
		return size
	}
	return 0
}
