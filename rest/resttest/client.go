package resttest

import (
	"bytes"
	"encoding/json"
	"io"
	"maps"
	"net/http"
	"sync"
	"testing"
	"time"
)

// documentPath is the path of a server's OpenAPI document.
const documentPath = "/api/openapi.json"

// Client is a caller of a server within a test. As and With return more callers, which share its placeholders.
type Client struct {
	t        testing.TB
	address  string
	contract *Contract
	header   http.Header
	names    *placeholders
	calls    *http.Client
}

// New returns a client for the server at an address, such as http://127.0.0.1:8080. It reads the server's document.
func New(tb testing.TB, address string) *Client {
	tb.Helper()
	c := &Client{
		t: tb, address: address, header: http.Header{}, names: newPlaceholders(),
		calls: &http.Client{
			Timeout:   30 * time.Second,
			Transport: &http.Transport{},
			// The server never redirects (PATH-1). A redirect fails the test as an undocumented status.
			CheckRedirect: func(*http.Request, []*http.Request) error { return http.ErrUseLastResponse },
		},
	}
	tb.Cleanup(c.calls.CloseIdleConnections)
	_, answer := c.exchange(http.MethodGet, documentPath, nil)
	contract, err := contractOf(string(answer.Want(http.StatusOK).Body))
	if err != nil {
		tb.Fatal(err)
	}
	c.contract = contract
	return c
}

// contracts caches the results of contractOf: all servers of a run have the same document, and parsing it takes a
// second.
var contracts = struct {
	sync.Mutex

	byDocument map[string]*Contract
}{byDocument: map[string]*Contract{}}

func contractOf(document string) (*Contract, error) {
	contracts.Lock()
	defer contracts.Unlock()
	if known := contracts.byDocument[document]; known != nil {
		return known, nil
	}
	contract, err := ReadContract([]byte(document))
	contracts.byDocument[document] = contract
	return contract, err
}

// In returns the same caller for a subtest, so that failures are reported there.
func (c *Client) In(tb testing.TB) *Client {
	tb.Helper()
	other := *c
	other.t = tb
	return &other
}

// As returns a caller with an API key, a session or the system token.
func (c *Client) As(secret string) *Client { return c.With("Authorization", "Bearer "+secret) }

// With returns a caller that also sends the header. An empty value removes the header.
func (c *Client) With(name, value string) *Client {
	other := *c
	other.header = maps.Clone(c.header)
	other.header.Set(name, value)
	if value == "" {
		other.header.Del(name)
	}
	return &other
}

// Get sends a GET request. The path includes the query, and both are sent as written.
func (c *Client) Get(path string) Answer {
	c.t.Helper()
	return c.Do(http.MethodGet, path, nil)
}

// Post sends a body as JSON. A json.RawMessage is sent byte for byte, and nil means no body.
func (c *Client) Post(path string, body any) Answer {
	c.t.Helper()
	return c.Do(http.MethodPost, path, body)
}

// Put sends a PUT request with a body as in Post.
func (c *Client) Put(path string, body any) Answer {
	c.t.Helper()
	return c.Do(http.MethodPut, path, body)
}

// Delete sends a DELETE request.
func (c *Client) Delete(path string) Answer {
	c.t.Helper()
	return c.Do(http.MethodDelete, path, nil)
}

// Do sends a request with any method and checks the exchange.
func (c *Client) Do(method, path string, body any) Answer {
	c.t.Helper()
	sent := c.encode(body)
	request, answer := c.exchange(method, path, sent)
	if err := c.contract.Check(request, sent, answer); err != nil {
		c.t.Errorf("%s %s: %v\nsent:     %.2000s\nanswered: %d %.2000s", method, path, err, sent, answer.Status, answer.Body)
	}
	return answer
}

func (c *Client) encode(body any) []byte {
	c.t.Helper()
	switch body := body.(type) {
	case nil:
		return nil
	case json.RawMessage:
		return body
	}
	raw, err := json.Marshal(body)
	if err != nil {
		c.t.Fatal(err)
	}
	return raw
}

func (c *Client) exchange(method, path string, sent []byte) (*http.Request, Answer) {
	c.t.Helper()
	request, err := http.NewRequestWithContext(c.t.Context(), method, c.address+path, bytes.NewReader(sent))
	if err != nil {
		c.t.Fatal(err)
	}
	if sent != nil {
		request.Header.Set("Content-Type", "application/json")
	}
	maps.Copy(request.Header, c.header)
	response, err := c.calls.Do(request)
	if err != nil {
		c.t.Fatal(err)
	}
	defer func() { _ = response.Body.Close() }()
	received, err := io.ReadAll(response.Body)
	if err != nil {
		c.t.Fatal(err)
	}
	return request, Answer{t: c.t, names: c.names, Status: response.StatusCode, Header: response.Header, Body: received}
}
