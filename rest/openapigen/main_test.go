package main

import (
	"bytes"
	"fmt"
	"os"
	"strings"
	"testing"

	"github.com/goccy/go-yaml"
)

// schemasOf returns the generated schemas for the repository's GraphQL schema and a REST-only text.
func schemasOf(t *testing.T, restOnly []byte) ([]byte, error) {
	t.Helper()
	schema, err := readSchema("../../" + schemaFiles)
	if err != nil {
		t.Fatal(err)
	}
	return generate(schema, restOnly)
}

func readRestOnly(t *testing.T) []byte {
	t.Helper()
	text, err := os.ReadFile("rest_only.yaml")
	if err != nil {
		t.Fatal(err)
	}
	return text
}

func TestCommittedSchemasAreCurrent(t *testing.T) {
	t.Parallel()
	want, err := schemasOf(t, readRestOnly(t))
	if err != nil {
		t.Fatal(err)
	}
	got, err := os.ReadFile("../openapi_schemas.yaml")
	if err != nil {
		t.Fatal(err)
	}
	if !bytes.Equal(got, want) {
		t.Error("rest/openapi_schemas.yaml is not current: run make generate")
	}
}

func TestSchemas(t *testing.T) {
	t.Parallel()
	text, err := schemasOf(t, readRestOnly(t))
	if err != nil {
		t.Fatal(err)
	}
	var schemas map[string]struct {
		Required   []string
		Enum       []any
		Properties map[string]map[string]any
	}
	if err := yaml.Unmarshal(text, &schemas); err != nil {
		t.Fatal(err)
	}
	has := func(schema, property string) bool { return schemas[schema].Properties[property] != nil }
	is := func(schema, property, key, want string) bool {
		return fmt.Sprint(schemas[schema].Properties[property][key]) == want
	}
	for name, right := range map[string]bool{
		"leaves edges out":                        has("ScannedTicket", "customerId") && !has("ScannedTicket", "customer"),
		"leaves out what REST has headers for":    has("UpdateWebhookRequest", "url") && !has("UpdateWebhookRequest", "expectedUpdatedAt"),
		"spells fields as REST does":              has("ScannedTicket", "__v") && !has("ScannedTicket", "_v"),
		"spells enumerations as REST does":        strings.Contains(fmt.Sprint(schemas["Language"].Enum), "de-CH"),
		"requires no field that may be null":      !strings.Contains(strings.Join(schemas["Webhook"].Required, " "), "hmacKey"),
		"lets a request send null":                is("CreateWebhookRequest", "hmacKey", "type", "[string null]"),
		"lets a resource be sent back":            is("UpdateWebhookRequest", "_id", "$ref", "#/components/schemas/Ignored"),
		"adds what only REST has":                 has("PurchaseIntent", "charges"),
		"adds bounds that the schema doesn't say": is("WantedItem", "amount", "maximum", "1000"),
	} {
		if !right {
			t.Errorf("got false: the generator %s", name)
		}
	}
}

func TestGenerateRefusesUnusedParts(t *testing.T) {
	t.Parallel()
	for name, test := range map[string]struct{ old, replacement, want string }{
		"a field that the schema lacks":    {"Webhook:\n  properties:", "Webhook:\n  properties:\n    colour: {minLength: 1}", "Webhook.colour"},
		"a component that the table lacks": {"Webhook:\n", "Hook:\n", "Hook._id"},
		"a field that nothing describes":   {"    outerCharge:", "    charge:", "outerCharge: neither"},
	} {
		t.Run(name, func(t *testing.T) {
			t.Parallel()
			restOnly := bytes.Replace(readRestOnly(t), []byte("\n"+test.old), []byte("\n"+test.replacement), 1)
			if _, err := schemasOf(t, restOnly); err == nil || !strings.Contains(err.Error(), test.want) {
				t.Errorf("got %v, want an error about %s", err, test.want)
			}
		})
	}
}
