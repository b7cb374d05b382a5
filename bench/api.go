package main

import (
	"bytes"
	"context"
	"encoding/json"
	"fmt"
	"io"
	"net/http"
	"strings"
	"time"
)

// api is a server and who calls it.
type api struct {
	url    string
	header http.Header
}

// asSeller calls with a seller's key.
func (p *process) asSeller(s seller) api {
	return api{p.url, http.Header{"Authorization": {"Bearer " + s.APIKey}}}
}

// asPlatform calls with the system token on behalf of a seller.
func (p *process) asPlatform(s seller) api {
	return api{p.url, http.Header{"Authorization": {"Bearer " + systemToken}, "X-Seller-Id": {s.ID}}}
}

// address is the server's as a load dials it.
func (a api) address() string {
	host, _, _ := strings.Cut(strings.TrimPrefix(a.url, "http://"), "/")
	return host
}

// request is the bytes of a request; a body that is not nil is sent as JSON.
func (a api) request(method, path string, body any) []byte {
	var content bytes.Buffer
	if body != nil {
		encoder := json.NewEncoder(&content)
		encoder.SetEscapeHTML(false) // the product does not, either
		if err := encoder.Encode(body); err != nil {
			panic(err) // a benchmark's own literal
		}
	}
	contentType := ""
	if body != nil {
		contentType = "application/json"
	}
	return a.write(method, path, contentType, &content)
}

// file is the bytes of a request with a file of entries.
func (a api) file(path, content string) []byte {
	return a.write(http.MethodPost, path, "text/csv", strings.NewReader(content))
}

func (a api) write(method, path, contentType string, content io.Reader) []byte {
	r, err := http.NewRequest(method, a.url+path, content) //nolint:noctx // it is only written down
	if err != nil {
		panic(err)
	}
	r.Header = a.header.Clone()
	if contentType != "" {
		r.Header.Set("Content-Type", contentType)
	}
	var text bytes.Buffer
	_ = r.Write(&text) // into memory
	return text.Bytes()
}

// graphql is the bytes of a GraphQL request.
func (a api) graphql(query string, variables map[string]any) []byte {
	return a.request(http.MethodPost, "/graphql", map[string]any{"query": query, "variables": variables})
}

// call sends one request and returns a copy of the answer's body.
func (a api) call(ctx context.Context, status int, request []byte) ([]byte, error) {
	return a.callWithin(ctx, grace, status, request)
}

// callWithin is call for one that may take longer.
func (a api) callWithin(ctx context.Context, bound time.Duration, status int, request []byte) ([]byte, error) {
	c, err := dial(ctx, a.address(), time.Now().Add(bound))
	if err != nil {
		return nil, err
	}
	defer c.close()
	got, body, err := c.exchange(request)
	if err != nil {
		return nil, err
	}
	return bytes.Clone(body), wants(status)(got, body)
}

// create makes a resource over REST and returns its identifier.
func (a api) create(ctx context.Context, path string, body any) (id string, err error) {
	return a.createBy(ctx, path, a.request(http.MethodPost, path, body))
}

// createBy is create by a request that is written down already.
func (a api) createBy(ctx context.Context, path string, request []byte) (id string, err error) {
	answer, err := a.call(ctx, http.StatusCreated, request)
	if err != nil {
		return "", fmt.Errorf("POST %s: %w", path, err)
	}
	var made struct {
		ID string `json:"_id"`
	}
	if err := json.Unmarshal(answer, &made); err != nil || made.ID == "" {
		return "", fmt.Errorf("POST %s made nothing: %s", path, answer)
	}
	return made.ID, nil
}

// load is one request again and again, which is answered 200 with the same bytes as at first.
func (a api) load(ctx context.Context, request []byte) (load, error) {
	first, err := a.call(ctx, http.StatusOK, request)
	if err != nil {
		return load{}, err
	}
	if bytes.Contains(first, []byte(`"errors"`)) {
		return load{}, fmt.Errorf("answered %s", first)
	}
	return load{
		address: a.address(), connections: connections,
		request: func(int) []byte { return request }, accept: repeats(http.StatusOK, first),
	}, nil
}
