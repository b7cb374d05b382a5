package graph_test

import (
	"testing"

	"github.com/vektah/gqlparser/v2/ast"

	"ticketgate/domain/document"
	"ticketgate/domain/ticket"
	"ticketgate/graph/generated"
)

// schemaNames are the names that the ticket's parts have in the schema, where they stand beside other areas' types.
var schemaNames = map[string]string{
	"Ticket": "Ticket", "Seating": "Seating", "Package": "TicketPackage", "Lock": "TicketLock", "AddOn": "AddOn",
	"Capability": "Capability", "CapabilitySettings": "CapabilitySettings", "ReturnPhase": "ReturnPhase",
	"ReturnCondition": "ReturnCondition",
}

// The schema shows every member of the resource's table, required where the table requires it, and no other.
func TestTheSchemaShowsTheTableOfTickets(t *testing.T) {
	t.Parallel()
	schema := generated.NewExecutableSchema(generated.Config{}).Schema()
	definitions := ticket.Definition.Definitions()
	if len(definitions) != len(schemaNames) {
		t.Errorf("the ticket has %d tables, want %d", len(definitions), len(schemaNames))
	}
	for _, definition := range definitions {
		shown := schema.Types[schemaNames[definition.Name]]
		if shown == nil {
			t.Errorf("%s is no type of the schema", definition.Name)
			continue
		}
		for _, member := range definition.Members {
			name := member.Name
			if name == "__v" {
				name = "_v" // names that begin with two underscores are GraphQL's own
			}
			field := shown.Fields.ForName(name)
			if field == nil {
				t.Errorf("%s.%s is not shown", shown.Name, name)
				continue
			}
			if field.Type.NonNull != member.Required {
				t.Errorf("%s.%s: never null is %v, want %v", shown.Name, name, field.Type.NonNull, member.Required)
			}
			checkShown(t, schema, shown.Name+"."+name, field.Type, member.Type)
		}
		if len(shown.Fields) != len(definition.Members) {
			t.Errorf("%s has %d fields, want %d", shown.Name, len(shown.Fields), len(definition.Members))
		}
	}
}

var scalarNames = map[document.Kind]string{
	document.Any: "JSON", document.Free: "JSON", document.Text: "String", document.ID: "ID", document.UUID: "String",
	document.DateTime: "DateTime", document.Boolean: "Boolean", document.Decimal: "Number", document.Integer: "Int",
	document.IntegerEnumeration: "Int",
}

func checkShown(t *testing.T, schema *ast.Schema, where string, shown *ast.Type, of document.Type) {
	t.Helper()
	switch of.Kind {
	case document.Array:
		if shown.Elem == nil {
			t.Errorf("%s is no list", where)
			return
		}
		checkShown(t, schema, where+"[]", shown.Elem, *of.Element)
	case document.Object:
		if shown.NamedType != schemaNames[of.Object.Name] {
			t.Errorf("%s is of type %s, want %s", where, shown.NamedType, schemaNames[of.Object.Name])
		}
	case document.Enumeration:
		values := schema.Types[shown.NamedType].EnumValues
		if len(values) != len(of.Names) {
			t.Errorf("%s has %d values, want %d", where, len(values), len(of.Names))
		}
		for _, name := range of.Names {
			if values.ForName(name) == nil {
				t.Errorf("%s has no value %s", where, name)
			}
		}
	default:
		if shown.NamedType != scalarNames[of.Kind] {
			t.Errorf("%s is of type %s, want %s", where, shown.NamedType, scalarNames[of.Kind])
		}
	}
}
