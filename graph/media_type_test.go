package graph_test

import (
	"net/http"
	"strings"
	"testing"

	"ticketgate/domain"
)

func TestMediaTypeOfAResponse(t *testing.T) {
	const response, plain = "application/graphql-response+json", "application/json"
	s := serve(t, domain.UserActor)
	for _, row := range []struct{ name, accept, want string }{
		{"without Accept", "", plain},
		{"anything", "*/*", plain},
		{"any application", "application/*", plain},
		{"JSON", plain, plain},
		{"HTML alone", "text/html", plain},
		{"the response type", response, response},
		{"in another case", "Application/GraphQL-Response+JSON", response},
		{"with a charset", response + "; charset=utf-8", response},
		{"both, equal", response + ", " + plain, response},
		{"both, equal, JSON first", plain + ", " + response, response},
		{"both, JSON less", response + ", " + plain + ";q=0.9", response},
		{"both, JSON more", response + ";q=0.5, " + plain, plain},
		{"or anything", response + ", */*", response},
		{"less than anything", response + ";q=0.5, */*;q=0.8", plain},
		{"not at all", response + ";q=0, */*", plain},
		{"anything but JSON", plain + ";q=0, */*", response},
		{"together with a stream", response + ", text/event-stream, multipart/mixed", response},
		{"a longer name", response + "-x", plain},
	} {
		t.Run(row.name, func(t *testing.T) {
			for _, document := range []struct {
				name, query, variables string
				response, plain        int
			}{
				{"executed", `{__typename}`, "{}", 200, 200},
				{"not parsed", `{`, "{}", 400, 422},
				{"not valid", `{nothing}`, "{}", 400, 422},
				{"not coerced", `query($c:Int){echo(count:$c)}`, `{"c":"x"}`, 400, 422},
				{"a variable missing", `query($c:Int!){echo(count:$c)}`, `{}`, 400, 422},
				{"no operation with the name", `query a{__typename} query b{__typename}`, `{}`, 400, 422},
				{"too deep", "{me{friends{friends{friends{friends{friends{friends{friends{friends{friends{friends{friends{name}}}}}}}}}}}}}", "{}", 400, 422},
				{"no request", "", "{}", 400, 0},
			} {
				body := `{"query":` + string(quoted(document.query)) + `,"variables":` + document.variables + `}`
				status := map[string]int{response: document.response, plain: document.plain}[row.want]
				if document.query == "" {
					body, status = "[]", http.StatusBadRequest
				}
				request, _ := http.NewRequestWithContext(t.Context(), http.MethodPost, s.URL, strings.NewReader(body))
				request.Header.Set("Content-Type", "application/json")
				if row.accept != "" {
					request.Header.Set("Accept", row.accept)
				}
				got := s.do(t, request)
				if got.status != status || got.header.Get("Content-Type") != row.want+"; charset=utf-8" {
					t.Errorf("%s: %d %s, want %d %s", document.name, got.status, got.header.Get("Content-Type"), status, row.want)
				}
				if executed := strings.Contains(got.text, `"data":`); executed != (status == http.StatusOK) {
					t.Errorf("%s: %s", document.name, got.text)
				}
			}
		})
	}
}

func TestRefusalBeforeTheDocumentKeepsItsStatus(t *testing.T) {
	s := serve(t, domain.APIKeyActor)
	for _, accept := range []string{"application/json", "application/graphql-response+json"} {
		for _, row := range []struct {
			method, contentType, body string
			want                      int
		}{
			{http.MethodGet, "application/json", "", http.StatusMethodNotAllowed},
			{http.MethodHead, "application/json", "", http.StatusMethodNotAllowed},
			{http.MethodPost, "text/plain", "{}", http.StatusUnsupportedMediaType},
			{http.MethodPost, "application/json; foo=bar", `{"query":"{__typename}"}`, http.StatusOK},
			{http.MethodPost, "application/json", `{"query":"{__typename}` + strings.Repeat(" ", 1<<20) + `"}`, http.StatusRequestEntityTooLarge},
		} {
			request, _ := http.NewRequestWithContext(t.Context(), row.method, s.URL, strings.NewReader(row.body))
			request.Header.Set("Content-Type", row.contentType)
			request.Header.Set("Accept", accept)
			got := s.do(t, request)
			if got.status != row.want || got.header.Get("Content-Type") != accept+"; charset=utf-8" {
				t.Errorf("%s as %s: %d %s, want %d", row.method, accept, got.status, got.header.Get("Content-Type"), row.want)
			}
		}
	}
}
