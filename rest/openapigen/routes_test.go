package main

import (
	"encoding/json"
	"os"
	"slices"
	"strconv"
	"strings"
	"testing"

	"github.com/goccy/go-yaml"
	"github.com/vektah/gqlparser/v2/ast"

	"ticketgate/rest"
)

// These types are the parts of the document that this test uses.
type (
	documented struct {
		Ref        string                `json:"$ref"`
		AllOf      []documented          `json:"allOf"`
		Items      *documented           `json:"items"`
		Properties map[string]documented `json:"properties"`
	}
	documentedBody struct {
		Content map[string]struct {
			Schema documented `json:"schema"`
		} `json:"content"`
	}
	documentedOperation struct {
		RequestBody documentedBody            `json:"requestBody"`
		Responses   map[string]documentedBody `json:"responses"`
	}
	document struct {
		Paths      map[string]map[string]json.RawMessage `json:"paths"` // a path may have parameters too
		Components struct {
			Schemas map[string]documented `json:"schemas"`
		} `json:"components"`
	}
)

func readDocument(t *testing.T) document {
	t.Helper()
	var source []byte
	for _, file := range []string{"../openapi.yaml", "../openapi_schemas.yaml"} {
		text, err := os.ReadFile(file)
		if err != nil {
			t.Fatal(err)
		}
		source = append(source, text...)
	}
	text, err := yaml.YAMLToJSON(source)
	var read document
	if err == nil {
		err = json.Unmarshal(text, &read)
	}
	if err != nil {
		t.Fatal(err)
	}
	return read
}

// names returns the names of a schema or its parts: an object, the elements of an array, the items of a page.
func (d document) names(of documented) []string {
	if of.Items != nil {
		return d.names(*of.Items)
	}
	if docs, ok := of.Properties["docs"]; ok {
		return d.names(docs)
	}
	var all []string
	if name, found := strings.CutPrefix(of.Ref, "#/components/schemas/"); found {
		all = append(append(all, name), d.names(d.Components.Schemas[name])...)
	}
	for _, part := range of.AllOf {
		all = append(all, d.names(part)...)
	}
	return all
}

// A route runs the operation of a root field, so its body and response have the schemas of the field's types
// (GRAPH-20).
func TestRoutesHaveTheSchemasOfTheirFields(t *testing.T) {
	t.Parallel()
	schema, err := readSchema("../../" + schemaFiles)
	if err != nil {
		t.Fatal(err)
	}
	components := namesOfComponents()
	described, compared := readDocument(t), 0
	for _, route := range rest.Routes() {
		field := schema.Query.Fields.ForName(string(route.Operation))
		if field == nil {
			field = schema.Mutation.Fields.ForName(string(route.Operation))
		}
		var operation documentedOperation
		if err := json.Unmarshal(described.Paths[route.Path][strings.ToLower(route.Method)], &operation); err != nil {
			t.Fatal(err)
		}
		check := func(what string, of *ast.Type, body documentedBody) {
			want, ok := components[strings.TrimSuffix(of.Name(), "Connection")]
			got := described.names(body.Content["application/json"].Schema)
			if ok && !slices.Contains(got, want) {
				t.Errorf("%s %s: the %s is %q, want %s", route.Method, route.Path, what, got, want)
			}
			if ok {
				compared++
			}
		}
		check("response", field.Type, operation.Responses[strconv.Itoa(route.Status)])
		if input := field.Arguments.ForName("input"); input != nil {
			check("body", input.Type, operation.RequestBody)
		}
	}
	if compared < len(rest.Routes()) {
		t.Errorf("only %d schemas of %d routes were compared", compared, len(rest.Routes()))
	}
}
