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

// api is a server with the credential of a caller.
type api struct {
	url    string
	header http.Header
}

// asSeller returns an api that authenticates with a seller's key.
func (p *process) asSeller(s seller) api {
	return api{p.url, http.Header{"Authorization": {"Bearer " + s.APIKey}}}
}

// asPlatform returns an api that authenticates with the system token, acting for a seller.
func (p *process) asPlatform(s seller) api {
	return api{p.url, http.Header{"Authorization": {"Bearer " + systemToken}, "X-Seller-Id": {s.ID}}}
}

// address returns the server's address in the form host:port.
func (a api) address() string {
	host, _, _ := strings.Cut(strings.TrimPrefix(a.url, "http://"), "/")
	return host
}

// request returns the bytes of a request. A non-nil body is sent as JSON.
func (a api) request(method, path string, body any) []byte {
	var content bytes.Buffer
	if body != nil {
		encoder := json.NewEncoder(&content)
		encoder.SetEscapeHTML(false) // as the product encodes JSON
		if err := encoder.Encode(body); err != nil {
			panic(err) // the body is a literal of a benchmark
		}
	}
	contentType := ""
	if body != nil {
		contentType = "application/json"
	}
	return a.write(method, path, contentType, &content)
}

// file returns the bytes of a request that uploads a CSV file.
func (a api) file(path, content string) []byte {
	return a.write(http.MethodPost, path, "text/csv", strings.NewReader(content))
}

func (a api) write(method, path, contentType string, content io.Reader) []byte {
	r, err := http.NewRequest(method, a.url+path, content) //nolint:noctx // it is only serialized
	if err != nil {
		panic(err)
	}
	r.Header = a.header.Clone()
	if contentType != "" {
		r.Header.Set("Content-Type", contentType)
	}
	var text bytes.Buffer
	_ = r.Write(&text) // writing to memory can't fail
	return text.Bytes()
}

// graphql returns the bytes of a GraphQL request.
func (a api) graphql(query string, variables map[string]any) []byte {
	return a.request(http.MethodPost, "/graphql", map[string]any{"query": query, "variables": variables})
}

// call sends one request and returns a copy of the response's body.
func (a api) call(ctx context.Context, status int, request []byte) ([]byte, error) {
	return a.callWithin(ctx, grace, status, request)
}

// callWithin is like call, with a time limit of its own.
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

// create creates a resource over REST and returns its id.
func (a api) create(ctx context.Context, path string, body any) (id string, err error) {
	return a.createBy(ctx, path, a.request(http.MethodPost, path, body))
}

// createBy is like create, with a serialized request.
func (a api) createBy(ctx context.Context, path string, request []byte) (id string, err error) {
	answer, err := a.call(ctx, http.StatusCreated, request)
	if err != nil {
		return "", fmt.Errorf("POST %s: %w", path, err)
	}
	var created struct {
		ID string `json:"_id"`
	}
	if err := json.Unmarshal(answer, &created); err != nil || created.ID == "" {
		return "", fmt.Errorf("POST %s created nothing: %s", path, answer)
	}
	return created.ID, nil
}

// load returns a load that repeats one request. Each response must have status 200 and the same body as the first.
func (a api) load(ctx context.Context, request []byte) (load, error) {
	first, err := a.call(ctx, http.StatusOK, request)
	if err != nil {
		return load{}, err
	}
	if bytes.Contains(first, []byte(`"errors"`)) {
		return load{}, fmt.Errorf("response: %s", first)
	}
	return load{
		address: a.address(), connections: connections,
		request: func(int) []byte { return request }, accept: repeats(http.StatusOK, first),
	}, nil
}
