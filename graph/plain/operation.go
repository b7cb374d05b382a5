package plain

import (
	"context"
	"sync"

	"github.com/99designs/gqlgen/graphql"
	"github.com/vektah/gqlparser/v2/ast"
)

// extension is the name under which gqlgen keeps the operation for us.
const extension = "plain"

// Operation is what the plain objects of one operation share.
type Operation struct {
	takes func(ctx context.Context, size int) bool

	mutex      sync.RWMutex
	selections map[place]*Selection
}

// place is a selection set, and the type of the objects that its fields are selected of.
type place struct {
	first  *ast.Selection
	length int
	object string
}

type withoutKey struct{}

// Without returns a context whose operations are resolved by gqlgen alone: for tests, which compare.
func Without(ctx context.Context) context.Context { return context.WithValue(ctx, withoutKey{}, true) }

// Enable lets an operation write plain objects. Call it before the operation is executed, and not at all if a middleware has to see
// each field. Bytes of text and JSON are counted by takes, if it isn't nil; it returns false if the response must not take them. It is
// called with a negative size for what was written in vain.
func Enable(ctx context.Context, operation *graphql.OperationContext, takes func(ctx context.Context, size int) bool) {
	if without, _ := ctx.Value(withoutKey{}).(bool); !without {
		operation.Stats.SetExtension(extension, &Operation{takes: takes})
	}
}

// IsEnabled reports whether an operation may write plain objects.
func IsEnabled(operation *graphql.OperationContext) bool { return of(operation) != nil }

// of returns nil if the operation must not write plain objects.
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
