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

// The document is openapi.yaml and, as its end, the schemas that openapigen writes from the GraphQL schema.
var (
	//go:embed openapi.yaml
	openAPIPaths string
	//go:embed openapi_schemas.yaml
	openAPISchemas string
)

func openAPISource() []byte { return []byte(openAPIPaths + openAPISchemas) }

// openAPIDocument is the document as it is served.
type openAPIDocument struct {
	body []byte
	etag string // strong: the same bytes for everybody
}

// openAPI converts the document at its first use: commands that serve nothing don't pay for it. The source is
// part of the program, so only a mistake of ours, which the tests find, can make it panic.
var openAPI = sync.OnceValue(func() openAPIDocument {
	document, err := newOpenAPIDocument(openAPISource())
	if err != nil {
		panic(fmt.Errorf("openapi.yaml: %w", err))
	}
	return document
})

// newOpenAPIDocument writes YAML as compact JSON, its members in the order of the source.
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

// serveOpenAPI answers with the OpenAPI document, for anybody. Clients may keep it and ask whether it is current.
func serveOpenAPI(w http.ResponseWriter, r *http.Request) {
	document := openAPI()
	w.Header().Set("ETag", document.etag)
	w.Header().Set("Cache-Control", "no-cache")
	// The header may hold several tags, each weakened by a proxy: the tag is a digest, so finding it is enough.
	if strings.Contains(r.Header.Get("If-None-Match"), document.etag) {
		w.WriteHeader(http.StatusNotModified)
		return
	}
	w.Header().Set("Content-Type", "application/json")
	_, _ = w.Write(document.body) // fails only when the client has gone
}
