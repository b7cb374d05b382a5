package rest

import (
	"bytes"
	"crypto/sha256"
	_ "embed"
	"encoding/hex"
	"encoding/json"
	"fmt"
	"net/http"
	"strings"
	"sync"

	"github.com/goccy/go-yaml"
)

// The document consists of openapi.yaml and the schemas that openapigen generates from the GraphQL schema.
var (
	//go:embed openapi.yaml
	openAPIPaths string
	//go:embed openapi_schemas.yaml
	openAPISchemas string
)

func openAPISource() []byte { return []byte(openAPIPaths + openAPISchemas) }

// openAPIDocument is the document as served.
type openAPIDocument struct {
	body []byte
	etag string // strong: all clients get the same bytes
}

// openAPI converts the document on first use, so that commands without a server don't pay for it. The source is
// embedded, so only a mistake that tests find can cause the panic.
var openAPI = sync.OnceValue(func() openAPIDocument {
	document, err := newOpenAPIDocument(openAPISource())
	if err != nil {
		panic(fmt.Errorf("openapi.yaml: %w", err))
	}
	return document
})

// newOpenAPIDocument converts YAML to compact JSON with its fields in the order of the source.
func newOpenAPIDocument(source []byte) (openAPIDocument, error) {
	converted, err := yaml.YAMLToJSON(source)
	if err != nil {
		return openAPIDocument{}, err
	}
	var body bytes.Buffer
	if err := json.Compact(&body, converted); err != nil {
		return openAPIDocument{}, err
	}
	sum := sha256.Sum256(body.Bytes())
	return openAPIDocument{body: body.Bytes(), etag: `"` + hex.EncodeToString(sum[:]) + `"`}, nil
}

// serveOpenAPI serves the OpenAPI document without authentication. Clients may cache it and revalidate it by its ETag.
func serveOpenAPI(w http.ResponseWriter, r *http.Request) {
	document := openAPI()
	w.Header().Set("ETag", document.etag)
	w.Header().Set("Cache-Control", "no-cache")
	// The header may hold several tags, possibly weakened by a proxy. The tag is a digest, so finding it suffices.
	if strings.Contains(r.Header.Get("If-None-Match"), document.etag) {
		w.WriteHeader(http.StatusNotModified)
		return
	}
	w.Header().Set("Content-Type", "application/json")
	_, _ = w.Write(document.body) // fails only if the client is gone
}
