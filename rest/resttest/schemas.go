package resttest

import (
	"bytes"
	"encoding/json"
	"fmt"
	"strings"
	"sync"

	"github.com/getkin/kin-openapi/openapi3"
	"github.com/santhosh-tekuri/jsonschema/v6"
)

// schemas holds the compiled schemas of a document's bodies. The library's filter would compile one for every body.
type schemas struct {
	mutex    sync.Mutex
	compiler *jsonschema.Compiler
}

// documentURL is the URL of the document for the compiler.
const documentURL = "https://ticketgate.invalid/openapi.json"

func newSchemas(document *openapi3.T) (*schemas, error) {
	source, err := json.Marshal(document)
	if err != nil {
		return nil, err
	}
	value, err := jsonschema.UnmarshalJSON(bytes.NewReader(source))
	if err != nil {
		return nil, err
	}
	compiler := jsonschema.NewCompiler()
	compiler.AssertFormat()
	return &schemas{compiler: compiler}, compiler.AddResource(documentURL, value)
}

// check validates a value against the schema at these steps of the document.
func (s *schemas) check(value any, steps ...string) error {
	var pointer strings.Builder
	for _, step := range steps {
		pointer.WriteString("/" + escaped.Replace(step))
	}
	schema, err := s.compiled(documentURL + "#" + pointer.String())
	if err != nil {
		return fmt.Errorf("the schema does not compile: %w", err)
	}
	return schema.Validate(value)
}

// compiled returns the schema at an address. The compiler caches schemas, but is not safe for concurrent use.
func (s *schemas) compiled(address string) (*jsonschema.Schema, error) {
	s.mutex.Lock()
	defer s.mutex.Unlock()
	return s.compiler.Compile(address)
}

// escaped escapes a step for a JSON pointer in a URL (RFC 6901, section 6).
var escaped = strings.NewReplacer("~", "~0", "/", "~1", "%", "%25", "{", "%7B", "}", "%7D", " ", "%20")
