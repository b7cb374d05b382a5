package graph

import (
	"context"
	"errors"
	"maps"
	"reflect"
	"slices"
	"sync"
	"time"

	"github.com/99designs/gqlgen/graphql"
	"github.com/vektah/gqlparser/v2/ast"
	"github.com/vikstrous/dataloadgen"

	"ticketgate/domain"
	"ticketgate/graph/relay"
)

// levels holds the objects of one response, grouped by the read that returned them. An edge is followed for all objects
// of a group at once. It takes one statement, however many objects there are and whether they are in `nodes` or in
// `edges { node }` (GRAPH-1).
type levels struct {
	mutex sync.Mutex
	// read maps each field of the document to the objects that it read.
	read map[*graphql.FieldContext]*level
}

type levelsKey struct{}

// withLevels returns a context for a new response, without objects.
func withLevels(ctx context.Context) context.Context {
	return context.WithValue(ctx, levelsKey{}, &levels{})
}

// level is a group of objects that were read together.
type level struct {
	objects any // a slice of objects, or mixed

	mutex sync.Mutex
	// edges holds the edges followed so far by field node: `nodes` and `edges { node }` can select different fields
	// under one name.
	edges map[*ast.Field]*followed
}

// followed is the result of following one edge for a level. Its values have type any, so that the program contains one
// loader instead of one per edge.
type followed struct {
	loader *dataloadgen.Loader[string, any]
	below  *level
}

// noteRead records the objects that a field has read. It does nothing for resolvers called by REST, which have no field.
func noteRead(ctx context.Context, read *level) {
	all, _ := ctx.Value(levelsKey{}).(*levels)
	field := graphql.GetFieldContext(ctx)
	if all == nil || field == nil {
		return
	}
	all.mutex.Lock()
	defer all.mutex.Unlock()
	if all.read == nil {
		all.read = map[*graphql.FieldContext]*level{}
	}
	all.read[field] = read
}

// levelOf returns the objects that were read together with the parent: by the nearest field above it. An object that was
// read alone is a level by itself.
func levelOf[P any](ctx context.Context, parent *P, key func(*P) string) (*level, []P) {
	all, _ := ctx.Value(levelsKey{}).(*levels)
	field := graphql.GetFieldContext(ctx)
	if all != nil && field != nil {
		all.mutex.Lock()
		defer all.mutex.Unlock()
		for above := field.Parent; above != nil; above = above.Parent {
			read, noted := all.read[above]
			if !noted {
				continue
			}
			objects := among[P](read.objects)
			if slices.ContainsFunc(objects, func(item P) bool { return key(&item) == key(parent) }) {
				return read, objects
			}
			break
		}
	}
	alone := []P{*parent}
	return &level{objects: alone}, alone
}

// splitAfter bounds the wait of a loader. It is never reached, because each loader gets all of its keys at once, which
// fills its batch.
const splitAfter = 100 * time.Millisecond

// follow returns the value of the edge whose field is being resolved. The first object of a level that needs its value
// triggers the read for the whole level. The values form a new level.
func follow[P, V any](
	ctx context.Context, parent *P, key func(*P) string,
	read func(context.Context, []string) (map[string]V, error), below func(map[string]V) any,
) (V, error) {
	var none V
	if key(parent) == "" {
		return none, nil
	}
	if err := isOfItsSeller(ctx, parent); err != nil {
		return none, err
	}
	from, objects := levelOf(ctx, parent, key)
	edge := from.edge(ctx, func() *followed {
		return newFollowed(ctx, keysOf(objects, key), func(ctx context.Context, keys []string) (map[string]any, any, error) {
			found, err := read(ctx, keys)
			return valuesOf(found), below(found), byKey(err)
		})
	})
	found, err := edge.loader.Load(ctx, key(parent))
	noteRead(ctx, edge.below)
	if err != nil {
		return none, unless(err, dataloadgen.ErrNotFound)
	}
	value, _ := found.(V) // nil has no type
	return value, nil
}

// newFollowed creates an edge whose values are read for all keys at once, and the level that they form.
func newFollowed(
	ctx context.Context, keys []string, read func(context.Context, []string) (values map[string]any, below any, err error),
) *followed {
	created := &followed{below: &level{}}
	created.loader = dataloadgen.NewMappedLoader(func(ctx context.Context, keys []string) (map[string]any, error) {
		values, below, err := read(ctx, keys)
		created.below.objects = below
		return values, err
	}, dataloadgen.WithBatchCapacity(len(keys)), dataloadgen.WithWait(splitAfter))
	created.loader.LoadAllThunk(ctx, keys)
	return created
}

func valuesOf[V any](found map[string]V) map[string]any {
	values := make(map[string]any, len(found))
	for key, value := range found {
		values[key] = value
	}
	return values
}

// unless returns err, or nil if it is the expected error.
func unless(err, expected error) error {
	if errors.Is(err, expected) {
		return nil
	}
	return err
}

// isOfItsSeller refuses to follow an edge of an object that belongs to another seller than the call acts for. A mutation
// can name such a seller in its input, and the edge would read the wrong seller's records (GRAPH-5).
func isOfItsSeller(ctx context.Context, parent any) error {
	owner := reflect.ValueOf(parent).Elem().FieldByName("SellerID")
	acting := domain.ActorOf(ctx).SellerID
	if !owner.IsValid() || owner.Kind() != reflect.String || owner.String() == "" || acting == "" || owner.String() == string(acting) {
		return nil
	}
	return domain.NewError(domain.CodeInvalidRequest,
		"The object belongs to another seller. Select that seller with the header x-seller-id")
}

// edge returns the edge of a field for the level's objects. The first call creates it.
func (l *level) edge(ctx context.Context, create func() *followed) *followed {
	field := graphql.GetFieldContext(ctx).Field.Field
	l.mutex.Lock()
	defer l.mutex.Unlock()
	if l.edges == nil {
		l.edges = map[*ast.Field]*followed{}
	}
	if _, known := l.edges[field]; !known {
		l.edges[field] = create()
	}
	return l.edges[field]
}

// keysOf returns the distinct keys of objects.
func keysOf[P any](objects []P, key func(*P) string) []string {
	keys := map[string]bool{}
	for i := range objects {
		if item := key(&objects[i]); item != "" {
			keys[item] = true
		}
	}
	return slices.Sorted(maps.Keys(keys))
}

// toOne follows an edge to the object that the parent refers to. It returns nil if there is no reference, or if the
// object does not exist.
func toOne[P, C any](
	ctx context.Context, parent *P, name func(*P) string, read func(context.Context, []string) (map[string]C, error),
) (*C, error) {
	return follow(ctx, parent, name,
		func(ctx context.Context, names []string) (map[string]*C, error) {
			found, err := read(ctx, names)
			pointers := make(map[string]*C, len(found))
			for name, item := range found {
				pointers[name] = &item
			}
			return pointers, err
		},
		func(found map[string]*C) any {
			objects := make([]C, 0, len(found))
			for _, item := range found {
				objects = append(objects, *item)
			}
			return objects
		})
}

// with binds the edge's argument to a reader.
func with[A, V any](
	read func(context.Context, []string, A) (map[string]V, error), argument A,
) func(context.Context, []string) (map[string]V, error) {
	return func(ctx context.Context, keys []string) (map[string]V, error) { return read(ctx, keys, argument) }
}

// nested holds the arguments of a list inside an object.
type nested[F any] struct {
	first  *int
	after  *string
	order  domain.ListOrder
	filter *F
}

// toMany follows an edge to a page of the objects that belong to the parent.
func toMany[P, F, C any](
	ctx context.Context, parent *P, id func(*P) string, asked nested[F],
	read func(context.Context, []string, F, domain.Page) (map[string]domain.List[C], error), position func(C) domain.Cursor,
) (*relay.Connection[C], error) {
	filter, page, err := pageOf[F, C](asked.first, asked.after, asked.order, asked.filter)
	if err != nil {
		return nil, err
	}
	list, err := follow(ctx, parent, id,
		func(ctx context.Context, parents []string) (map[string]domain.List[C], error) {
			found, err := read(ctx, parents, filter, page)
			return found, inArgument(asked.filter, err)
		},
		func(found map[string]domain.List[C]) any {
			var objects []C
			for _, list := range found {
				objects = append(objects, list.Items...)
			}
			return objects
		})
	return ptr(relay.ConnectAt(list, err, position))
}
