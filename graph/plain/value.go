package plain

import (
	"context"
	"io"

	"github.com/99designs/gqlgen/graphql"
	"github.com/vektah/gqlparser/v2/ast"
)

// Value returns the output of write, or nil if gqlgen has to resolve the value.
func Value(ctx context.Context, operation *graphql.OperationContext, write func(*Writer)) graphql.Marshaler {
	if w := written(ctx, operation, write); w != nil {
		return w
	}
	return nil
}

// Object returns an object with the plain fields from the function write and the other fields from gqlgen. It returns
// nil if gqlgen has to resolve all of them.
func Object(
	ctx context.Context, operation *graphql.OperationContext, selection *Selection, write func(*Writer),
	resolve func(rest ast.SelectionSet) graphql.Marshaler,
) graphql.Marshaler {
	w := written(ctx, operation, write)
	switch {
	case w == nil:
		return nil
	case len(w.gaps) == 0:
		return w
	}
	resolved := resolve(selection.Rest)
	if fields, ok := resolved.(*graphql.FieldSet); ok {
		return mixed{w, fields.Values}
	}
	return resolved // null, because a required field has no value
}

// written returns nil if a value is not allowed, or if write has panicked.
func written(ctx context.Context, operation *graphql.OperationContext, write func(*Writer)) (w *Writer) {
	w = &Writer{}
	if shared := of(operation); shared != nil && shared.takes != nil {
		w.takes = func(size int) bool { return shared.takes(ctx, size) }
	}
	defer func() {
		if recover() != nil { // gqlgen repeats the panic at the field that causes it
			w.failed = true
		}
		switch {
		case w.failed:
			w.discount()
			w = nil
		case w.denied: // nothing of the response is sent
			w.JSON, w.gaps = []byte("null"), nil
		}
	}()
	write(w)
	return w
}

// discount subtracts the counted bytes, because gqlgen's fields count them again.
func (w *Writer) discount() {
	if w.counted > 0 {
		w.takes(-w.counted)
	}
}

// mixed is an object with plain fields and others.
type mixed struct {
	plain *Writer
	rest  []graphql.Marshaler
}

// MarshalGQL writes the object and inserts each resolved value into its gap.
func (m mixed) MarshalGQL(w io.Writer) {
	start := 0
	for i, gap := range m.plain.gaps {
		_, _ = w.Write(m.plain.JSON[start:gap])
		m.rest[i].MarshalGQL(w)
		start = gap
	}
	_, _ = w.Write(m.plain.JSON[start:])
}
