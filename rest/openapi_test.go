package rest

import (
	"encoding/json"
	"maps"
	"net/http"
	"net/http/httptest"
	"regexp"
	"slices"
	"strconv"
	"strings"
	"testing"

	"github.com/goccy/go-yaml"

	"ticketgate/domain"
	"ticketgate/domain/access"
	"ticketgate/domain/domaintest"
	"ticketgate/domain/webhook"
	"ticketgate/graph/edge"
)

// These types are the parts of an OpenAPI document that the tests use.
type (
	documentedSchema struct {
		Ref        string                      `json:"$ref"`
		Properties map[string]documentedSchema `json:"properties"`
		Required   []string                    `json:"required"`
		Enum       []string                    `json:"enum"`
		Const      any                         `json:"const"`
	}
	documentedContent map[string]struct {
		Schema documentedSchema `json:"schema"`
	}
	documentedOperation struct {
		OperationID string                `json:"operationId"`
		Security    []map[string][]string `json:"security"`
		RequestBody *struct {
			Content documentedContent `json:"content"`
		} `json:"requestBody"`
		Responses map[string]struct {
			Ref string `json:"$ref"`
		} `json:"responses"`
	}
	documentedAPI struct {
		Paths      map[string]map[string]json.RawMessage `json:"paths"`
		Components struct {
			Schemas   map[string]documentedSchema `json:"schemas"`
			Responses map[string]struct {
				Description string `json:"description"`
				Headers     map[string]struct {
					Required bool `json:"required"`
				} `json:"headers"`
				Content documentedContent `json:"content"`
			} `json:"responses"`
		} `json:"components"`
	}
)

func servedDocument(t *testing.T) documentedAPI {
	t.Helper()
	recorder := httptest.NewRecorder()
	serveOpenAPI(recorder, httptest.NewRequestWithContext(t.Context(), http.MethodGet, "/api/openapi.json", nil))
	var document documentedAPI
	if err := json.Unmarshal(recorder.Body.Bytes(), &document); err != nil {
		t.Fatal(err)
	}
	return document
}

// operations returns the documented operations by method and path, such as "GET /api/keys".
func (d documentedAPI) operations(t *testing.T) map[string]documentedOperation {
	t.Helper()
	all := map[string]documentedOperation{}
	for path, item := range d.Paths {
		for method, raw := range item {
			if method == "parameters" {
				continue
			}
			var operation documentedOperation
			if err := json.Unmarshal(raw, &operation); err != nil {
				t.Fatal(err)
			}
			all[strings.ToUpper(method)+" "+path] = operation
		}
	}
	return all
}

func TestServeOpenAPI(t *testing.T) {
	t.Parallel()
	ask := func(tag string) *httptest.ResponseRecorder {
		request := httptest.NewRequestWithContext(t.Context(), http.MethodGet, "/api/openapi.json", nil)
		request.Header.Set("If-None-Match", tag)
		recorder := httptest.NewRecorder()
		serveOpenAPI(recorder, request)
		return recorder
	}
	first := ask("")
	tag := first.Header().Get("ETag")
	if first.Code != http.StatusOK || first.Header().Get("Content-Type") != "application/json" || len(tag) != 66 {
		t.Fatalf("got %d, %v", first.Code, first.Header())
	}
	for name, test := range map[string]struct {
		tag  string
		want int
	}{
		"304 for its tag":              {tag, http.StatusNotModified},
		"304 for its tag among others": {`"other", W/` + tag, http.StatusNotModified},
		"the document for another tag": {`"` + strings.Repeat("0", 64) + `"`, http.StatusOK},
	} {
		t.Run(name, func(t *testing.T) {
			t.Parallel()
			if got := ask(test.tag); got.Code != test.want || got.Header().Get("ETag") != tag {
				t.Errorf("got %d, %v", got.Code, got.Header())
			}
		})
	}
}

func TestTheServedDocumentEqualsTheSource(t *testing.T) {
	t.Parallel()
	var written any
	if err := yaml.Unmarshal(openAPISource(), &written); err != nil {
		t.Fatal(err)
	}
	raw, err := json.Marshal(written)
	if err != nil {
		t.Fatal(err)
	}
	var want, got any
	if err := json.Unmarshal(raw, &want); err != nil {
		t.Fatal(err)
	}
	if err := json.Unmarshal(openAPI().body, &got); err != nil {
		t.Fatal(err)
	}
	domaintest.Equal(t, "the document as JSON", got, want)
	if !strings.HasPrefix(string(openAPI().body), `{"openapi":"3.1.0","info":{"title":`) {
		t.Errorf("fields are not in the order of the source: %.60s", openAPI().body)
	}
}

func TestNewOpenAPIDocumentRefusesBrokenYAML(t *testing.T) {
	t.Parallel()
	if _, err := newOpenAPIDocument([]byte("paths: {/x: [}")); err == nil {
		t.Error("accepted")
	}
}

// secondPaths lists second paths of an operation. Operation ids are unique, so these have different ones.
var secondPaths = map[string]string{
	"POST /api/webhook":                      "createWebhookSingular",
	"GET /api/accessusers/{eventId}/tickets": "accessUserTicketsOfEvent",
}

func TestRoutesAndDocumentedPathsMatch(t *testing.T) {
	t.Parallel()
	documented := servedDocument(t).operations(t)
	delete(documented, "GET /api/openapi.json") // served outside the table
	for _, route := range Routes() {
		name := route.Method + " " + route.Path
		operation, ok := documented[name]
		if !ok {
			t.Errorf("%s is not documented", name)
			continue
		}
		want := string(route.Operation)
		if second, ok := secondPaths[name]; ok {
			want = second
		}
		if operation.OperationID != want {
			t.Errorf("%s: operationId is %q, want %q", name, operation.OperationID, want)
		}
		delete(documented, name)
	}
	for name := range documented {
		t.Errorf("%s is documented and has no route", name)
	}
}

func TestTheDocumentNamesTheCallers(t *testing.T) {
	t.Parallel()
	documented, rules := servedDocument(t).operations(t), domain.Operations()
	for _, route := range Routes() {
		name := route.Method + " " + route.Path
		got := map[string][]string{}
		for _, alternative := range documented[name].Security {
			maps.Copy(got, alternative)
		}
		domaintest.Equal(t, "security of "+name, got, callers(rules[route.Operation]))
	}
}

// callers returns a rule of the table of operations in the form of the document.
func callers(rule domain.Rule) map[string][]string {
	schemes := map[string][]string{}
	if rule.AnyKey {
		schemes["apiKey"] = []string{}
	}
	if rule.Permission != "" {
		schemes["apiKey"] = []string{string(rule.Permission)}
	}
	if rule.OrganizationKey {
		schemes["organizationKey"] = []string{}
	}
	if rule.Role != domain.NoRole {
		schemes["session"] = []string{rule.Role.String()}
	}
	if rule.System {
		schemes["systemToken"] = []string{}
	}
	if rule.Device {
		schemes["deviceToken"] = []string{}
	}
	if rule.Buyer {
		schemes["checkoutSecret"] = []string{}
	}
	return schemes
}

// conflicting lists the operations that a record's state may refuse.
var conflicting = []domain.Operation{
	domain.RetryDelivery, domain.CreateEntry, domain.DeleteScanGroup, domain.ScanTicket, domain.AnnulScan, domain.PreviewEntryImport, domain.CommitEntryImport, domain.CancelEntryImport,
	domain.UndoEntryImport, domain.PairDevice, domain.SubmitDetails, domain.AbortCheckout, domain.CompleteCheckout, domain.CreateWebhook,
	domain.SendTestEvent,
}

func TestEveryStatusIsDocumented(t *testing.T) {
	t.Parallel()
	documented := servedDocument(t).operations(t)
	for _, route := range Routes() {
		name := route.Method + " " + route.Path
		// 404 is also for the seller named in x-seller-id, 400 also for a missing seller.
		want := []int{route.Status, 400, 401, 403, 404, 429, 500, 503} // 429: calls are rate-limited (LIMIT-15)
		if documented[name].RequestBody != nil {
			want = append(want, 413, 415)
		}
		if route.Operation == domain.PreviewEntryImport { // a file has no limit and is not read twice
			want = slices.DeleteFunc(want, func(status int) bool { return status == 413 })
		} else if route.Method == http.MethodPost {
			want = append(want, 413, 422) // with an Idempotency-Key the body is read
		}
		if slices.Contains(conflicting, route.Operation) {
			want = append(want, 409)
		}
		if route.Method == http.MethodPut || route.Method == http.MethodDelete { // If-Match
			want = append(want, 412)
		}
		if route.Operation == domain.ListDeviceFeed { // the feed may have expired
			want = append(want, 410)
		}
		slices.Sort(want)
		want = slices.Compact(want)
		var got []int
		for text, response := range documented[name].Responses {
			status, err := strconv.Atoi(text)
			if err != nil {
				t.Fatal(err)
			}
			got = append(got, status)
			phrase := strings.ReplaceAll(http.StatusText(status), " ", "")
			if status == http.StatusRequestEntityTooLarge {
				phrase = "PayloadTooLarge"
			}
			if status == http.StatusUnsupportedMediaType && route.Operation == domain.PreviewEntryImport {
				phrase = "UnsupportedFile"
			}
			if status >= 400 && response.Ref != "#/components/responses/"+phrase {
				t.Errorf("%s: %d is %s", name, status, response.Ref)
			}
		}
		slices.Sort(got)
		if !slices.Equal(got, want) {
			t.Errorf("%s: documented %v, want %v", name, got, want)
		}
	}
}

// The description of 415 names exactly the types that the operation accepts.
func TestARefusedMediaTypeNamesTheAcceptedTypes(t *testing.T) {
	t.Parallel()
	document := servedDocument(t)
	media := regexp.MustCompile("`((?:application|text)/[^`]+)`")
	for name, operation := range document.operations(t) {
		if operation.RequestBody == nil {
			continue
		}
		var named []string
		response := strings.TrimPrefix(operation.Responses["415"].Ref, "#/components/responses/")
		for _, found := range media.FindAllStringSubmatch(document.Components.Responses[response].Description, -1) {
			named = append(named, found[1])
		}
		slices.Sort(named)
		if taken := slices.Sorted(maps.Keys(operation.RequestBody.Content)); !slices.Equal(named, taken) {
			t.Errorf("%s accepts %v, but its 415 names %v", name, taken, named)
		}
	}
}

// bodiless lists the last words of POST paths without a body.
var bodiless = []string{"retry", "undo", "scan", "annul", "token", "pairing-code", "complete"}

func TestMethodsWithBodyHaveADocumentedBody(t *testing.T) {
	t.Parallel()
	for name, operation := range servedDocument(t).operations(t) {
		method, path, _ := strings.Cut(name, " ")
		last := path[strings.LastIndex(path, "/")+1:]
		want := (method == http.MethodPost || method == http.MethodPut) && !slices.Contains(bodiless, last)
		if got := operation.RequestBody != nil; got != want {
			t.Errorf("%s: has a body is %v, want %v", name, got, want)
		}
	}
}

func TestErrorResponsesNameTheirCodes(t *testing.T) {
	t.Parallel()
	document := servedDocument(t)
	for name, response := range document.Components.Responses {
		members := response.Content["application/json"].Schema.Properties
		status, _ := members["statusCode"].Const.(float64)
		if members["error"].Const != http.StatusText(int(status)) {
			t.Errorf("%s: %v is not the phrase of %v", name, members["error"].Const, status)
		}
		var want []string
		for _, code := range shownCodes() {
			if edge.StatusOf(domain.Code(code)) == int(status) {
				want = append(want, code)
			}
		}
		if !slices.Equal(members["code"].Enum, want) {
			t.Errorf("%s: codes are %q, want %q", name, members["code"].Enum, want)
		}
	}
}

// Every response that asks the client to wait has Retry-After.
func TestTemporaryRefusalsHaveRetryAfter(t *testing.T) {
	t.Parallel()
	waits := []string{"ServiceUnavailable", "TooManyRequests"}
	for name, response := range servedDocument(t).Components.Responses {
		if got := response.Headers["retry-after"].Required; got != slices.Contains(waits, name) {
			t.Errorf("%s: retry-after is documented %v", name, got)
		}
	}
}

func TestTablesAreDocumentedWhole(t *testing.T) {
	t.Parallel()
	schemas := servedDocument(t).Components.Schemas
	kinds := domain.EventKinds()
	types, data := make([]string, 0, len(kinds)), make([]string, 0, 2*len(kinds))
	for _, kind := range kinds {
		types = append(types, string(kind.Type))
		data = append(data, kind.Data...)
	}
	slices.Sort(data)
	for name, test := range map[string]struct{ got, want []string }{
		"permissions":         {schemas["Permission"].Enum, namesOf(domain.Permissions())},
		"error codes":         {schemas["ErrorCode"].Enum, shownCodes()},
		"access list types":   {schemas["AccessListType"].Enum, namesOf(access.ListTypes())},
		"delivery states":     {schemas["DeliveryState"].Enum, namesOf(webhook.States())},
		"event types":         {schemas["EventType"].Enum, types},
		"selectable types":    {sorted(schemas["EventSelection"].Properties), slices.Sorted(slices.Values(types))},
		"types in a response": {schemas["CompleteEventSelection"].Required, types},
		"fields of the data":  {sorted(schemas["EventData"].Properties), slices.Compact(data)},
	} {
		t.Run(name, func(t *testing.T) {
			t.Parallel()
			if !slices.Equal(test.got, test.want) {
				t.Errorf("got  %q\nwant %q", test.got, test.want)
			}
		})
	}
}

// shownCodes returns the codes that callers may see.
func shownCodes() []string {
	return slices.DeleteFunc(namesOf(domain.Codes()), func(code string) bool { return code == string(domain.CodeAnsweredBefore) })
}

func compare(t *testing.T, schema documentedSchema, members, required []string) {
	t.Helper()
	slices.Sort(members)
	if got := sorted(schema.Properties); !slices.Equal(got, members) {
		t.Errorf("fields\ngot  %q\nwant %q", got, members)
	}
	slices.Sort(required)
	if got := slices.Sorted(slices.Values(schema.Required)); !slices.Equal(got, required) {
		t.Errorf("required fields\ngot  %q\nwant %q", got, required)
	}
}

func sorted[T any](named map[string]T) []string { return slices.Sorted(maps.Keys(named)) }

func namesOf[T ~string](words []T) []string {
	all := make([]string, len(words))
	for i, word := range words {
		all[i] = string(word)
	}
	return all
}
