package apis

import (
	"bufio"
	"encoding/json"
	"fmt"
	"io"
	"net"
	"net/http"
	"regexp"
	"slices"
	"strings"
	"testing"
	"time"

	"ticketgate/cmd/systemtest"
	"ticketgate/cmd/systemtest/apitest"
	"ticketgate/rest"
)

// TestMalformedRequests sends REST the mistakes of clients, proxies and attackers. Each request is served or
// gets an error in the documented form. None is redirected or causes a panic.
func TestMalformedRequests(t *testing.T) {
	t.Parallel()
	h := apitest.Open(t)
	r := &requests{Server: h, key: apitest.Bearer(h.Demo.Sellers[0].APIKey)}
	apitest.Run(t, apitest.Steps{
		{"refuses bodies that are not strictly JSON", r.json},
		{"refuses numbers that would lose precision", r.numbers},
		{"keeps text unchanged", r.text},
		{"limits the body's size", r.size},
		{"accepts only JSON", r.mediaTypes},
		{"needs no body if no field is required", r.noBody},
		{"serves every spelling of a path and never redirects", r.paths},
		{"lists the methods of a path", r.methods},
		{"accepts one form of credential", r.credentials},
		{"refuses ambiguous framing", r.framing},
		{"sends the same headers with every response", r.headers},
	})
}

type requests struct {
	*apitest.Server
	key apitest.Caller
}

const hooksPath = "/api/webhooks"

// hookWith returns the JSON of a new webhook with additional fields.
func hookWith(other string) json.RawMessage {
	return json.RawMessage(`{"name":"w","url":"` + apitest.ListenerURL + `"` + other + `}`)
}

func (r *requests) json(t *testing.T) {
	client := r.As(t, r.key)
	for name, body := range map[string]json.RawMessage{
		"truncated":             json.RawMessage(`{"name":"w"`),
		"nothing but space":     json.RawMessage(` `),
		"a second document":     hookWith("} {"),
		"a byte order mark":     json.RawMessage("\ufeff" + string(hookWith(""))),
		"a comment":             json.RawMessage(`{/* */"name":"w"}`),
		"NaN":                   hookWith(`,"enabled":NaN`),
		"a final comma":         hookWith(`,`),
		"an unquoted name":      json.RawMessage(`{name:"w"}`),
		"a repeated field":      hookWith(`,"name":"v"`),
		"a repeated inner one":  hookWith(`,"events":{"ticket.created":true,"ticket.created":false}`),
		"a field in capitals":   json.RawMessage(`{"NAME":"w","url":"` + apitest.ListenerURL + `"}`),
		"both spellings":        hookWith(`,"Name":"v"`),
		"null":                  json.RawMessage(`null`),
		"an array":              json.RawMessage(`[` + string(hookWith("")) + `]`),
		"a string":              json.RawMessage(`"w"`),
		"deep nesting":          hookWith(`,"events":` + strings.Repeat("[", 10_001) + strings.Repeat("]", 10_001)),
		"an unknown field":      hookWith(`,"secret":"k"`),
		"a wrong type":          hookWith(`,"enabled":"true"`),
		"a number for text":     json.RawMessage(`{"name":5,"url":"` + apitest.ListenerURL + `"}`),
		"a NUL":                 json.RawMessage("{\"name\":\"a\x00b\",\"url\":\"" + apitest.ListenerURL + "\"}"),
		"an escaped NUL":        json.RawMessage(`{"name":"a\u0000b","url":"` + apitest.ListenerURL + `"}`),
		"invalid UTF-8":         json.RawMessage("{\"name\":\"a\xffb\",\"url\":\"" + apitest.ListenerURL + "\"}"),
		"an overlong encoding":  json.RawMessage("{\"name\":\"a\xc0\xafb\",\"url\":\"" + apitest.ListenerURL + "\"}"),
		"a lone surrogate":      json.RawMessage(`{"name":"a\ud800b","url":"` + apitest.ListenerURL + `"}`),
		"a raw line break":      json.RawMessage("{\"name\":\"a\nb\",\"url\":\"" + apitest.ListenerURL + "\"}"),
		"invalid UTF-8 in keys": hookWith(",\"events\":{\"\xff\":true}"),
	} {
		t.Run(name, func(t *testing.T) {
			answer := client.In(t).Post(hooksPath, body).Want(http.StatusBadRequest)
			if answer.Text("code") != "INVALID_REQUEST" && answer.Text("code") != "VALIDATION_FAILED" {
				t.Errorf("%s", answer.Body)
			}
		})
	}
}

func (r *requests) numbers(t *testing.T) {
	admin := r.As(t, r.Session(t, r.Demo.Sellers[0].AdminEmail, r.Demo.Sellers[0].AdminPassword))
	at := "/api/keys/" + r.Key(t, r.Demo.Sellers[0], "Numbers")
	soon := time.Now().Add(time.Hour).Unix()
	for text, status := range map[string]int{
		"9007199254740993": 400, "1e400": 400, "1e-400": 400, "0.12345678901234567890": 400, "1.5": 400, "1e15": 400,
		"-0": 400, "0": 400, "1e3": 400, // before the key was created
		fmt.Sprintf("%de3", soon): 200, fmt.Sprintf("%d000.0", soon): 200, fmt.Sprintf("%d000", soon): 200,
	} {
		answer := admin.Put(at, json.RawMessage(`{"expiresAt":`+text+`}`))
		if answer.Status != status {
			t.Errorf("%s: got %d, want %d: %s", text, answer.Status, status, answer.Body)
		}
	}
}

func (r *requests) text(t *testing.T) {
	names := []string{
		"caf\u00e9", "cafe\u0301", "a\ufffeb", "\u65e5\u672c 🎫", `<&>'"\`, strings.Repeat("é", 200),
	}
	for _, name := range names {
		answer := r.As(t, r.key).Post(hooksPath, object{"name": name, "url": apitest.ListenerURL}).Want(http.StatusCreated)
		if answer.Text("name") != name {
			t.Errorf("%q became %q", name, answer.Text("name"))
		}
	}
	for _, name := range []string{"\u202eabc", "a\u2028b", "a\u001bb"} { // LIMIT-10
		r.As(t, r.key).Post(hooksPath, object{"name": name, "url": apitest.ListenerURL}).Refused(http.StatusBadRequest, "VALIDATION_FAILED")
	}
}

func (r *requests) size(t *testing.T) {
	const bound = 1 << 20
	client := r.As(t, r.key)
	padded := func(length int) json.RawMessage {
		body := string(hookWith(""))
		return json.RawMessage(body + strings.Repeat(" ", length-len(body)))
	}
	client.Post(hooksPath, padded(bound)).Want(http.StatusCreated)
	client.Post(hooksPath, padded(bound+1)).Refused(http.StatusRequestEntityTooLarge, "PAYLOAD_TOO_LARGE")
	client.With("Idempotency-Key", "large").Post(hooksPath, padded(bound+1)).Refused(http.StatusRequestEntityTooLarge, "PAYLOAD_TOO_LARGE")
	request, err := http.NewRequestWithContext(t.Context(), http.MethodPost, r.URL+hooksPath, io.LimitReader(spaces{}, bound+1))
	systemtest.Must(t, err)
	request.Header.Set("Authorization", r.key["Authorization"])
	request.Header.Set("Content-Type", "application/json")
	answer, err := http.DefaultClient.Do(request)
	systemtest.Must(t, err)
	defer func() { _ = answer.Body.Close() }()
	if answer.StatusCode != http.StatusRequestEntityTooLarge {
		t.Errorf("in chunks: %d", answer.StatusCode)
	}
}

// spaces is an endless body.
type spaces struct{}

func (spaces) Read(p []byte) (int, error) {
	for i := range p {
		p[i] = ' '
	}
	return len(p), nil
}

func (r *requests) mediaTypes(t *testing.T) {
	for media, status := range map[string]int{
		"application/json": 201, "application/json; charset=utf-8": 201, "Application/JSON;charset=UTF-8": 201,
		"text/plain": 415, "application/x-www-form-urlencoded": 415, "application/json; charset=utf-16": 415, "json": 415,
		"application/xml": 415,
	} {
		answer := r.As(t, r.key).With("Content-Type", media).Post(hooksPath, hookWith(""))
		if answer.Status != status {
			t.Errorf("%q: got %d, want %d", media, answer.Status, status)
		}
		if status != http.StatusCreated {
			answer.Refused(http.StatusUnsupportedMediaType, "UNSUPPORTED_MEDIA_TYPE")
		}
	}
	r.As(t, r.key).With("Content-Encoding", "gzip").Post(hooksPath, hookWith("")).
		Refused(http.StatusUnsupportedMediaType, "UNSUPPORTED_MEDIA_TYPE")
}

// noBody sends a content type without content, as generated clients do.
func (r *requests) noBody(t *testing.T) {
	client := r.As(t, r.key).With("Content-Type", "application/json")
	client.Get(hooksPath).Want(http.StatusOK)
	seller := r.Demo.Sellers[0]
	id := r.Webhook(t, seller, "Deleted").ID
	client.Delete("/api/webhook/" + id).Want(http.StatusOK)
	kept := r.Webhook(t, seller, "Kept").ID
	at := "/api/webhook-deliveries/" + r.Delivery(t, seller, kept, "Kept") + "/retry"
	client.Post(at, nil).Want(http.StatusAccepted)
	r.As(t, r.key).Post(at, nil).Want(http.StatusAccepted)
	refusal := r.As(t, r.key).Post(hooksPath, nil).Refused(http.StatusBadRequest, "VALIDATION_FAILED")
	if len(refusal.Details) != 2 {
		t.Errorf("no body at all: %+v", refusal)
	}
}

func (r *requests) paths(t *testing.T) {
	client := r.As(t, r.key)
	id := r.Webhook(t, r.Demo.Sellers[0], "Path").ID
	for _, path := range []string{"//api/webhooks", "/api/webhooks/", "/api//webhooks//", "///api///webhooks///?top=1"} {
		client.Get(path).Want(http.StatusOK)
		client.Post(strings.TrimSuffix(path, "?top=1"), hookWith("")).Want(http.StatusCreated)
	}
	for _, path := range []string{"//api/webhook/" + id, "/api/webhook/" + id + "/", "/api//webhook//" + id} {
		client.Put(path, hookWith("")).Want(http.StatusCreated)
	}
	client.Delete("//api//webhook/" + id + "//").Want(http.StatusOK)
	for _, path := range []string{
		"/api/./webhooks", "/api/../api/webhooks", "/API/webhooks", "/api/webhooks/../keys/info", "/api/webhooks%2F", "/api%2Fwebhooks",
		"/api", "/api/nothing", "/api/webhook", "/api/keys/info/x", "/graphql/x", "/api/..%2f..%2fkeys%2finfo",
	} {
		answer := client.Get(path)
		if path == "/api/webhook" {
			answer.Refused(http.StatusMethodNotAllowed, "METHOD_NOT_ALLOWED")
			continue
		}
		answer.Refused(http.StatusNotFound, "NOT_FOUND")
	}
	client.With("Accept", "application/json").Get("/").Refused(http.StatusNotFound, "NOT_FOUND")
	for _, id := range []string{
		"%00", "%E9", "%252F", "%2F", "..", "%2e%2e", "null", strings.Repeat("x", 10_000), "'%20OR%201=1--", "%F0%9F%8E%AB", "a%00b",
		"00000000-0000-0000-0000-000000000000",
	} {
		answer := client.Delete("/api/webhook/" + id)
		want := http.StatusNotFound
		if strings.Contains(id, "%00") || id == "%E9" {
			want = http.StatusBadRequest
		}
		answer.Want(want)
	}
}

// methods tries each method on each documented path. An unsupported method is a 405 that lists the supported ones.
func (r *requests) methods(t *testing.T) {
	table := map[string][]string{}
	for _, route := range rest.Routes() {
		path := apitest.InBraces.ReplaceAllString(route.Path, "0123456789abcdef01234567")
		for _, other := range rest.Routes() { // an id may be spelled like the fixed segment in its place
			if regexp.MustCompile("^" + apitest.InBraces.ReplaceAllString(other.Path, "[^/]+") + "$").MatchString(path) {
				table[path] = append(table[path], other.Method)
			}
		}
	}
	for path, methods := range table {
		if slices.Contains(methods, http.MethodGet) {
			methods = append(methods, http.MethodHead)
		}
		slices.Sort(methods)
		methods = slices.Compact(methods)
		for _, method := range []string{"GET", "POST", "PUT", "DELETE", "PATCH", "OPTIONS", "TRACE", "FOO", "get"} {
			if slices.Contains(methods, method) {
				continue
			}
			answer := r.As(t, r.key).With("X-HTTP-Method-Override", methods[0]).Do(method, path, nil)
			if answer.Status != http.StatusMethodNotAllowed || answer.Header.Get("Allow") != strings.Join(methods, ", ") {
				t.Errorf("%s %s: %d, Allow %q, want %q", method, path, answer.Status, answer.Header.Get("Allow"), methods)
			}
		}
	}
}

// credentials tries spellings of the Authorization header: the case of the scheme and the number of spaces don't matter
// (EDGE-10).
func (r *requests) credentials(t *testing.T) {
	secret := r.Demo.Sellers[0].APIKey
	for _, headers := range []string{
		"Authorization: Bearer\t" + secret, "Authorization: Bearer" + secret,
		"Authorization: " + secret, "Authorization: Basic " + secret, "Authorization: Bearer " + secret + ", Bearer " + secret,
		"Authorization: Bearer " + strings.Repeat("k", 8000), "Authorization: Bearer ключ", "Authorization: Bearer",
		"Authorization: Bearer " + secret + "\r\nAuthorization: Bearer " + secret, "Cookie: key=" + secret, "X-Api-Key: " + secret,
	} {
		if status, text := r.raw(t, "GET /api/keys/info HTTP/1.1\r\nHost: x\r\n"+headers+"\r\n\r\n"); status != http.StatusUnauthorized {
			t.Errorf("%.200q: %d %s", headers, status, text)
		}
	}
	if status, text := r.raw(t, "GET /api/keys/info?key="+secret+" HTTP/1.1\r\nHost: x\r\n\r\n"); status != http.StatusUnauthorized {
		t.Errorf("in the query: %d %s", status, text)
	}
	status, _ := r.raw(t, "GET /api/keys/info HTTP/1.1\r\nHost: x\r\nauthorization:Bearer "+secret+"\t\r\n\r\n")
	if status != http.StatusOK {
		t.Errorf("as specified: %d", status)
	}
}

// framing tries requests that might not be exactly one. They are refused, and the connection is closed.
func (r *requests) framing(t *testing.T) {
	head := "POST /api/webhooks HTTP/1.1\r\nHost: x\r\nContent-Type: application/json\r\nAuthorization: " + r.key["Authorization"] + "\r\n"
	body := string(hookWith(""))
	list := r.As(t, r.key).Post("/api/access-lists", object{"name": "of files"}).Want(http.StatusCreated).Text("_id")
	file := strings.NewReplacer("/api/webhooks", "/api/access-lists/"+list+"/entries/imports", "application/json", "text/csv").Replace(head)
	length := fmt.Sprintf("Content-Length: %d\r\n", len(body))
	for name, row := range map[string]struct {
		text   string
		status int
	}{
		"one length":           {head + length + "\r\n" + body, 201},
		"two lengths":          {head + length + "Content-Length: 1\r\n\r\n" + body, 400},
		"a signed length":      {head + fmt.Sprintf("Content-Length: +%d\r\n\r\n", len(body)) + body, 400},
		"a negative length":    {head + "Content-Length: -1\r\n\r\n" + body, 400},
		"space before a colon": {head + "Transfer-Encoding : chunked\r\n\r\n0\r\n\r\n", 400},
		"an unknown encoding":  {head + "Transfer-Encoding: xchunked\r\n\r\n0\r\n\r\n", 501},
		"two encodings":        {head + "Transfer-Encoding: chunked\r\nTransfer-Encoding: chunked\r\n\r\n0\r\n\r\n", 501},
		"a bad chunk":          {head + "Transfer-Encoding: chunked\r\n\r\nzz\r\n\r\n", 400},
		"a malformed escape":   {"GET /api/keys/%zz HTTP/1.1\r\nHost: x\r\n\r\n", 400},
		"another version":      {"GET /api/keys HTTP/3.7\r\nHost: x\r\n\r\n", 505},
		"no host":              {"GET /api/webhooks HTTP/1.1\r\n\r\n", 400},
		"two hosts":            {"GET /api/webhooks HTTP/1.1\r\nHost: x\r\nHost: y\r\n\r\n", 400},
		"a large header":       {"GET /api/openapi.json HTTP/1.1\r\nHost: x\r\nX-A: " + strings.Repeat("a", 15_000) + "\r\n\r\n", 200},
		"too large a header":   {"GET /api/openapi.json HTTP/1.1\r\nHost: x\r\nX-A: " + strings.Repeat("a", 16_400) + "\r\n\r\n", 431},
		"many headers":         {"GET /api/webhooks HTTP/1.1\r\nHost: x\r\n" + strings.Repeat("X-A: a\r\n", 10_000) + "\r\n", 431},
		"an ended body":        {head + "Content-Length: 1000\r\n\r\n" + cutOff, 400},
		"an ended file":        {file + "Content-Length: 1000\r\n\r\nA\n" + cutOff, 400},
		"an ended part":        {file + "Transfer-Encoding: chunked\r\n\r\n100\r\nA\n" + cutOff, 400},
	} {
		t.Run(name, func(t *testing.T) {
			if status, text := r.raw(t, row.text); status != row.status {
				t.Errorf("got %d, want %d: %s", status, row.status, text)
			}
		})
	}
}

// cutOff is the start of a body that never ends.
const cutOff = `{"cut off`

// raw writes bytes to the server and reads one response.
func (r *requests) raw(t *testing.T, text string) (int, string) {
	t.Helper()
	connection, err := net.Dial("tcp", strings.TrimPrefix(r.URL, "http://"))
	systemtest.Must(t, err)
	defer func() { _ = connection.Close() }()
	systemtest.Must(t, connection.SetDeadline(time.Now().Add(20*time.Second)))
	_, err = io.WriteString(connection, text)
	systemtest.Must(t, err)
	if strings.HasSuffix(text, cutOff) {
		systemtest.Must(t, connection.(*net.TCPConn).CloseWrite())
	}
	answer, err := http.ReadResponse(bufio.NewReader(connection), nil)
	systemtest.Must(t, err)
	defer func() { _ = answer.Body.Close() }()
	body, _ := io.ReadAll(answer.Body)
	return answer.StatusCode, string(body)
}

// headers checks the headers of successes and errors.
func (r *requests) headers(t *testing.T) {
	seen := map[string]bool{}
	for _, path := range []string{hooksPath, "/api/nothing", "/api/webhook-deliveries/none", "/api/keys", "/api/webhooks?top=0"} {
		answer := r.As(t, r.key).With("Origin", "https://elsewhere.example.com").With("X-Request-Id", "chosen").Get(path)
		for name, want := range map[string]string{
			"Content-Type": "application/json; charset=utf-8", "Cache-Control": "no-store", "X-Content-Type-Options": "nosniff",
			"Content-Security-Policy": "default-src 'none'; frame-ancestors 'none'", "Access-Control-Allow-Origin": "", "Location": "",
			"Etag": "", "Set-Cookie": "", "Server": "",
		} {
			if got := answer.Header.Get(name); got != want {
				t.Errorf("%s: %s is %q, want %q", path, name, got, want)
			}
		}
		id := answer.Header.Get("X-Request-ID")
		if len(id) != 16 || seen[id] {
			t.Errorf("%s: request id %q", path, id)
		}
		seen[id] = true
		if answer.Status >= http.StatusBadRequest && answer.Text("requestId") != id {
			t.Errorf("%s: the body repeats another id than %s: %s", path, id, answer.Body)
		}
	}
}
