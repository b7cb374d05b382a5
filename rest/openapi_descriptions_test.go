package rest

import (
	"encoding/json"
	"fmt"
	"net/http"
	"net/http/httptest"
	"slices"
	"strings"
	"testing"
)

// Every operation has a summary, a description and a description of its body. Every parameter, response, header, schema
// and property has a description, its own or that of the schema that it refers to.
func TestEveryPartOfTheDocumentHasADescription(t *testing.T) {
	t.Parallel()
	recorder := httptest.NewRecorder()
	serveOpenAPI(recorder, httptest.NewRequestWithContext(t.Context(), http.MethodGet, "/api/openapi.json", nil))
	var document map[string]any
	if err := json.Unmarshal(recorder.Body.Bytes(), &document); err != nil {
		t.Fatal(err)
	}
	described := descriptions{t: t, document: document}
	for _, name := range []string{"paths", "webhooks"} {
		for path, item := range fields(document[name]) {
			described.path(path, fields(item))
		}
	}
	components := fields(document["components"])
	for _, name := range []string{"securitySchemes", "parameters", "headers", "responses", "schemas"} {
		for key, part := range fields(components[name]) {
			described.part(name+" "+key, part)
		}
	}
	for name, schema := range fields(components["schemas"]) {
		described.schema(name, schema)
	}
	if described.seen < 1000 {
		t.Errorf("only %d parts were found", described.seen)
	}
}

// descriptions reports the parts of a document that have no description.
type descriptions struct {
	t        *testing.T
	document map[string]any
	seen     int
}

// fields returns a JSON object, empty for other values.
func fields(value any) map[string]any {
	object, _ := value.(map[string]any)
	return object
}

// items returns a JSON array, empty for other values.
func items(value any) []any {
	array, _ := value.([]any)
	return array
}

// part requires a description of a part or of what it refers to.
func (d *descriptions) part(name string, part any) {
	d.t.Helper()
	d.seen++
	if !d.isDescribed(part) {
		d.t.Errorf("%s has no description", name)
	}
}

func (d *descriptions) isDescribed(part any) bool {
	object := fields(part)
	if text, _ := object["description"].(string); strings.TrimSpace(text) != "" {
		return true
	}
	target, refers := object["$ref"].(string)
	return refers && d.isDescribed(d.target(target))
}

// target returns what a reference such as #/components/schemas/Id refers to.
func (d *descriptions) target(reference string) any {
	var at any = d.document
	for name := range strings.SplitSeq(strings.TrimPrefix(reference, "#/"), "/") {
		at = fields(at)[name]
	}
	return at
}

func (d *descriptions) path(path string, item map[string]any) {
	d.t.Helper()
	for method, value := range item {
		if method == "parameters" {
			d.parameters(path, value)
			continue
		}
		operation, name := fields(value), strings.ToUpper(method)+" "+path
		if text, _ := operation["summary"].(string); text == "" {
			d.t.Errorf("%s has no summary", name)
		}
		d.part(name, operation)
		d.parameters(name, operation["parameters"])
		if body, has := operation["requestBody"]; has {
			d.part(name+" body", body)
			d.content(name+" body", body)
		}
		for status, response := range fields(operation["responses"]) {
			d.part(name+" "+status, response)
			d.content(name+" "+status, response)
		}
	}
}

func (d *descriptions) parameters(of string, list any) {
	d.t.Helper()
	for i, parameter := range items(list) {
		d.part(fmt.Sprintf("%s parameters[%d]", of, i), parameter)
	}
}

func (d *descriptions) content(name string, part any) {
	d.t.Helper()
	for _, media := range fields(fields(part)["content"]) {
		d.schema(name, fields(media)["schema"])
	}
}

// schema requires descriptions of all properties of a schema, at any depth. It follows no references: what they refer to
// is a component.
func (d *descriptions) schema(name string, schema any) {
	d.t.Helper()
	object := fields(schema)
	if len(object) == 0 {
		return
	}
	for property, value := range fields(object["properties"]) {
		d.part(name+"."+property, value)
		d.schema(name+"."+property, value)
	}
	for _, nested := range slices.Concat(
		[]any{object["items"]}, items(object["allOf"]), items(object["anyOf"]), items(object["oneOf"]),
	) {
		d.schema(name, nested)
	}
}
