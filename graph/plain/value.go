package plain

import (
	"context"
	"io"

	"github.com/99designs/gqlgen/graphql"
	"github.com/vektah/gqlparser/v2/ast"
)

// Value returns what the function has written, or nil if gqlgen has to resolve it.
func Value(ctx context.Context, operation *graphql.OperationContext, write func(*Writer)) graphql.Marshaler {
	if w := written(ctx, operation, write); w != nil {
		return w
	}
	return nil
}

// Object returns an object: its plain fields, which the function write has written, among those that gqlgen has resolved. It returns
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
	return resolved // null, as one of the fields must not be
}

// written returns nil if a value is not allowed, or if writing has panicked.
func written(ctx context.Context, operation *graphql.OperationContext, write func(*Writer)) (w *Writer) {
	w = &Writer{}
	if shared := of(operation); shared != nil && shared.takes != nil {
		w.takes = func(size int) bool { return shared.takes(ctx, size) }
	}
	defer func() {
		if recover() != nil { // gqlgen meets it again, at the field that it belongs to
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

// discount takes back what was counted, as gqlgen's fields count it again.
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

// MarshalGQL writes each value of the rest into its gap.
func (m mixed) MarshalGQL(w io.Writer) {
	start := 0
	for i, gap := range m.plain.gaps {
		_, _ = w.Write(m.plain.JSON[start:gap])
		m.rest[i].MarshalGQL(w)
		start = gap
	}
	_, _ = w.Write(m.plain.JSON[start:])
}
