package graph_test

import (
	"net/http/httptest"
	"strings"
	"testing"

	"ticketgate/domain"
	"ticketgate/graph"
)

// FuzzEndpoint sends arbitrary bodies. No response may be an internal error, and every error must have a code.
func FuzzEndpoint(f *testing.F) {
	for _, attack := range attacks() {
		if len(attack.query) < 2000 {
			f.Add(attack.query, `{"n":1}`)
		}
	}
	f.Add(graphiQL, `{}`)
	f.Add(`query($n:Float=1.5,$i:EchoInput,$m:Mode,$ids:[ID!],$d:JSON){echo(number:$n,input:$i,mode:$m,ids:$ids,data:[$d,{a:1e3}])}`,
		`{"n":1e21,"i":{"name":"x","inner":{"name":"y","size":3}},"m":"LIVE","ids":["a",1],"d":{"k":[1.5,null]}}`)
	f.Add(`query($b:Boolean=true){me@skip(if:$b){_id}}`, `{"b":null}`)
	f.Add(`query($ids:[ID!]){echo(ids:$ids,text:"\ud83d\ude00 \u0000",narrow:300)}`, `{"ids":{"a":[1]}}`)
	endpoint := graph.NewEndpoint(newShop(), graph.Options{Log: discard})
	f.Fuzz(func(t *testing.T, query, variables string) {
		body := append([]byte(`{"query":`), quoted(query)...)
		body = append(append(append(body, `,"variables":`...), variables...), '}')
		request := httptest.NewRequestWithContext(t.Context(), "POST", "/graphql", strings.NewReader(string(body)))
		request.Header.Set("Content-Type", "application/json")
		recorder := httptest.NewRecorder()
		request = request.WithContext(domain.WithActor(request.Context(), &domain.Actor{Kind: domain.UserActor}))
		endpoint.ServeHTTP(recorder, request)
		answered := recorder.Body.String()
		hidden := strings.Contains(answered, `"code":"INTERNAL"`) && !strings.Contains(query, "fail")
		if recorder.Code >= 500 || hidden || (recorder.Code != 200 && !strings.Contains(answered, `"code":"`)) {
			t.Errorf("status %d: %.300s for %.300q", recorder.Code, answered, body)
		}
	})
}
