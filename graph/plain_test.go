package graph

import (
	"context"
	"encoding/json"
	"errors"
	"hash/maphash"
	"math/rand/v2"
	"reflect"
	"slices"
	"strings"
	"sync/atomic"
	"testing"

	"github.com/99designs/gqlgen/graphql"
	"github.com/99designs/gqlgen/graphql/executor"
	"github.com/vektah/gqlparser/v2/ast"
	"github.com/vektah/gqlparser/v2/gqlerror"

	"ticketgate/graph/generated"
	"ticketgate/graph/plain"
)

// TestPlainObjects executes random documents on random objects of all types, with plain objects and with gqlgen alone.
// Responses, errors and counted sizes must be equal.
func TestPlainObjects(t *testing.T) {
	t.Parallel()
	fake := newFakeSchema(t)
	selected, counted := map[string]bool{}, int64(0)
	for seed := range uint64(1000) {
		document := newRandomDocument(fake.Schema(), seed, selected)
		with, without := fake.execute(t, document, seed, true), fake.execute(t, document, seed, false)
		if with.text != without.text {
			t.Fatalf("seed %d:\n%s\nwith plain objects: %s\nwithout: %s", seed, document, with.text, without.text)
		}
		if with.size != without.size {
			t.Errorf("seed %d: %d bytes count, without plain objects %d:\n%s\n%s", seed, with.size, without.size, document, with.text)
		}
		counted += with.countedPlain
	}
	for name, definition := range fake.Schema().Types {
		isRoot := slices.Contains([]string{"Query", "Mutation", "Subscription"}, name)
		if definition.Kind == ast.Object && !isRoot && !strings.HasPrefix(name, "__") && !selected[name] {
			t.Errorf("no document selects a field of %s", name)
		}
	}
	if counted < 2000 {
		t.Errorf("only %d plain objects were counted", counted)
	}
}

// fakeSchema is the schema with random values instead of resolvers.
type fakeSchema struct {
	graphql.ExecutableSchema
	// resolved holds the Go types that resolvers return, by type and field.
	resolved map[string]reflect.Type
	// objects holds the Go types of the schema's types.
	objects map[string]reflect.Type
}

func newFakeSchema(t *testing.T) *fakeSchema {
	t.Helper()
	fake := &fakeSchema{
		generated.NewExecutableSchema(generated.Config{Schema: publicSchema()}), map[string]reflect.Type{}, map[string]reflect.Type{},
	}
	roots := reflect.TypeFor[generated.ResolverRoot]()
	for of := range roots.Methods() {
		definition := fake.Schema().Types[of.Name]
		for method := range of.Type.Out(0).Methods() {
			at := slices.IndexFunc(definition.Fields, func(field *ast.FieldDefinition) bool {
				return strings.EqualFold(strings.ReplaceAll(field.Name, "_", ""), method.Name)
			})
			if at < 0 {
				t.Fatalf("%s has no field %s", of.Name, method.Name)
			}
			result := method.Type.Out(0)
			fake.resolved[of.Name+"."+definition.Fields[at].Name] = result
			if result.Kind() == reflect.Pointer {
				result = result.Elem()
			}
			if kind := definition.Fields[at].Type; kind.Elem == nil && result.Kind() == reflect.Struct {
				fake.objects[kind.NamedType] = result
			}
		}
	}
	return fake
}

// executed is a response as text with its counted size.
type executed struct {
	text         string
	size         int64
	countedPlain int64
}

func (f *fakeSchema) execute(t *testing.T, document string, seed uint64, plainly bool) executed {
	t.Helper()
	var size answerSize
	var counted atomic.Int64 // elements of a list are written concurrently
	var done executed
	ctx := graphql.StartOperationTrace(t.Context())
	if !plainly {
		ctx = plain.Without(ctx)
	}
	exec := executor.New(f)
	exec.AroundFields(func(ctx context.Context, next graphql.Resolver) (any, error) { return f.resolve(ctx, seed, next) })
	exec.SetRecoverFunc(func(context.Context, any) error { return errors.New("panicked") })
	operation, refused := exec.CreateOperationContext(ctx, &graphql.RawParams{
		Query: document, Variables: map[string]any{"yes": true, "no": false},
	})
	if refused != nil {
		t.Fatalf("seed %d: %v in\n%s", seed, refused, document)
	}
	size.watch(operation)
	plain.Enable(ctx, operation, func(ctx context.Context, bytes int) bool {
		counted.Add(1)
		return size.takes(ctx, bytes)
	})
	responses, ctx := exec.DispatchOperation(ctx, operation)
	response := responses(ctx)
	// The order of several errors is random.
	slices.SortFunc(response.Errors, func(a, b *gqlerror.Error) int { return strings.Compare(a.Error(), b.Error()) })
	text, err := json.Marshal(response.Errors)
	if err != nil {
		t.Fatal(err)
	}
	done.text, done.size = string(response.Data)+string(text), size.bytes.Load()
	done.countedPlain = counted.Load()
	return done
}

var hashSeed = maphash.MakeSeed()

// resolve returns the same value for a field of the same path, and occasionally an error.
func (f *fakeSchema) resolve(ctx context.Context, seed uint64, next graphql.Resolver) (any, error) {
	field := graphql.GetFieldContext(ctx)
	if !field.IsResolver {
		return next(ctx)
	}
	random := rand.New(rand.NewPCG(seed, maphash.String(hashSeed, field.Path().String())))
	if random.IntN(20) == 0 {
		return nil, errors.New("unresolved")
	}
	wanted := f.resolved[field.Object+"."+field.Field.Name]
	filled := &filler{random: random, objects: f.objectsOf(field.Field.Definition.Type.Name())}
	value := reflect.New(wanted).Elem()
	filled.fill(value, 0)
	return value.Interface(), nil
}

// objectsOf returns the possible Go types of an interface or a union.
func (f *fakeSchema) objectsOf(name string) []reflect.Type {
	var found []reflect.Type
	for _, possible := range f.Schema().GetPossibleTypes(f.Schema().Types[name]) {
		if object := f.objects[possible.Name]; object != nil {
			found = append(found, object)
		}
	}
	return found
}
