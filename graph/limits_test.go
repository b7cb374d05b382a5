package graph_test

import (
	"fmt"
	"strings"
	"testing"

	"ticketgate/domain"
)

func TestEveryResponseHasItsCost(t *testing.T) {
	s := serve(t, domain.APIKeyActor)
	for _, row := range []struct {
		name, query, variables string
		cost                   int64
	}{
		{"nothing for a leaf", `{__typename}`, `{}`, 0},
		{"1 for an object", `{me{name}}`, `{}`, 1},
		{"1 for each object in the other", `{me{seller{seller{_id}}}}`, `{}`, 3},
		{"25 rows if first is omitted", `{lists{nodes{_id}}}`, `{}`, 26},
		{"first rows", `{lists(first:100){nodes{_id}}}`, `{}`, 101},
		{"first rows from a variable", `query($n:Int){lists(first:$n){nodes{_id}}}`, `{"n":70}`, 71},
		{"the variable's default", `query($n:Int=60){lists(first:$n){nodes{_id}}}`, `{}`, 61},
		{"25 rows for an omitted variable", `query($n:Int){lists(first:$n){nodes{_id}}}`, `{}`, 26},
		{"25 rows for null", `{lists(first:null){nodes{_id}}}`, `{}`, 26},
		{"the schema's default of a connection", `{me{lists{nodes{_id}}}}`, `{}`, 12},
		{"it for an omitted variable", `query($n:Int){me{lists(first:$n){nodes{_id}}}}`, `{}`, 12},
		{"25 rows for null in its place", `{me{lists(first:null){nodes{_id}}}}`, `{}`, 27},
		{"25 rows for a variable of null in its place", `query($n:Int){me{lists(first:$n){nodes{_id}}}}`, `{"n":null}`, 27},
		{"25 rows for a default of null in its place", `query($n:Int=null){me{lists(first:$n){nodes{_id}}}}`, `{}`, 27},
		{"nothing for no rows", `{lists(first:0){nodes{_id}}}`, `{}`, 1},
		{"no credit for a negative page", `{lists(first:-1000){nodes{_id}}}`, `{}`, 1},
		{"the largest page for one that is too large", `{lists(first:99999999999){nodes{_id}}}`, `{}`, 1001},
		{"2 a row of edges", `{lists(first:10){edges{cursor node{_id}} pageInfo{endCursor}}}`, `{}`, 22},
		{"10 for a count, whatever the page", `{lists(first:1000){totalCount}}`, `{}`, 11},
		{"it with no rows", `{lists(first:0){nodes{_id} totalCount}}`, `{}`, 11},
		{"it for each object that has it", `{lists(first:10){nodes{lists(first:20){totalCount nodes{_id}}}}}`, `{}`, 1 + 10*(1+1+10+20)},
		{"the schema's default of a plain list", `{recent{_id}}`, `{}`, 40},
		{"rows of a plain list times what is in them", `{recent(first:10){seller{_id}}}`, `{}`, 20},
		{"pages in pages", `{lists(first:10){nodes{lists(first:20){nodes{_id}}}}}`, `{}`, 1 + 10*(1+1+20)},
		{"one for deliveries without edges", `mutation($i:Retriggering!){retriggerDeliveries(input:$i){_id}}`, `{"i":{"ids":["a","b"]}}`, 1},
		{
			"edges of deliveries for each of them",
			`mutation($i:Retriggering!){retriggerDeliveries(input:$i){lists(first:20){nodes{_id}}}}`, `{"i":{"ids":["a","b"]}}`, 2 * (1 + 1 + 20),
		},
		{"it for each in the document", `mutation{retriggerDeliveries(input:{ids:["a","b","c"]}){seller{_id}}}`, `{}`, 3 * 2},
		{"it for the maximum that a filter can match", `mutation{retriggerDeliveries(input:{count:5}){seller{_id}}}`, `{}`, 1000 * 2},
		{"a fragment at each spread", `{a:me{...f} b:me{...f}} fragment f on Seller{seller{_id}}`, `{}`, 4},
		{
			"rows in a fragment by the page that spreads it",
			`{a:lists(first:10){...f} b:lists(first:30){...f}} fragment f on ListConnection{nodes{_id}}`, `{}`, 42,
		},
		{"inline fragments like their surroundings", `{lists(first:10){...{nodes{...on List{seller{_id}}}}}}`, `{}`, 21},
		{"only the operation that runs", `query a{me{name}} query b{lists{nodes{_id}}}`, `{}`, 1},
	} {
		t.Run("counts "+row.name, func(t *testing.T) {
			got := s.ask(t, row.query, row.variables)
			if strings.HasPrefix(row.query, "query a") {
				got = s.post(t, `{"operationName":"a","query":"`+row.query+`"}`)
			}
			if got.status != 200 || got.Extensions.Cost.Requested != row.cost || got.Extensions.Cost.Limit != 20000 {
				t.Errorf("status %d with cost %+v, want %d: %s", got.status, got.Extensions.Cost, row.cost, got.text)
			}
		})
	}
}

func TestLimits(t *testing.T) {
	s := serve(t, domain.APIKeyActor)
	aliases := func(n int) string {
		var query strings.Builder
		for i := range n {
			fmt.Fprintf(&query, "a%d:me{_id} ", i)
		}
		return "{" + query.String() + "}"
	}
	for _, row := range []struct {
		name, query string
		message     string
	}{
		{"10 levels", nested(9), ""},
		{"11 levels", nested(10), "10 levels are allowed, not 11"},
		{"11 levels through fragments", `{me{...a}} fragment a on Seller{seller{seller{seller{seller{...b}}}}}
			fragment b on Seller{seller{seller{seller{seller{seller{_id}}}}}}`, "10 levels are allowed, not 11"},
		{"200 levels", nested(200), "10 levels are allowed, not 201"},
		{"30 aliases", aliases(30), ""},
		{"31 aliases", aliases(31), "at most 30 aliases, not 31"},
		{"36 aliases of a fragment", `{a:me{...f} b:me{...f} c:me{...f} d:me{...f}} fragment f on Seller{` +
			`a:_id b:_id c:_id d:_id e:_id f:_id g:_id h:_id}`, "at most 30 aliases, not 36"},
		{"9,900 objects", `{lists(first:99){nodes{lists(first:99){nodes{_id}}}}}`, ""},
		{"10,100 objects", `{lists(first:100){nodes{lists(first:100){nodes{_id}}}}}`, "at most 10000 objects, not 10100"},
		{"pages of default size", `{lists{nodes{lists{nodes{lists{nodes{_id}}}}}}}`, "objects"},
		{"edges that cost more than 20,000", `{lists(first:94){edges{node{lists(first:105){edges{node{_id}}}}}}}`, "at most 20000, not 20023"},
		{"a page whose product overflows", `{lists(first:9007199254740991){nodes{lists(first:9007199254740991){nodes{_id}}}}}`, "objects"},
	} {
		verb := "refuses "
		if row.message == "" {
			verb = "takes "
		}
		t.Run(verb+row.name, func(t *testing.T) {
			got := s.ask(t, row.query)
			if row.message == "" {
				if got.status != 200 {
					t.Errorf("status %d: %s", got.status, got.text)
				}
				return
			}
			refused(t, got, 422, domain.CodeInvalidRequest)
			if len(got.Errors) != 1 || !strings.Contains(got.Errors[0].Message, row.message) || got.Extensions.Cost.Limit == 0 {
				t.Errorf("want %q: %s", row.message, got.text)
			}
		})
	}
}

// nested returns a query of nested own objects. Its leaf adds one level.
func nested(objects int) string {
	return "{me{" + strings.Repeat("seller{", objects-1) + "_id" + strings.Repeat("}", objects+1)
}

// graphiQL has the form of GraphiQL's introspection query.
const graphiQL = `query IntrospectionQuery{__schema{queryType{name} types{...FullType} directives{name args{...InputValue}}}}
fragment FullType on __Type{kind name fields(includeDeprecated:true){name args{...InputValue} type{...TypeRef}}
inputFields{...InputValue} interfaces{...TypeRef} enumValues{name} possibleTypes{...TypeRef}}
fragment InputValue on __InputValue{name type{...TypeRef} defaultValue}
fragment TypeRef on __Type{kind name ofType{kind name ofType{kind name ofType{kind name ofType{kind name ofType{kind name
ofType{kind name ofType{kind name ofType{kind name ofType{kind name}}}}}}}}}}`

func TestIntrospection(t *testing.T) {
	may := map[domain.ActorKind]bool{domain.UserActor: true, domain.SystemActor: true}
	queries := []string{
		graphiQL, `{__schema{types{name}}}`, `{__type(name:"List"){name}}`,
		`{...{...f}} fragment f on Query{x:__schema{types{name}}}`,
	}
	for kind := domain.Nobody; kind <= domain.SystemActor; kind++ {
		s := serve(t, kind)
		for _, query := range queries {
			t.Run(fmt.Sprintf("is for sessions and the platform only: kind %d, %.12s", kind, query), func(t *testing.T) {
				got := s.ask(t, query)
				if may[kind] != (got.status == 200 && len(got.Errors) == 0) {
					t.Fatalf("status %d: %s", got.status, got.text)
				}
				if !may[kind] {
					refused(t, got, 422, domain.CodeForbidden)
				}
			})
		}
		if got := s.ask(t, `{__typename me{__typename}}`); got.status != 200 {
			t.Errorf("__typename must be open to all callers, but kind %d got %s", kind, got.text)
		}
	}
	s := serve(t, domain.UserActor)
	for _, row := range []struct {
		name, query string
		status      int
		cost        int64
	}{
		{"GraphiQL's query once", graphiQL, 200, 5000},
		{"one type", `{__type(name:"List"){fields{name}}}`, 200, 500},
		{"types listed within types", `{__schema{types{fields{type{fields{name}}}}}}`, 200, 15000},
		{"types listed twice within types", `{__schema{types{fields{type{fields{name} inputFields{name}}}}}}`, 422, 25000},
		{"the schema under five names", `{a:__schema{types{name}} b:__schema{types{name}} c:__schema{types{name}} ` +
			`d:__schema{types{name}} e:__schema{types{name}}}`, 422, 25000},
	} {
		t.Run("costs by what it lists: "+row.name, func(t *testing.T) {
			if got := s.ask(t, row.query); got.status != row.status || got.Extensions.Cost.Requested != row.cost {
				t.Errorf("status %d: %s", got.status, got.text)
			}
		})
	}
}

func TestSuggestions(t *testing.T) {
	queries := []string{
		`{mee{name}}`, `{me{nam}}`, `{seller(ide:1){name}}`, `{seller{name}}`, `{me}`, `query($x:Strin){echo(text:$x)}`,
		`{echo(mode:LIV)}`, `{echo(mode:"LIVE")}`, `{echo(input:{nam:"x"})}`, `{me{...on Selle{name}}}`, `{me{name @skp(if:true)}}`,
	}
	for kind := domain.Nobody; kind <= domain.SystemActor; kind++ {
		s, suggested := serve(t, kind), 0
		for _, query := range queries {
			got := s.ask(t, query)
			refused(t, got, 422, domain.CodeInvalidRequest)
			if strings.Contains(strings.ToLower(got.text), "did you mean") {
				suggested++
			}
		}
		may := kind == domain.UserActor || kind == domain.SystemActor
		if may != (suggested > 5) || (!may && suggested > 0) {
			t.Errorf("kind %d got %d suggestions", kind, suggested)
		}
	}
}
