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

// Limits for the bytes of text and JSON in a response: the maximum (LIMIT-29), and the size from which it takes a share
// of its seller's large reads (LIMIT-22). A record that is read once can appear in a response many times, under several
// aliases and behind many other records.
const (
	maxAnswered = 32 << 20
	largeAnswer = 1 << 20
	// fewObjects is the number of objects up to which a response without aliases can't repeat enough of the bounded
	// reads (LIMIT-23).
	fewObjects = 10
)

// answerSize counts the bytes of text and JSON of one response while its fields are resolved.
type answerSize struct {
	bytes   atomic.Int64
	refused atomic.Pointer[error]
}

// watch counts the size of each field that an operation resolves.
func (a *answerSize) watch(operation *graphql.OperationContext) {
	inner := operation.ResolverMiddleware
	operation.ResolverMiddleware = func(ctx context.Context, next graphql.Resolver) (any, error) {
		value, err := inner(ctx, next)
		if size := bytesOf(value); size > 0 && err == nil && !a.takes(ctx, size) {
			// The response will be discarded. An error here would be repeated for each of many fields.
			return reflect.Zero(reflect.TypeOf(value)).Interface(), nil
		}
		return value, err
	}
}

// takes adds the size of a value, and reports false once the response is refused. A large response first waits for its
// share of large reads.
func (a *answerSize) takes(ctx context.Context, size int) bool {
	all := a.bytes.Add(int64(size))
	if all <= largeAnswer {
		return true
	}
	if a.refused.Load() != nil {
		return false
	}
	var err error
	if reading := domain.CallOf(ctx).Read; all > maxAnswered {
		err = domain.NewError(domain.CodeInvalidRequest,
			fmt.Sprintf("The response has more than %d MiB of text and JSON. Request smaller pages or fewer fields", maxAnswered>>20))
	} else if reading != nil && !reading.HasPlace() {
		err = reading.Hold(ctx)
	}
	if err != nil {
		a.refused.CompareAndSwap(nil, &err)
	}
	return err == nil
}

// bounded returns the response, or an error response if it was refused.
func (a *answerSize) bounded(
	ctx context.Context, response *graphql.Response, present func(context.Context, error) *gqlerror.Error,
) *graphql.Response {
	if refused := a.refused.Load(); response != nil && refused != nil {
		response.Data, response.Errors = nil, gqlerror.List{present(ctx, *refused)}
		if graphql.GetOperationContext(ctx).Operation.Operation == ast.Mutation {
			response.Errors[0].Message += ". The mutation was executed"
		}
	}
	return response
}

// bytesOf returns the bytes of text and JSON in the value of a field. Values of types with a bounded size count as 0.
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
		for _, item := range value {
			size += item.Size()
		}
		return size
	}
	return 0
}
