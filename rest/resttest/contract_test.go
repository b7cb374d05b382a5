package resttest_test

import (
	"encoding/json"
	"maps"
	"net/http"
	"net/http/httptest"
	"os"
	"strings"
	"testing"

	"ticketgate/domain"
	"ticketgate/rest/resttest"
)

const (
	secretKey    = "key_000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000"
	sessionToken = "sess_000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000"
	systemToken  = "0123456789 system token 0123456789"
)

func contract(t *testing.T) *resttest.Contract {
	t.Helper()
	parsed, err := resttest.ParseContract(document(t))
	if err != nil {
		t.Fatal(err)
	}
	return parsed
}

// document returns the source of the OpenAPI document.
func document(t *testing.T) []byte {
	t.Helper()
	var source []byte
	for _, file := range []string{"../openapi.yaml", "../openapi_schemas.yaml"} {
		text, err := os.ReadFile(file)
		if err != nil {
			t.Fatal(err)
		}
		source = append(source, text...)
	}
	return source
}

// object is a JSON object under construction.
type object map[string]any

func (o object) with(name string, value any) object {
	changed := maps.Clone(o)
	changed[name] = value
	return changed
}

func (o object) without(name string) object {
	changed := maps.Clone(o)
	delete(changed, name)
	return changed
}

var (
	apiKey = object{
		"_id": "0123456789abcdef01234567", "name": "gate", "createdAt": "2026-01-01T00:00:00.000Z",
		"updatedAt": "2026-01-01T00:00:00.120Z", "active": true, "sellerId": "s1",
		"createdBy": object{"type": "USER", "id": "u1"}, "expiresAt": nil, "version": 1, "fullSellerAccess": false,
		"permissions": []string{"webhooks:list"}, "hint": "key_0000…0000",
	}
	delivery = object{
		"id": "00000000-0000-7000-8000-000000000000", "sellerId": "s1", "webhookId": "0123456789abcdef01234567",
		"eventId": "00000000-0000-7000-8000-000000000001", "type": "ticket.created", "state": "pending",
		"paused": false, "attemptCount": 1, "scheduledCount": 1, "retryRequested": false, "createdAt": "2026-01-01T00:00:00.000Z",
		"updatedAt": "2026-01-01T00:00:00.000Z", "nextAttemptAt": "2026-01-01T00:00:30.000Z",
	}
	webhook = object{
		"_id": "0123456789abcdef01234567", "sellerId": "s1", "name": "gate", "url": "https://listener.invalid/",
		"enabled": true, "events": allEvents(), "createdBy": object{"type": "API_KEY", "id": "k1"},
		"createdAt": "2026-01-01T00:00:00.000Z", "updatedAt": "2026-01-01T00:00:00.000Z",
	}
	attempt = object{
		"number": 1, "byHand": false, "url": "https://listener.invalid/", "startedAt": "2026-01-01T00:00:00.000Z",
		"durationMs": 12, "status": 503, "responseBody": "", "responseBodyTruncated": false,
	}
	unavailable = object{
		"statusCode": 503, "error": "Service Unavailable", "message": "Try again", "code": "UNAVAILABLE",
		"requestId": "0123456789abcdef",
	}
	notFound = object{
		"statusCode": 404, "error": "Not Found", "message": "API key not found", "code": "NOT_FOUND",
		"requestId": "0123456789abcdef",
	}
)

func allEvents() object {
	events := object{}
	for _, kind := range domain.EventKinds() {
		events[string(kind.Type)] = false
	}
	return events
}

// exchange is a request and its response. The request is a method, a path and optionally a body. It is sent without a
// credential if token is empty. header overrides headers of the response.
type exchange struct {
	token, request string
	status         int
	answer         any
	header         map[string]string
}

func answered(token, request string, status int, answer any) exchange {
	return exchange{token: token, request: request, status: status, answer: answer}
}

func (e exchange) having(name, value string) exchange {
	e.header = map[string]string{name: value}
	return e
}

func check(t *testing.T, c *resttest.Contract, e exchange) error {
	t.Helper()
	method, rest, _ := strings.Cut(e.request, " ")
	path, body, _ := strings.Cut(rest, " ")
	request := httptest.NewRequestWithContext(t.Context(), method, path, strings.NewReader(body))
	if e.token != "" {
		request.Header.Set("Authorization", "Bearer "+e.token)
	}
	if body != "" {
		request.Header.Set("Content-Type", "application/json")
	}
	header := http.Header{}
	header.Set("Content-Type", "application/json; charset=utf-8")
	header.Set("X-Request-ID", "0123456789abcdef")
	header.Set("ETag", `"2026-11-27T20:37:00.120Z"`)
	for name, value := range e.header {
		header.Set(name, value)
		if value == "" {
			header.Del(name)
		}
	}
	return c.Check(request, []byte(body), resttest.Answer{Status: e.status, Header: header, Body: []byte(encode(t, e.answer))})
}

func TestContractAcceptsDocumentedExchanges(t *testing.T) {
	t.Parallel()
	c := contract(t)
	const read = "GET /api/keys/0123"
	organizationKey := apiKey.with("orgId", "o1").without("sellerId").without("fullSellerAccess").without("permissions")
	nulls := `{"name":"gate","orgId":null,"expiresAt":null,"permissions":null,"fullSellerAccess":null,"active":null}`
	hook := `{"name":"gate","url":"https://listener.invalid/?a=b","events":{"ticket.created":true},"hmacKey":""}`
	created := apiKey.with("key", secretKey)
	for name, e := range map[string]exchange{
		"a seller's key":                 answered(sessionToken, read, 200, apiKey),
		"an organization's key":          answered(sessionToken, read, 200, organizationKey),
		"a key that expires":             answered(sessionToken, read, 200, apiKey.with("expiresAt", "2027-01-01T00:00:00.000Z")),
		"a key with its secret":          answered(sessionToken, `POST /api/keys {"name":"gate"}`, 201, created),
		"the platform's own token":       answered(systemToken, `POST /api/keys {"name":"gate"}`, 201, created),
		"repeated and trailing slashes":  answered(sessionToken, "GET //api//keys/", 200, []any{apiKey}),
		"null for optional fields":       answered(sessionToken, "POST /api/keys "+nulls, 201, created),
		"an expiry in milliseconds":      answered(sessionToken, `PUT /api/keys/0123 {"expiresAt":1767225600000}`, 200, apiKey),
		"a whole record sent back":       answered(sessionToken, "PUT /api/keys/0123 "+encode(t, apiKey), 200, apiKey),
		"a PUT without body":             answered(sessionToken, "PUT /api/keys/0123", 200, apiKey),
		"an organization's default key":  answered(secretKey, `POST /api/keys/default {"sellerId":"s1"}`, 200, created),
		"a webhook by the singular path": answered(secretKey, "POST /api/webhook "+hook, 201, webhook),
		"an empty filter": answered(secretKey, "GET /api/webhooks/0123/deliveries?state=&top=1", 200,
			object{"docs": []any{delivery}, "total": 1}),
		"a delivery with attempts": answered(secretKey, "GET /api/webhook-deliveries/0", 200,
			delivery.with("payload", "{}").with("attempts", []any{attempt, attempt.without("status").with("failure", "timeout")})),
		"a retry with a body":            answered(secretKey, "POST /api/webhook-deliveries/0/retry {}", 202, delivery),
		"an error":                       answered(sessionToken, read, 404, notFound),
		"a refused request":              answered(secretKey, `POST /api/keys {"nme":1}`, 503, unavailable).having("Retry-After", "2"),
		"an error at an unknown path":    answered("", "GET /api/nothing", 404, notFound),
		"an error for an unknown method": answered("", "PATCH /api/keys", 404, notFound),
	} {
		t.Run(name, func(t *testing.T) {
			t.Parallel()
			if err := check(t, c, e); err != nil {
				t.Error(err)
			}
		})
	}
}

func TestContractReportsViolations(t *testing.T) {
	t.Parallel()
	c := contract(t)
	const read = "GET /api/keys/0123"
	reads := func(answer any) exchange { return answered(sessionToken, read, 200, answer) }
	fails := func(answer any) exchange { return answered(sessionToken, read, 404, answer) }
	changes := func(body string) exchange { return answered(sessionToken, "PUT /api/keys/0123 "+body, 200, apiKey) }
	creates := func(body string) exchange { return answered(secretKey, "POST /api/webhooks "+body, 201, webhook) }
	nothing := object{"docs": []any{}, "total": 0}
	unlucky := delivery.with("payload", "{}").with("attempts", []any{attempt.with("failure", "bad luck")})
	for name, test := range map[string]struct {
		exchange
		want string
	}{
		"an unknown field":                       {reads(apiKey.with("digest", "x")), "digest"},
		"an undocumented secret":                 {reads(apiKey.with("key", secretKey)), "key"},
		"a missing field":                        {reads(apiKey.without("hint")), "hint"},
		"null where it is not allowed":           {reads(apiKey.with("name", nil)), "name"},
		"a trimmed fraction":                     {reads(apiKey.with("updatedAt", "2026-01-01T00:00:00.12Z")), "updatedAt"},
		"a day that does not exist":              {reads(apiKey.with("updatedAt", "2026-02-30T00:00:00.000Z")), "updatedAt"},
		"a permission outside the set":           {reads(apiKey.with("permissions", []string{"keys:list"})), "permissions"},
		"a seller's key without its permissions": {reads(apiKey.without("permissions")), "permissions"},
		"an undocumented status":                 {answered(sessionToken, read, 202, apiKey), "status"},
		"a missing request id":                   {reads(apiKey).having("X-Request-ID", ""), "x-request-id"},
		"another media type":                     {reads(apiKey).having("Content-Type", "text/html"), "text/html"},
		"an error without code":                  {fails(notFound.without("code")), "code"},
		"an error with an unknown field":         {fails(notFound.with("stack", "x")), "stack"},
		"an error that contradicts itself":       {fails(notFound.with("statusCode", 400)), "statusCode"},
		"a code of another status":               {fails(notFound.with("code", "FORBIDDEN")), "code"},
		"503 without retry-after":                {answered(sessionToken, read, 503, unavailable), "retry-after"},
		"an accepted unknown field":              {changes(`{"nme":"x"}`), "nme"},
		"an accepted wrong type":                 {changes(`{"active":"no"}`), "active"},
		"an accepted array":                      {changes(`[]`), "array"},
		"an accepted webhook without URL":        {creates(`{"name":"x"}`), "url"},
		"an accepted unknown event type": {
			creates(`{"name":"x","url":"https://listener.invalid/","events":{"ticket.lost":true}}`), "ticket.lost",
		},
		"an accepted page out of bounds":        {answered(secretKey, "GET /api/webhooks?top=1001", 200, nothing), "top"},
		"an accepted call without key":          {answered("", "GET /api/webhooks", 200, nothing), "apiKey"},
		"a key where only sessions are allowed": {answered(secretKey, "GET /api/keys", 200, []any{}), "session"},
		"a success at an unknown path":          {answered("", "GET /api/nothing", 200, object{}), "no such path"},
		"an invalid error at an unknown path":   {answered("", "GET /api/nothing", 404, object{"message": "no"}), "statusCode"},
		"a list that lacks its total":           {answered(secretKey, "GET /api/webhooks", 200, nothing.without("total")), "total"},
		"a detail where a summary belongs": {
			answered(secretKey, "POST /api/webhook-deliveries/0/retry", 202, delivery.with("payload", "{}")), "payload",
		},
		"an unknown kind of failure": {answered(secretKey, "GET /api/webhook-deliveries/0", 200, unlucky), "failure"},
		"a webhook without one of the event types": {
			answered(secretKey, "DELETE /api/webhook/0", 200, webhook.with("events", object{"ticket.created": true})), "ticket.updated",
		},
	} {
		t.Run(name, func(t *testing.T) {
			t.Parallel()
			err := check(t, c, test.exchange)
			if err == nil || !strings.Contains(strings.ToLower(err.Error()), strings.ToLower(test.want)) {
				t.Errorf("got %v, want an error that names %q", err, test.want)
			}
		})
	}
}

func TestParseContractRefusesABadDocument(t *testing.T) {
	t.Parallel()
	for name, source := range map[string]string{
		"not a document": `{"openapi": "3.1.0"}`,
		"a dangling reference": `{"openapi": "3.1.0", "info": {"title": "x", "version": "1"},
			"paths": {"/x": {"get": {"responses": {"200": {"$ref": "#/components/responses/Lost"}}}}}}`,
	} {
		t.Run(name, func(t *testing.T) {
			t.Parallel()
			if _, err := resttest.ParseContract([]byte(source)); err == nil {
				t.Error("accepted")
			}
		})
	}
}

func encode(t *testing.T, value any) string {
	t.Helper()
	raw, err := json.Marshal(value)
	if err != nil {
		t.Fatal(err)
	}
	return string(raw)
}
