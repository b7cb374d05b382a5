package graph_test

import (
	"testing"

	"github.com/vektah/gqlparser/v2/ast"

	"ticketgate/domain/document"
	"ticketgate/domain/sale"
	"ticketgate/domain/ticket"
	"ticketgate/graph/generated"
)

// schemaNames maps parts of resources to their names in the schema, which differ because the schema also has types of
// other areas.
var schemaNames = map[string]string{"Package": "TicketPackage", "Lock": "TicketLock", "Document": "IdentificationDocument"}

func schemaName(definition *document.Definition) string {
	if name, other := schemaNames[definition.Name]; other {
		return name
	}
	return definition.Name
}

// references lists the fields that the schema adds to a resource's own: its related records.
var references = map[string][]string{"Transaction": {"invoices", "issuedTickets", "event", "checkout", "customer"}, "Ticket": {
	"transaction", "event", "ticketType", "customer", "scans", "presence", "entry", "originTicket",
}}

// The schema has exactly the fields of the resources' tables, and requires those that the table requires.
func TestSchemaShowsResourceTables(t *testing.T) {
	t.Parallel()
	schema := generated.NewExecutableSchema(generated.Config{}).Schema()
	for _, resource := range []struct {
		definition *document.Definition
		tables     int
	}{{ticket.Definition, 9}, {sale.TransactionDefinition, 38}} {
		definitions := resource.definition.Definitions()
		if len(definitions) != resource.tables {
			t.Errorf("%s has %d tables, want %d", resource.definition.Name, len(definitions), resource.tables)
		}
		for _, definition := range definitions {
			checkTable(t, schema, definition)
		}
	}
}

func checkTable(t *testing.T, schema *ast.Schema, definition *document.Definition) {
	t.Helper()
	shown := schema.Types[schemaName(definition)]
	if shown == nil {
		t.Errorf("%s is not a type of the schema", definition.Name)
		return
	}
	for _, member := range definition.Members {
		name := member.Name
		if name == "__v" {
			name = "_v" // GraphQL reserves names with two leading underscores
		}
		field := shown.Fields.ForName(name)
		if field == nil {
			t.Errorf("%s.%s is missing", shown.Name, name)
			continue
		}
		if field.Type.NonNull != member.Required {
			t.Errorf("%s.%s: non-null is %v, want %v", shown.Name, name, field.Type.NonNull, member.Required)
		}
		checkShown(t, schema, shown.Name+"."+name, field.Type, member.Type)
	}
	if want := len(definition.Members) + len(references[shown.Name]); len(shown.Fields) != want {
		t.Errorf("%s has %d fields, want %d", shown.Name, len(shown.Fields), want)
	}
	for _, name := range references[shown.Name] {
		if field := shown.Fields.ForName(name); field == nil || field.Type.NonNull {
			t.Errorf("%s.%s is missing, or non-null, so that its refusal would hide the resource", shown.Name, name)
		}
	}
}

var scalarNames = map[document.Kind]string{
	document.Any: "JSON", document.Free: "JSON", document.Text: "String", document.ID: "ID", document.UUID: "String",
	document.DateTime: "DateTime", document.Boolean: "Boolean", document.Decimal: "Number", document.Integer: "Integer",
	document.IntegerEnumeration: "Int", document.Email: "String", document.Country: "String",
	document.CountryText: "String", document.SlotTime: "String", document.TextOrArray: "IDOrList", document.Map: "JSON",
}

func checkShown(t *testing.T, schema *ast.Schema, where string, shown *ast.Type, of document.Type) {
	t.Helper()
	switch of.Kind {
	case document.Array:
		if shown.Elem == nil {
			t.Errorf("%s is not a list", where)
			return
		}
		checkShown(t, schema, where+"[]", shown.Elem, *of.Element)
	case document.Object:
		if shown.NamedType != schemaName(of.Object) {
			t.Errorf("%s is of type %s, want %s", where, shown.NamedType, schemaName(of.Object))
		}
	case document.Enumeration:
		values := schema.Types[shown.NamedType].EnumValues
		if len(values) != len(of.Names) {
			t.Errorf("%s has %d values, want %d", where, len(values), len(of.Names))
		}
		for _, name := range of.Names {
			if values.ForName(document.GraphQLName(name)) == nil {
				t.Errorf("%s has no value %s", where, name)
			}
		}
	default:
		if shown.NamedType != scalarNames[of.Kind] {
			t.Errorf("%s is of type %s, want %s", where, shown.NamedType, scalarNames[of.Kind])
		}
	}
}
