package graph

import (
	"os"
	"path/filepath"
	"testing"

	"github.com/vektah/gqlparser/v2/ast"
	"github.com/vektah/gqlparser/v2/parser"
)

// Every part of the schema has a description: types, fields, arguments, input fields, enum values and directives.
func TestEveryPartOfTheSchemaHasADescription(t *testing.T) {
	t.Parallel()
	files, err := filepath.Glob("schema/*.graphqls")
	if err != nil || len(files) == 0 {
		t.Fatalf("no schema: %v", err)
	}
	for _, file := range files {
		text, err := os.ReadFile(file)
		if err != nil {
			t.Fatal(err)
		}
		document, err := parser.ParseSchema(&ast.Source{Name: file, Input: string(text)})
		if err != nil {
			t.Fatal(err)
		}
		described := parts{t: t, file: file}
		for _, directive := range document.Directives {
			described.part("@"+directive.Name, directive.Description)
			described.arguments("@"+directive.Name, directive.Arguments)
		}
		for _, definition := range document.Definitions {
			described.part(definition.Name, definition.Description)
			described.members(definition)
		}
		for _, extension := range document.Extensions {
			described.members(extension)
		}
	}
}

// parts reports the parts of a file that have no description.
type parts struct {
	t    *testing.T
	file string
}

func (p parts) part(name, description string) {
	p.t.Helper()
	if description == "" {
		p.t.Errorf("%s: %s has no description", p.file, name)
	}
}

func (p parts) members(definition *ast.Definition) {
	p.t.Helper()
	for _, value := range definition.EnumValues {
		p.part(definition.Name+"."+value.Name, value.Description)
	}
	for _, field := range definition.Fields {
		name := definition.Name + "." + field.Name
		p.part(name, field.Description)
		p.arguments(name, field.Arguments)
	}
}

func (p parts) arguments(of string, arguments ast.ArgumentDefinitionList) {
	p.t.Helper()
	for _, argument := range arguments {
		p.part(of+"("+argument.Name+":)", argument.Description)
	}
}
