package graph_test

import (
	"fmt"
	"io"
	"net/http"
	"net/http/httptest"
	"strings"
	"testing"

	"ticketgate/domain"
	"ticketgate/graph"
)

func TestEndpointTakesOnlyJSONByPOST(t *testing.T) {
	s := serve(t, domain.UserActor)
	const mutation = `{"query":"mutation{createList(name:\"x\"){name}}"}`
	for _, method := range []string{"GET", "HEAD", "OPTIONS", "PUT", "DELETE", "PATCH"} {
		t.Run("refuses "+method+" and names the right method", func(t *testing.T) {
			request, _ := http.NewRequestWithContext(t.Context(), method, s.URL+"?query=mutation{createList{name}}", nil)
			request.Header.Set("Content-Type", "application/json")
			got := s.do(t, request)
			if got.status != http.StatusMethodNotAllowed || got.header.Get("Allow") != "POST" {
				t.Errorf("status %d with Allow %q", got.status, got.header.Get("Allow"))
			}
		})
	}
	for contentType, want := range map[string]int{
		"application/json":                  200,
		"application/json; charset=UTF-8":   200,
		`application/json;charset="utf-8"`:  200,
		"Application/JSON":                  200,
		"application/json; charset=utf-16":  415,
		"application/json; version=1":       200,
		"application/graphql":               415,
		"application/x-www-form-urlencoded": 415,
		"multipart/form-data; boundary=x":   415,
		"text/plain":                        415,
		"application/json, text/plain":      415,
		"":                                  415,
	} {
		t.Run(fmt.Sprintf("responds %d to content type %q", want, contentType), func(t *testing.T) {
			request, _ := http.NewRequestWithContext(t.Context(), http.MethodPost, s.URL, strings.NewReader(mutation))
			request.Header["Content-Type"] = []string{contentType}
			if got := s.do(t, request); got.status != want {
				t.Errorf("status %d: %s", got.status, got.text)
			}
		})
	}
	t.Run("refuses a compressed body and two content types", func(t *testing.T) {
		request, _ := http.NewRequestWithContext(t.Context(), http.MethodPost, s.URL, strings.NewReader(mutation))
		request.Header.Set("Content-Type", "application/json")
		request.Header.Set("Content-Encoding", "gzip")
		refused(t, s.do(t, request), 415, domain.CodeUnsupportedMediaType)
		request, _ = http.NewRequestWithContext(t.Context(), http.MethodPost, s.URL, strings.NewReader(mutation))
		request.Header["Content-Type"] = []string{"application/json", "text/plain"}
		refused(t, s.do(t, request), 415, domain.CodeUnsupportedMediaType)
	})
}

func TestEndpointReadsTheBodyStrictly(t *testing.T) {
	s := serve(t, domain.Nobody)
	for name, row := range map[string]struct{ body, path, message string }{
		"an empty body":     {``, "", "The body is not valid JSON"},
		"a broken body":     {`{"query":"{me{name}}"`, "", "The body is not valid JSON"},
		"a second document": {`{"query":"{me{name}}"} {}`, "", "The body is not valid JSON"},
		"a byte order mark": {"\uFEFF" + `{"query":"{me{name}}"}`, "", "byte order mark"},
		"a batch":           {`[{"query":"{me{name}}"}]`, "", "batches are not supported"},
		"a scalar":          {`"{me{name}}"`, "", "must be a JSON object"},
		"null":              {`null`, "", "must be a JSON object"},
		"a repeated field":  {`{"query":"{me{name}}","query":"{__typename}"}`, "query", "more than once"},
		"a repeated field of a variable": {
			`{"query":"{me{name}}","variables":{"input":{"name":1,"name":2}}}`,
			"variables.input.name", "more than once",
		},
		"a field in another spelling":  {`{"QUERY":"{me{name}}"}`, "QUERY", "is not a known field"},
		"an unknown field":             {`{"query":"{me{name}}","id":1}`, "id", "is not a known field"},
		"a missing query":              {`{"operationName":"x"}`, "query", "is required"},
		"a null query":                 {`{"query":null}`, "query", "must be a string"},
		"a query that is not a string": {`{"query":{}}`, "query", "must be a string"},
		"variables that are a list":    {`{"query":"{me{name}}","variables":[]}`, "variables", "must be an object"},
		"a number for the operation":   {`{"query":"{me{name}}","operationName":7}`, "operationName", "must be a string"},
		"text for extensions":          {`{"query":"{me{name}}","extensions":"x"}`, "extensions", "must be an object"},
		"NUL in a variable":            {`{"query":"{me{name}}","variables":{"input":{"name":"a\u0000"}}}`, "variables.input.name", "NUL"},
		"NUL in an imported document": {
			`{"query":"{me{name}}","variables":{"input":{"tickets":[{"extraFields":{"note":"a\u0000"}}]}}}`,
			"variables.input.tickets[0].extraFields.note", "NUL",
		},
		"half a surrogate pair":      {`{"query":"{me{name}}","variables":{"a":["\ud800"]}}`, "variables.a[0]", "surrogate"},
		"invalid UTF-8":              {"{\"query\":\"{me{name}}\",\"variables\":{\"a\":\"\xff\"}}", "variables.a", "UTF-8"},
		"a number that would change": {`{"query":"{me{name}}","variables":{"n":9007199254740993}}`, "variables.n", ""},
		"a number beyond a double":   {`{"query":"{me{name}}","variables":{"n":1e999}}`, "variables.n", ""},
		"variables nested 9,999 deep": {
			`{"query":"{me{name}}","variables":{"a":` + strings.Repeat("[", 9999) + strings.Repeat("]", 9999) + `}}`,
			"", "nested too deeply",
		},
	} {
		t.Run("refuses "+name, func(t *testing.T) {
			got := s.post(t, row.body)
			refused(t, got, 400, domain.CodeInvalidRequest)
			if len(got.Errors) != 1 || !strings.Contains(got.Errors[0].Message, row.message) {
				t.Fatalf("want the message %q in %s", row.message, got.text)
			}
			details := got.Errors[0].Extensions.Details
			if row.path != "" && (len(details) == 0 || details[0].Path != row.path) {
				t.Errorf("want the path %q in %+v", row.path, details)
			}
			if len(got.text) > 4096 || strings.Contains(got.text, "me{name}") {
				t.Errorf("the response quotes the body in %d bytes: %.300s", len(got.text), got.text)
			}
		})
	}
	t.Run("reports all errors together", func(t *testing.T) {
		got := s.post(t, `{"Query":"","variables":[],"operationName":1}`)
		if n := len(got.Errors[0].Extensions.Details); n != 4 {
			t.Errorf("%d details in %s", n, got.text)
		}
	})
	t.Run("lists the operations to choose from", func(t *testing.T) {
		for _, asked := range []string{"", `,"operationName":""`, `,"operationName":"c"`} {
			got := s.post(t, `{"query":"query a{__typename} query b{__typename}"`+asked+`}`)
			refused(t, got, 422, domain.CodeInvalidRequest)
			if want := "operationName must name one of the document's operations: a, b"; got.Errors[0].Message != want {
				t.Errorf("%s: says %s", asked, got.Errors[0].Message)
			}
		}
	})
	t.Run("accepts null for optional fields", func(t *testing.T) {
		got := s.post(t, `{"query":"{echo(text:\"é\")}","variables":null,"operationName":null,"extensions":null}`)
		if got.status != 200 || got.text != `{"data":{"echo":{"text":"é"}},"extensions":{"cost":{"requested":0,"limit":20000}}}` {
			t.Errorf("status %d: %s", got.status, got.text)
		}
		if got.header.Get("Cache-Control") != "no-store" || got.header.Get("Content-Type") != "application/json; charset=utf-8" {
			t.Errorf("headers %v", got.header)
		}
	})
}

func TestEndpointBoundsTheBody(t *testing.T) {
	const query = `{"query":"{echo(text:\"x\")}"`
	padded := func(head string, size int) string { return head + strings.Repeat(" ", size-len(head)-1) + "}" }
	for _, row := range []struct {
		name   string
		kind   domain.ActorKind
		body   string
		status int
	}{
		{"takes 1 MiB", domain.Nobody, padded(query, 1<<20), 200},
		{"refuses 1 MiB and a byte", domain.Nobody, padded(query, 1<<20+1), 413},
		{"refuses 1 MiB and a byte from a key, once the operation is known", domain.APIKeyActor, padded(query, 1<<20+1), 413},
		{"takes 16 MiB for an import by a key", domain.APIKeyActor, padded(`{"query":"mutation{importTickets}"`, 16<<20), 200},
		{"refuses more than 16 MiB for an import", domain.SystemActor, padded(`{"query":"mutation{importTickets}"`, 16<<20+1), 413},
		{"refuses a large import without a credential", domain.Nobody, padded(`{"query":"mutation{importTickets}"`, 1<<20+1), 413},
		{
			"refuses a large body for an import together with another field", domain.APIKeyActor,
			padded(`{"query":"mutation{importTickets createList{name}}"`, 1<<20+1), 413,
		},
	} {
		t.Run(row.name, func(t *testing.T) {
			if got := serve(t, row.kind).post(t, row.body); got.status != row.status {
				t.Errorf("status %d: %.200s", got.status, got.text)
			}
		})
	}
	t.Run("stops reading a body without end", func(t *testing.T) {
		body := &endless{}
		endpoint := graph.NewEndpoint(newShop(), graph.Options{})
		recorder := httptest.NewRecorder()
		request := httptest.NewRequestWithContext(t.Context(), "POST", "/graphql", body)
		request.Header.Set("Content-Type", "application/json")
		endpoint.ServeHTTP(recorder, request)
		if recorder.Code != 413 || body.read > 1<<20+64<<10 {
			t.Errorf("status %d after %d bytes", recorder.Code, body.read)
		}
	})
	t.Run("reports an incomplete body", func(t *testing.T) {
		endpoint := graph.NewEndpoint(newShop(), graph.Options{})
		recorder := httptest.NewRecorder()
		request := httptest.NewRequestWithContext(t.Context(), "POST", "/graphql", io.MultiReader(strings.NewReader(`{"query"`), broken{}))
		request.Header.Set("Content-Type", "application/json")
		endpoint.ServeHTTP(recorder, request)
		if recorder.Code != 400 || !strings.Contains(recorder.Body.String(), "ended early") {
			t.Errorf("status %d: %s", recorder.Code, recorder.Body)
		}
	})
	t.Run("takes a query of 16 KiB and refuses one byte more", func(t *testing.T) {
		s := serve(t, domain.Nobody)
		if got := s.ask(t, "{me{name}}"+strings.Repeat(" ", 16<<10-10)); got.status != 200 {
			t.Errorf("status %d: %.200s", got.status, got.text)
		}
		refused(t, s.ask(t, "{me{name}}"+strings.Repeat(" ", 16<<10-9)), 413, domain.CodePayloadTooLarge)
	})
}

// endless sends white space without end.
type endless struct{ read int }

func (e *endless) Read(p []byte) (int, error) {
	for i := range p {
		p[i] = ' '
	}
	e.read += len(p)
	return len(p), nil
}

// broken is a closed connection.
type broken struct{}

func (broken) Read([]byte) (int, error) { return 0, io.ErrUnexpectedEOF }

func TestEndpointPreservesValues(t *testing.T) {
	s := serve(t, domain.APIKeyActor)
	got := s.ask(t, `query($n:Float,$c:Int,$d:JSON,$i:EchoInput,$ids:[ID!]){echo(number:$n,count:$c,data:$d,input:$i,ids:$ids)}`,
		`{"n":10.50,"c":1.0,"d":{"big":9007199254740994,"e":1e21,"a":[null,true,"&<>\u2028"]},"i":{"name":"😀"},"ids":["1",2]}`)
	const want = `{"data":{"echo":{"count":1,"data":{"a":[null,true,"\u0026\u003c\u003e\u2028"],"big":9007199254740994,"e":1e+21},` +
		`"ids":["1",2],"input":{"name":"😀"},"number":10.5}},"extensions":{"cost":{"requested":0,"limit":20000}}}`
	if got.text != want {
		t.Errorf("got  %s\nwant %s", got.text, want)
	}
}

func TestRefuseHasAStatusForEveryCode(t *testing.T) {
	endpoint := graph.NewEndpoint(newShop(), graph.Options{Log: discard})
	for _, code := range domain.Codes() {
		recorder := httptest.NewRecorder()
		endpoint.Refuse(recorder, httptest.NewRequestWithContext(t.Context(), "POST", "/", nil), domain.NewError(code, "no"))
		if (recorder.Code == 500) != (code == domain.CodeInternal) || recorder.Code < 400 {
			t.Errorf("%s has the status %d", code, recorder.Code)
		}
	}
	t.Run("sets Retry-After", func(t *testing.T) {
		recorder := httptest.NewRecorder()
		endpoint.Refuse(recorder, httptest.NewRequestWithContext(t.Context(), "POST", "/", nil), domain.RateLimited(1500e6))
		want := `{"errors":[{"message":"Too many requests. Try again later","extensions":{"code":"RATE_LIMITED","retryAfter":2}}]}`
		if recorder.Code != 429 || recorder.Header().Get("Retry-After") != "2" || recorder.Body.String() != want {
			t.Errorf("status %d, %v: %s", recorder.Code, recorder.Header(), recorder.Body)
		}
	})
}
