package graph_test

import (
	"context"
	"encoding/json"
	"errors"
	"io"
	"strings"
	"time"

	"github.com/99designs/gqlgen/graphql"
	"github.com/vektah/gqlparser/v2"
	"github.com/vektah/gqlparser/v2/ast"
	"github.com/vektah/gqlparser/v2/gqlerror"

	"ticketgate/domain"
)

// shopSDL is a schema with the shapes that the limits distinguish: connections, a plain list, and a cycle of types.
const shopSDL = `
scalar JSON
enum Mode { LIVE, TEST }
input EchoInput { name: String!, size: Int, note: String, inner: EchoInput }
type Query {
  me: Seller
  seller(id: ID!): Seller
  lists(first: Int, after: String): ListConnection!
  recent(first: Int = 40): [List!]!
  echo(text: String, number: Float, count: Int, data: JSON, mode: Mode, input: EchoInput, ids: [ID!], narrow: Int): JSON
  fail(how: String!): String
  work: String
}
input Retriggering { ids: [ID!], count: Int }
type Mutation {
  importTickets(input: EchoInput): String, deleteAccessList: String, createList(name: String): List
  retriggerDeliveries(input: Retriggering!): [List!]
}
type Subscription { ticks: String }
type Seller { _id: ID!, name: String, seller: Seller, lists(first: Int = 10): ListConnection! }
type ListConnection { edges: [ListEdge!]!, nodes: [List!]!, pageInfo: PageInfo!, totalCount: Int! }
type ListEdge { cursor: String!, node: List! }
type List { _id: ID!, name: String, seller: Seller, lists(first: Int): ListConnection! }
type PageInfo { hasNextPage: Boolean!, endCursor: String }
`

// shop implements that schema with values for a few root fields. All others are null. A subscription sends what it
// receives from ticks.
type shop struct {
	schema *ast.Schema
	ticks  chan string
}

func newShop() shop {
	return shop{gqlparser.MustLoadSchema(&ast.Source{Name: "shop.graphqls", Input: shopSDL}), make(chan string)}
}

func (s shop) Schema() *ast.Schema { return s.schema }

func (s shop) Complexity(context.Context, string, string, int, map[string]any) (int, bool) {
	return 0, false
}

// Exec resolves the root fields with gqlgen's field resolver, as generated code does.
func (s shop) Exec(ctx context.Context) graphql.ResponseHandler {
	if graphql.GetOperationContext(ctx).Operation.Operation == ast.Subscription {
		started := false
		return func(ctx context.Context) *graphql.Response {
			if !started {
				started = true
				return &graphql.Response{Data: json.RawMessage(`{"ticks":"0"}`)}
			}
			return s.tick(ctx)
		}
	}
	return func(ctx context.Context) *graphql.Response {
		operation := graphql.GetOperationContext(ctx)
		fields := graphql.CollectFields(operation, operation.Operation.SelectionSet, []string{"Query", "Mutation"})
		var data strings.Builder
		for i, field := range fields {
			data.WriteString([]string{"{", ","}[min(i, 1)])
			graphql.MarshalString(field.Alias).MarshalGQL(&data)
			data.WriteString(":")
			graphql.ResolveField(ctx, operation, field, fieldContext, resolve, nil, marshal, true, false).MarshalGQL(&data)
		}
		return &graphql.Response{Data: json.RawMessage(data.String() + "}")}
	}
}

// tick returns the next response of a subscription. The first one is sent at once.
func (s shop) tick(ctx context.Context) *graphql.Response {
	select {
	case tick, more := <-s.ticks:
		if more && tick == "fails" {
			return &graphql.Response{Data: json.RawMessage(`{"ticks":null}`), Errors: gqlerror.List{refusal(2), refusal(0), refusal(1)}}
		}
		if more {
			return &graphql.Response{Data: json.RawMessage(`{"ticks":"` + tick + `"}`)}
		}
	case <-ctx.Done():
	}
	return nil
}

// refusal returns an error of a list element.
func refusal(at int) *gqlerror.Error {
	return &gqlerror.Error{
		Message: "no", Path: ast.Path{ast.PathName("ticks"), ast.PathIndex(at)}, Extensions: map[string]any{"code": "FORBIDDEN"},
	}
}

// fieldContext reads the arguments. `narrow` represents a scalar that refuses values accepted by gqlparser.
func fieldContext(ctx context.Context, field graphql.CollectedField) (*graphql.FieldContext, error) {
	operation := graphql.GetOperationContext(ctx)
	fc := &graphql.FieldContext{Object: "Query", Field: field, IsResolver: true, Args: field.ArgumentMap(operation.Variables)}
	ctx = graphql.WithFieldContext(ctx, fc)
	_, err := graphql.ProcessArgField(ctx, fc.Args, "narrow", func(ctx context.Context, v any) (int8, error) {
		value, err := graphql.UnmarshalInt8(v)
		return value, graphql.ErrorOnPath(ctx, err)
	})
	if err != nil {
		operation.Error(ctx, err)
		return fc, err
	}
	return fc, nil
}

func marshal(_ context.Context, _ ast.SelectionSet, value any) graphql.Marshaler {
	return graphql.WriterFunc(func(w io.Writer) {
		text, err := json.Marshal(value)
		if err != nil {
			panic(err)
		}
		_, _ = w.Write(text)
	})
}

func resolve(ctx context.Context) (any, error) {
	field := graphql.GetFieldContext(ctx)
	switch field.Field.Name {
	case "echo":
		return field.Args, nil
	case "importTickets", "deleteAccessList", "work":
		return timeLeft(ctx), nil
	case "__schema":
		return map[string]any{}, nil
	case "fail":
		how, _ := field.Args["how"].(string)
		return nil, failure(how)
	}
	return nil, nil //nolint:nilnil // a field without a value is null
}

// shortBound is the time for reading and responding in servers tested for it.
const shortBound = time.Second

// timeLeft waits longer than shortBound and returns the remaining time of the context.
func timeLeft(ctx context.Context) string {
	end, bounded := ctx.Deadline()
	<-time.After(shortBound + shortBound/10)
	if !bounded {
		return "all"
	}
	return time.Until(end).Round(5 * time.Second).String()
}

// failure returns errors as resolvers meet them.
func failure(how string) error {
	switch how {
	case "invalid":
		return domain.Invalid("http.url", "must be an address on the internet")
	case "limited":
		return domain.RateLimited(1500e6)
	case "sql":
		return errors.New(`pq: duplicate key value violates "api_key_digest" SQLSTATE 23505 at store.go:12`)
	case "panic":
		var none *domain.Actor
		return errors.New(none.ID)
	}
	return nil
}
