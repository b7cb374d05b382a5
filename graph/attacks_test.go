package graph_test

import (
	"fmt"
	"net/http"
	"runtime"
	"strings"
	"sync"
	"testing"
	"time"

	"ticketgate/domain"
)

// attack is a document designed to be expensive for the server (GRAPH-22).
type attack struct {
	name, query string
	// status is the expected status. limit is the maximum processor time.
	status int
	limit  time.Duration
}

// chained fragments spread each other twice, which makes 2^n fields if they are counted one by one.
func chained(n int) string {
	var query strings.Builder
	query.WriteString("{me{...f0}}")
	for i := range n {
		fmt.Fprintf(&query, "fragment f%d on Seller{...f%d ...f%d}", i, i+1, i+1)
	}
	fmt.Fprintf(&query, "fragment f%d on Seller{seller{seller{_id}}}", n)
	return query.String()
}

// paged fragments multiply at each step as well.
func paged(n int) string {
	var query strings.Builder
	query.WriteString("{me{...f0}}")
	for i := range n {
		fmt.Fprintf(&query, "fragment f%d on Seller{a:seller{...f%d} b:seller{...f%d} lists(first:1000){nodes{seller{...f%d}}}}",
			i, i+1, i+1, i+1)
	}
	fmt.Fprintf(&query, "fragment f%d on Seller{_id}", n)
	return query.String()
}

// overlapping selects the same field repeatedly, each time with its own fragment, for the rule that compares every pair.
func overlapping(n int) string {
	var query strings.Builder
	query.WriteString("{")
	for i := range n {
		fmt.Fprintf(&query, "me{...f%d}", i)
	}
	query.WriteString("}")
	for i := range n {
		fmt.Fprintf(&query, "fragment f%d on Seller{_id name}", i)
	}
	return query.String()
}

func attacks() []attack {
	repeat := strings.Repeat
	const slow, usual = 250 * time.Millisecond, 50 * time.Millisecond
	return []attack{
		{"10 chained fragments", chained(10), 200, usual},
		{"25 chained fragments", chained(25), 422, usual},
		{"40 chained fragments", chained(40), 422, usual},
		{"60 chained fragments", chained(60), 422, slow},
		{"300 chained fragments", chained(300), 422, usual},
		{"20 chained fragments with pages", paged(20), 422, usual},
		{"a field 500 times", "{me{" + repeat("_id ", 500) + "}}", 200, slow},
		{"a field 990 times", "{me{" + repeat("_id ", 990) + "}}", 200, slow},
		{"a field 5,000 times", "{me{" + repeat("_id ", 5000) + "}}", 413, usual},
		{"a field 4,000 times", "{me{" + repeat("_id ", 4000) + "}}", 422, usual},
		{"an object 240 times", "{" + repeat("me{name}", 240) + "}", 200, slow},
		{"an object 80 times with three levels", "{" + repeat("me{seller{seller{_id}}}", 80) + "}", 200, slow},
		{"fragments that overlap", overlapping(70), 200, slow},
		{"nesting of 1,001", nested(1001), 422, usual},
		{"nesting of lists in a value", "{echo(data:" + repeat("[", 900) + repeat("]", 90) + ")}", 422, usual},
		{"a page of 1,000 in a page of 1,000", `{lists(first:1000){nodes{lists(first:1000){nodes{_id}}}}}`, 422, usual},
		{"160 aliases", "{" + aliased(160, "me{_id}") + "}", 422, slow},
		{"1,000 aliases", "{" + aliased(1000, "me{_id}") + "}", 422, usual},
		{"110 aliases of the schema", "{" + aliased(110, "__schema{types{name}}") + "}", 422, usual},
		{"@skip 5,000 times", "{me{_id " + repeat("@skip(if:true)", 1000) + "}}", 422, usual},
		{"@skip on everything", "{me{" + repeat("_id@skip(if:true)", 120) + "}}", 200, usual},
		{"300 unknown directives", "{me{_id " + repeat("@x", 300) + "}}", 422, usual},
		{"100,000 unknown directives", "{me{_id " + repeat("@x", 100000) + "}}", 413, usual},
		{"300 unknown fields", "{me{" + unknown(300) + "}}", 422, slow},
		{"a cycle of fragments", "{me{...a}} fragment a on Seller{...b} fragment b on Seller{...a}", 422, usual},
		{"a fragment that spreads itself", "{me{...a}} fragment a on Seller{seller{...a}}", 422, usual},
		{"100 unused fragments", "{me{_id}}" + unused(100), 422, usual},
		{"an undefined fragment", "{me{...nope}}", 422, usual},
		{"16,000 comments", "{me{_id}}" + repeat("#\n", 8000), 422, usual},
	}
}

func aliased(n int, field string) string {
	var query strings.Builder
	for i := range n {
		fmt.Fprintf(&query, "a%d:%s ", i, field)
	}
	return query.String()
}

func unknown(n int) string {
	var query strings.Builder
	for i := range n {
		fmt.Fprintf(&query, "u%d ", i)
	}
	return query.String()
}

func unused(n int) string {
	var query strings.Builder
	for i := range n {
		fmt.Fprintf(&query, "fragment u%d on Seller{_id}", i)
	}
	return query.String()
}

func TestAttacksAreCheap(t *testing.T) {
	for _, kind := range []domain.ActorKind{domain.Nobody, domain.UserActor} {
		s := serve(t, kind)
		s.ask(t, "{me{_id}}")
		for _, attack := range attacks() {
			t.Run(fmt.Sprintf("%s by kind %d", attack.name, kind), func(t *testing.T) {
				runtime.GC()
				before := processorTime(t)
				got := s.ask(t, attack.query)
				used := processorTime(t) - before
				t.Logf("%d in %v, %d bytes back for %d", got.status, used, len(got.text), len(attack.query))
				if got.status != attack.status {
					t.Errorf("status %d: %.300s", got.status, got.text)
				}
				if got.status != 200 && len(got.text) > 4096 {
					t.Errorf("a response of %d bytes: %.300s", len(got.text), got.text)
				}
				if used > attack.limit && !raceDetector {
					t.Errorf("took %v, at most %v is allowed", used, attack.limit)
				}
			})
		}
		if s.log.Len() > 0 {
			t.Errorf("an attack caused an internal error: %s", &s.log)
		}
	}
}

func TestErrorsAreCounted(t *testing.T) {
	got := serve(t, domain.Nobody).ask(t, "{me{"+unknown(300)+"}}")
	if len(got.Errors) != 20 || got.Extensions.OmittedErrors != 280 {
		t.Errorf("%d errors, %d omitted", len(got.Errors), got.Extensions.OmittedErrors)
	}
	executed := serve(t, domain.Nobody).ask(t, "{"+aliased(25, `fail(how:"invalid")`)+"}")
	if executed.status != 200 || len(executed.Errors) != 20 || executed.Extensions.OmittedErrors != 5 || len(executed.Data) != 25 {
		t.Errorf("status %d: %d errors, %d omitted, %d fields", executed.status, len(executed.Errors),
			executed.Extensions.OmittedErrors, len(executed.Data))
	}
}

func TestHugeVariables(t *testing.T) {
	s := serve(t, domain.APIKeyActor)
	const query = `{"query":"query($d:JSON,$t:String,$c:Int,$ids:[ID!]){echo(data:$d,text:$t,count:$c,ids:$ids)}","variables":`
	for name, row := range map[string]struct {
		variables string
		status    int
	}{
		"a string of a megabyte":          {`{"t":"` + strings.Repeat("x", 1e6) + `"}`, 200},
		"a list of 100,000":               {`{"ids":[` + strings.Repeat("1,", 99_999) + `1]}`, 200},
		"a list of 100,000 invalid":       {`{"ids":[` + strings.Repeat("true,", 99_999) + `1]}`, 422},
		"60,000 variables":                {`{` + fieldsOf(60_000) + `"t":"x"}`, 200},
		"a value 33 levels deep":          {`{"d":` + strings.Repeat("[", 33) + strings.Repeat("]", 33) + `}`, 400},
		"the smallest integer":            {`{"c":-9007199254740991}`, 200},
		"a negative integer":              {`{"c":-1}`, 200},
		"2^63":                            {`{"c":9223372036854775808}`, 400},
		"an infinite number":              {`{"d":1e999}`, 400},
		"half a surrogate pair in a name": {`{"d":{"\ud800":1}}`, 400},
		"NUL in a name":                   {`{"d":{"a\u0000":1}}`, 400},
		"a field in another case":         {`{"T":"x"}`, 200},
	} {
		t.Run(name, func(t *testing.T) {
			if got := s.post(t, query+row.variables+"}"); got.status != row.status || (row.status != 200 && len(got.text) > 8192) {
				t.Errorf("status %d with %d bytes: %.300s", got.status, len(got.text), got.text)
			}
		})
	}
	if s.log.Len() > 0 {
		t.Errorf("an internal error: %s", &s.log)
	}
}

func fieldsOf(n int) string {
	var text strings.Builder
	for i := range n {
		fmt.Fprintf(&text, `"v%d":1,`, i)
	}
	return text.String()
}

func TestUpgradesAreNotServed(t *testing.T) {
	s := serve(t, domain.UserActor)
	request, _ := http.NewRequestWithContext(t.Context(), http.MethodGet, s.URL, nil)
	request.Header.Set("Connection", "Upgrade")
	request.Header.Set("Upgrade", "websocket")
	refused(t, s.do(t, request), http.StatusMethodNotAllowed, domain.CodeMethodNotAllowed)
}

func TestPersistedQueriesAreOff(t *testing.T) {
	s := serve(t, domain.UserActor)
	s.ask(t, "{me{_id}}")
	got := s.post(t, `{"extensions":{"persistedQuery":{"version":1,"sha256Hash":"0123"}}}`)
	refused(t, got, 400, domain.CodeInvalidRequest)
}

func TestOneDocumentServesManyCallers(t *testing.T) {
	s := serve(t, domain.UserActor)
	var callers sync.WaitGroup
	for i := range 8 {
		callers.Go(func() {
			for n := range 20 {
				got := s.ask(t, `query($n:Int){lists(first:$n){nodes{...f}}} fragment f on List{_id}`, fmt.Sprintf(`{"n":%d}`, i*20+n))
				if want := int64(i*20 + n + 1); got.Extensions.Cost.Requested != want {
					t.Errorf("cost %d, want %d", got.Extensions.Cost.Requested, want)
				}
			}
		})
	}
	callers.Wait()
}
