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

// levels are the objects of one response that were read together. An edge of one of them is followed for all of them at once,
// so that it takes one statement however many objects have it, and whether they are in `nodes` or in `edges { node }`.
type levels struct {
	mutex sync.Mutex
	// read is what each field of the document has read.
	read map[*graphql.FieldContext]*level
}

type levelsKey struct{}

// withLevels begins a response without objects.
func withLevels(ctx context.Context) context.Context {
	return context.WithValue(ctx, levelsKey{}, &levels{})
}

// level is objects that were read together.
type level struct {
	objects any // a slice of them, or mixed

	mutex sync.Mutex
	// edges are those that are followed, by the field in the document: `nodes` and `edges { node }` may ask for others by one name.
	edges map[*ast.Field]*followed
}

// followed is where one edge leads from the objects of a level. Its values are of any type, so that the program has the code of one
// loader instead of one for each edge.
type followed struct {
	loader *dataloadgen.Loader[string, any]
	below  *level
}

// noteRead notes that a field has read the objects. Resolvers that REST calls have no field, and nothing is noted.
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

// levelOf returns the objects that were read with the one that a field belongs to: those that the nearest field above has read.
// An object that came alone is a level by itself.
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
			if slices.ContainsFunc(objects, func(one P) bool { return key(&one) == key(parent) }) {
				return read, objects
			}
			break
		}
	}
	alone := []P{*parent}
	return &level{objects: alone}, alone
}

// splitAfter bounds how long a loader waits. None ever does: each is given all of its keys at once, which fills its batch.
const splitAfter = 100 * time.Millisecond

// follow returns where the edge leads whose field is being resolved. The first object that asks has it read for its level. The
// objects that it leads to become a level.
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
	value, _ := found.(V) // what is nil has no type
	return value, nil
}

// newFollowed creates an edge whose values are read at once for all keys, together with the level that they become.
func newFollowed(
	ctx context.Context, keys []string, read func(context.Context, []string) (values map[string]any, below any, err error),
) *followed {
	made := &followed{below: &level{}}
	made.loader = dataloadgen.NewMappedLoader(func(ctx context.Context, keys []string) (map[string]any, error) {
		values, below, err := read(ctx, keys)
		made.below.objects = below
		return values, err
	}, dataloadgen.WithBatchCapacity(len(keys)), dataloadgen.WithWait(splitAfter))
	made.loader.LoadAllThunk(ctx, keys)
	return made
}

func valuesOf[V any](found map[string]V) map[string]any {
	values := make(map[string]any, len(found))
	for key, value := range found {
		values[key] = value
	}
	return values
}

// unless returns the error if it is not the expected one.
func unless(err, expected error) error {
	if errors.Is(err, expected) {
		return nil
	}
	return err
}

// isOfItsSeller refuses to follow an edge of an object that is another seller's than the call acts on: a mutation may name the
// seller in its input. The edge would lead to the wrong one's records (GRAPH-5).
func isOfItsSeller(ctx context.Context, parent any) error {
	owner := reflect.ValueOf(parent).Elem().FieldByName("SellerID")
	acting := domain.ActorOf(ctx).SellerID
	if !owner.IsValid() || owner.Kind() != reflect.String || owner.String() == "" || acting == "" || owner.String() == string(acting) {
		return nil
	}
	return domain.NewError(domain.CodeInvalidRequest, "The object belongs to another seller; name that seller in the header x-seller-id")
}

// edge returns what is known of a field of the level's objects, and creates it when the first of them asks.
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

// keysOf returns the keys of objects, each once.
func keysOf[P any](objects []P, key func(*P) string) []string {
	keys := map[string]bool{}
	for i := range objects {
		if one := key(&objects[i]); one != "" {
			keys[one] = true
		}
	}
	return slices.Sorted(maps.Keys(keys))
}

// toOne follows an edge to the object that the parent names: nil where it names none, or one that is not there.
func toOne[P, C any](
	ctx context.Context, parent *P, name func(*P) string, read func(context.Context, []string) (map[string]C, error),
) (*C, error) {
	return follow(ctx, parent, name,
		func(ctx context.Context, names []string) (map[string]*C, error) {
			found, err := read(ctx, names)
			pointers := make(map[string]*C, len(found))
			for name, one := range found {
				pointers[name] = &one
			}
			return pointers, err
		},
		func(found map[string]*C) any {
			objects := make([]C, 0, len(found))
			for _, one := range found {
				objects = append(objects, *one)
			}
			return objects
		})
}

// with gives a reader of an edge the edge's own argument.
func with[A, V any](
	read func(context.Context, []string, A) (map[string]V, error), argument A,
) func(context.Context, []string) (map[string]V, error) {
	return func(ctx context.Context, keys []string) (map[string]V, error) { return read(ctx, keys, argument) }
}

// nested is the arguments of a list inside an object.
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
	return one(relay.ConnectAt(list, err, position))
}
