package plain

import (
	"context"
	"sync"

	"github.com/99designs/gqlgen/graphql"
	"github.com/vektah/gqlparser/v2/ast"
)

// extension is the key under which gqlgen stores our Operation.
const extension = "plain"

// Operation is the state that the plain objects of one operation share.
type Operation struct {
	takes func(ctx context.Context, size int) bool

	mutex      sync.RWMutex
	selections map[place]*Selection
}

// place identifies a selection set and the type of the objects it selects from.
type place struct {
	first  *ast.Selection
	length int
	object string
}

type withoutKey struct{}

// Without returns a context whose operations are resolved by gqlgen alone, for tests that compare both.
func Without(ctx context.Context) context.Context { return context.WithValue(ctx, withoutKey{}, true) }

// Enable lets an operation write plain objects. Call it before the operation is executed, and only if no middleware has
// to see each field. If takes isn't nil, it is called with the bytes of text and JSON, and returns false if the response
// must not include them. It is called with a negative size for discarded output.
func Enable(ctx context.Context, operation *graphql.OperationContext, takes func(ctx context.Context, size int) bool) {
	if without, _ := ctx.Value(withoutKey{}).(bool); !without {
		operation.Stats.SetExtension(extension, &Operation{takes: takes})
	}
}

// IsEnabled reports whether an operation may write plain objects.
func IsEnabled(operation *graphql.OperationContext) bool { return of(operation) != nil }

// of returns the operation's state, or nil if it must not write plain objects.
func of(operation *graphql.OperationContext) *Operation {
	shared, _ := operation.Stats.GetExtension(extension).(*Operation)
	return shared
}

func (o *Operation) known(at place) (*Selection, bool) {
	o.mutex.RLock()
	defer o.mutex.RUnlock()
	selection, known := o.selections[at]
	return selection, known
}

func (o *Operation) keep(at place, selection *Selection) {
	o.mutex.Lock()
	defer o.mutex.Unlock()
	if o.selections == nil {
		o.selections = map[place]*Selection{}
	}
	o.selections[at] = selection
}
