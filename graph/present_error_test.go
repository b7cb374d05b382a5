package graph_test

import (
	"bytes"
	"context"
	"fmt"
	"log/slog"
	"net/http"
	"net/http/httptest"
	"strings"
	"testing"

	"github.com/99designs/gqlgen/graphql"

	"ticketgate/domain"
	"ticketgate/graph"
)

var discard = slog.New(slog.DiscardHandler)

func TestDomainErrorsAreShown(t *testing.T) {
	s := serve(t, domain.APIKeyActor)
	got := s.ask(t, `{ok:echo(text:"x") fail(how:"invalid")}`)
	const want = `{"errors":[{"message":"http.url must be an address on the internet","path":["fail"],` +
		`"locations":[{"line":1,"column":20}],` +
		`"extensions":{"code":"VALIDATION_FAILED","details":[{"path":"http.url","message":"must be an address on the internet"}],` +
		`"requestId":"req-1"}}],"data":{"ok":{"text":"x"},"fail":null},"extensions":{"cost":{"requested":0,"limit":20000}}}`
	if got.status != 200 || got.text != want {
		t.Errorf("got  %d %s\nwant %s", got.status, got.text, want)
	}
	if got := s.ask(t, `{fail(how:"limited")}`); got.Errors[0].Extensions.RetryAfter != 2 {
		t.Errorf("no retryAfter: %s", got.text)
	}
	if s.log.Len() > 0 {
		t.Errorf("logged an error that the caller was shown: %s", &s.log)
	}
}

func TestCausesAreLoggedOnceAndHidden(t *testing.T) {
	for how, hidden := range map[string]string{"sql": "SQLSTATE 23505", "panic": "nil pointer"} {
		t.Run("hides "+how, func(t *testing.T) {
			s := serve(t, domain.UserActor)
			got := s.ask(t, fmt.Sprintf(`{fail(how:%q)}`, how))
			if got.status != 200 || got.code() != "INTERNAL" || got.Errors[0].Message != "Internal error" {
				t.Errorf("status %d: %s", got.status, got.text)
			}
			for _, leak := range []string{"pq:", "SQLSTATE", ".go:", "goroutine", "api_key_digest"} {
				if strings.Contains(got.text, leak) {
					t.Errorf("shows %q: %s", leak, got.text)
				}
			}
			logged := s.log.String()
			if strings.Count(logged, "\n") != 1 || !strings.Contains(logged, hidden) ||
				!strings.Contains(logged, "request_id=req-1") || !strings.Contains(logged, "path=fail") {
				t.Errorf("logged %s", logged)
			}
		})
	}
}

// faulty is an extension that panics.
type faulty struct{}

func (faulty) ExtensionName() string { return "Faulty" }

func (faulty) Validate(graphql.ExecutableSchema) error { return nil }

func (faulty) InterceptResponse(context.Context, graphql.ResponseHandler) *graphql.Response {
	panic("the mistake")
}

// gqlgen's server also responds to a panic outside the resolvers, but in its own format.
func TestPanicFailsOneResponse(t *testing.T) {
	var log bytes.Buffer
	endpoint := graph.NewEndpoint(newShop(), graph.Options{
		Log: slog.New(slog.NewTextHandler(&log, nil)), Extensions: []graphql.HandlerExtension{faulty{}},
	})
	for _, accept := range []string{"application/json", "text/event-stream"} {
		log.Reset()
		request := httptest.NewRequestWithContext(t.Context(), http.MethodPost, "/", strings.NewReader(`{"query":"{me{name}}"}`))
		request.Header.Set("Content-Type", "application/json")
		request.Header.Set("Accept", accept)
		recorder := httptest.NewRecorder()
		endpoint.ServeHTTP(recorder, request)
		const want = `{"errors":[{"message":"Internal error","extensions":{"code":"INTERNAL"}}]}`
		if recorder.Code != http.StatusInternalServerError || recorder.Body.String() != want ||
			recorder.Header().Get("Content-Type") != "application/json; charset=utf-8" {
			t.Errorf("%s: %d %v %s", accept, recorder.Code, recorder.Header(), recorder.Body)
		}
		if strings.Count(log.String(), "\n") != 1 || !strings.Contains(log.String(), "the mistake") {
			t.Errorf("%s: logged %s", accept, &log)
		}
	}
}

func TestInvalidDocumentsAndVariables(t *testing.T) {
	s := serve(t, domain.APIKeyActor)
	for name, row := range map[string]struct{ query, variables, path string }{
		"a syntax error":               {`{me{name}`, `{}`, ""},
		"no operation":                 {`# nothing`, `{}`, ""},
		"an unknown field":             {`{mee{name}}`, `{}`, ""},
		"a variable that is missing":   {`query($id:ID!){seller(id:$id){name}}`, `{}`, "variables.id"},
		"null for a required variable": {`query($id:ID!){seller(id:$id){name}}`, `{"id":null}`, "variables.id"},
		"text for an Int":              {`query($c:Int){echo(count:$c)}`, `{"c":"many"}`, "variables.c"},
		"a fraction for an Int":        {`query($c:Int){echo(count:$c)}`, `{"c":1.5}`, "variables.c"},
		"1e20 for an Int":              {`query($c:Int){echo(count:$c)}`, `{"c":1e20}`, "variables.c"},
		"an invalid field of an input": {
			`query($i:EchoInput){echo(input:$i)}`,
			`{"i":{"name":7}}`, "variables.i.name",
		},
		"an unknown field of an input": {
			`query($i:EchoInput){echo(input:$i)}`,
			`{"i":{"name":"x","isAdmin":true}}`, "variables.i.isAdmin",
		},
		"a missing field of a nested input": {
			`query($i:EchoInput){echo(input:$i)}`,
			`{"i":{"name":"x","inner":{}}}`, "variables.i.inner.name",
		},
		"a value that is not of the enum": {`query($m:Mode){echo(mode:$m)}`, `{"m":"NONE"}`, "variables.m"},
		"text for a number": {
			`query($n:Float,$c:Int){echo(number:$n,count:$c)}`,
			`{"n":"1.5"}`, "variables.n",
		},
		"a number for text": {`query($t:String){echo(text:$t)}`, `{"t":7}`, "variables.t"},
		"text for an Int inside an input": {
			`query($i:EchoInput){echo(input:$i)}`,
			`{"i":{"name":"x","inner":{"name":"y","size":"5"}}}`, "variables.i.inner.size",
		},
		"an enum value in another case": {`query($m:Mode){echo(mode:$m)}`, `{"m":"live"}`, "variables.m"},
		"an integer that exceeds Int": {
			`query($i:EchoInput){echo(input:$i)}`,
			`{"i":{"name":"x","size":1e21}}`, "variables.i.size",
		},
		"an object for a list":             {`query($ids:[ID!]){echo(ids:$ids)}`, `{"ids":{"a":1}}`, "variables.ids[0]"},
		"a null in a list that has none":   {`query($ids:[ID!]){echo(ids:$ids)}`, `{"ids":[null]}`, "variables.ids[0]"},
		"a default that a type can't take": {`query($c:Int=1.5){echo(count:$c)}`, `{}`, ""},
		"an operation that does not exist": {`query a{me{name}} query b{me{name}}`, `{}`, ""},
		"an unsupported subscription":      {`subscription{me{name}}`, `{}`, ""},
	} {
		t.Run("refuses "+name, func(t *testing.T) {
			got := s.ask(t, row.query, row.variables)
			refused(t, got, 422, domain.CodeInvalidRequest)
			if strings.Contains(got.text, "strconv") || strings.Contains(got.text, "%!") {
				t.Errorf("uses Go terms: %s", got.text)
			}
			if details := got.Errors[0].Extensions.Details; row.path != "" && (len(details) != 1 || details[0].Path != row.path) {
				t.Errorf("want the path %s: %s", row.path, got.text)
			}
		})
	}
	t.Run("treats null as omitted for a variable with a default", func(t *testing.T) {
		got := s.ask(t, `query($b:Boolean=true,$t:String="x"){echo(text:$t) me@skip(if:$b){name}}`, `{"b":null,"t":null}`)
		if !strings.HasPrefix(got.text, `{"data":{"echo":{"text":"x"}},`) {
			t.Errorf("status %d: %s", got.status, got.text)
		}
	})
	t.Run("refuses a null default in a non-null position", func(t *testing.T) {
		refused(t, s.ask(t, `query($b:Boolean=null){me@skip(if:$b){name}}`), 422, domain.CodeInvalidRequest)
	})
	t.Run("reports the location in the document", func(t *testing.T) {
		got := s.ask(t, "{\n  me { nam }\n}")
		if at := got.Errors[0].Locations; len(at) != 1 || at[0].Line != 2 || at[0].Column != 8 {
			t.Errorf("located at %v", at)
		}
	})
	t.Run("names the argument that a scalar refused, without Go terms", func(t *testing.T) {
		got := s.ask(t, `{echo(narrow:300) ok:echo(text:"x")}`)
		if got.status != 200 || got.code() != "INVALID_REQUEST" ||
			got.Errors[0].Message != "narrow does not fit its type" || !strings.Contains(got.text, `"details":[{"path":"narrow"`) ||
			got.Data["ok"] == nil || s.log.Len() > 0 {
			t.Errorf("status %d: %s, logged %s", got.status, got.text, &s.log)
		}
	})
	t.Run("truncates a message that quotes the document", func(t *testing.T) {
		got := s.ask(t, `{echo(count:"`+strings.Repeat("é", 4000)+`")}`)
		refused(t, got, 422, domain.CodeInvalidRequest)
		if n := len(got.Errors[0].Message); n > 410 || !strings.HasSuffix(got.Errors[0].Message, "é…") {
			t.Errorf("a message of %d bytes: %.100s", n, got.Errors[0].Message)
		}
	})
}
