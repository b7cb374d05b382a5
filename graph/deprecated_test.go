package graph_test

import (
	"encoding/json"
	"io/fs"
	"os"
	"path/filepath"
	"regexp"
	"slices"
	"strings"
	"testing"

	"github.com/vektah/gqlparser/v2"
	"github.com/vektah/gqlparser/v2/ast"
	"github.com/vektah/gqlparser/v2/validator/core"
	"github.com/vektah/gqlparser/v2/validator/rules"

	"ticketgate/graph/generated"
)

// Documents in the dashboard, its playground, the docs, the benchmark and the browser tests use nothing deprecated
// (GRAPH-11). Each source must yield a minimum of documents, so that a moved folder fails the test.
func TestDocumentsUseNothingDeprecated(t *testing.T) {
	t.Parallel()
	schema := generated.NewExecutableSchema(generated.Config{}).Schema()
	for _, source := range []struct {
		folder, ending string
		documents      func(text string) []string
		atLeast        int
	}{
		{"../dashboard/src", ".graphql", func(text string) []string { return []string{text} }, 50},
		{"../docs", ".md", fenced, 1},
		{"../bench", ".go", stringsOf, 8},
		{"../dashboard/e2e", ".ts", stringsOf, 20},
	} {
		found := 0
		for file, text := range textsIn(t, source.folder, source.ending) {
			for _, document := range source.documents(text) {
				parsed, errs := gqlparser.LoadQueryWithRules(schema, document, rules.NewDefaultRules())
				if len(errs) > 0 {
					if source.ending == ".graphql" {
						t.Errorf("%s: %v", file, errs)
					}
					continue // assembled at run time
				}
				found++
				for _, use := range deprecatedIn(schema, parsed, variablesBeside(t, file)) {
					t.Errorf("%s uses %s, which is deprecated", file, use)
				}
			}
		}
		if found < source.atLeast {
			t.Errorf("only %d documents in %s", found, source.folder)
		}
	}
}

func TestDeprecatedUsesAreFound(t *testing.T) {
	t.Parallel()
	schema := gqlparser.MustLoadSchema(&ast.Source{Input: `
		type Query { old: Int @deprecated new(old: Int @deprecated, filter: Filter, filters: [Filter!], any: Any): Query }
		input Filter { old: Int @deprecated new: Kind within: Filter }
		enum Kind { OLD @deprecated NEW }
		scalar Any`})
	for document, want := range map[string][]string{
		"{ new { new { __typename } } }":       nil,
		"{ old }":                              {"Query.old"},
		"{ new { old } }":                      {"Query.old"},
		"{ ...f } fragment f on Query { old }": {"Query.old"},
		"{ new(old: 1) { __typename } }":       {"Query.new(old:)"},
		"{ new(filter: {new: NEW, within: {old: 1}}) { __typename } }":        {"Filter.old"},
		"{ new(filters: [{new: OLD}]) { __typename } }":                       {"Kind.OLD"},
		"{ new(any: {old: 1}) { __typename } }":                               nil,
		"query($none: Filter) { new(filter: $none) { __typename } }":          nil,
		"query($one: Filter) { new(filter: $one) { __typename } }":            {"Filter.old"},
		"query($many: [Filter!]) { new(filters: $many) { __typename } }":      {"Filter.old", "Kind.OLD"},
		"query($a: Filter = {old: 1}) { new(filter: $a) { __typename } }":     {"Filter.old"},
		"query($kind: Kind) { new(filter: {new: $kind}) { __typename } }":     {"Kind.OLD"},
		"query($n: Int) { new(filter: {within: {old: $n}}) { new { old } } }": {"Filter.old", "Query.old"},
	} {
		parsed, errs := gqlparser.LoadQueryWithRules(schema, document, rules.NewDefaultRules())
		if len(errs) > 0 {
			t.Fatalf("%s: %v", document, errs)
		}
		variables := map[string]any{
			"one":  map[string]any{"within": map[string]any{"old": 1}},
			"many": []any{map[string]any{"new": "OLD"}, map[string]any{"old": nil}},
			"kind": "OLD",
		}
		if got := deprecatedIn(schema, parsed, variables); !slices.Equal(got, want) {
			t.Errorf("%s: %v, want %v", document, got, want)
		}
	}
}

// The table in docs/graphql.md has a row for everything that is deprecated, and no other rows (GRAPH-11).
func TestDocsNameDeprecations(t *testing.T) {
	t.Parallel()
	var deprecated []string
	note := func(directives ast.DirectiveList, name string) {
		if directives.ForName("deprecated") != nil {
			deprecated = append(deprecated, name)
		}
	}
	for name, definition := range generated.NewExecutableSchema(generated.Config{}).Schema().Types {
		if definition.BuiltIn {
			continue
		}
		for _, field := range definition.Fields {
			note(field.Directives, name+"."+field.Name)
			for _, argument := range field.Arguments {
				note(argument.Directives, name+"."+field.Name+"("+argument.Name+":)")
			}
		}
		for _, value := range definition.EnumValues {
			note(value.Directives, name+"."+value.Name)
		}
	}
	text, err := os.ReadFile("../docs/graphql.md")
	if err != nil {
		t.Fatal(err)
	}
	var listed []string
	_, table, _ := strings.Cut(string(text), "| Deprecated | Use | Since |\n")
	for line := range strings.Lines(table) {
		if !strings.HasPrefix(line, "|") {
			break
		}
		for _, found := range code.FindAllStringSubmatch(strings.Split(line, "|")[1], -1) {
			listed = append(listed, found[1])
		}
	}
	slices.Sort(deprecated)
	slices.Sort(listed)
	if !slices.Equal(deprecated, listed) {
		t.Errorf("the docs list %v, but %v are deprecated", listed, deprecated)
	}
}

var code = regexp.MustCompile("`([^`]+)`")

// docs/graphql.md lists exactly the types that `node` returns, in the order of the schema.
func TestDocsNameNodeTypes(t *testing.T) {
	t.Parallel()
	var types []string
	for _, value := range generated.NewExecutableSchema(generated.Config{}).Schema().Types["NodeType"].EnumValues {
		types = append(types, value.Name)
	}
	text, err := os.ReadFile("../docs/graphql.md")
	if err != nil {
		t.Fatal(err)
	}
	var listed []string
	_, list, _ := strings.Cut(string(text), "It reads the types")
	list, _, _ = strings.Cut(list, "\n\n")
	for _, found := range code.FindAllStringSubmatch(list, -1) {
		listed = append(listed, found[1])
	}
	if !slices.Equal(listed, types) {
		t.Errorf("the docs list %v, but node returns %v", listed, types)
	}
}

// deprecatedIn returns the deprecated parts of the schema that a document and the values of its variables use, sorted.
func deprecatedIn(schema *ast.Schema, document *ast.QueryDocument, variables map[string]any) []string {
	var found []string
	note := func(directives ast.DirectiveList, name string) {
		if directives.ForName("deprecated") != nil {
			found = append(found, name)
		}
	}
	noteEnum := func(definition *ast.Definition, name string) {
		if value := definition.EnumValues.ForName(name); value != nil {
			note(value.Directives, definition.Name+"."+name)
		}
	}
	events := &core.Events{}
	events.OnField(func(_ *core.Walker, field *ast.Field) {
		name := field.ObjectDefinition.Name + "." + field.Name
		note(field.Definition.Directives, name)
		for _, argument := range field.Arguments {
			note(field.Definition.Arguments.ForName(argument.Name).Directives, name+"("+argument.Name+":)")
		}
	})
	events.OnValue(func(_ *core.Walker, value *ast.Value) {
		if value.Definition == nil {
			return // inside a JSON value
		}
		switch value.Kind {
		case ast.EnumValue:
			noteEnum(value.Definition, value.Raw)
		case ast.ObjectValue:
			for _, child := range value.Children {
				if field := value.Definition.Fields.ForName(child.Name); field != nil {
					note(field.Directives, value.Definition.Name+"."+child.Name)
				}
			}
		default: // has no parts that could be deprecated
		}
	})
	core.Walk(schema, document, events)

	var given func(definition *ast.Definition, value any)
	given = func(definition *ast.Definition, value any) {
		switch value := value.(type) {
		case []any:
			for _, element := range value {
				given(definition, element)
			}
		case string:
			noteEnum(definition, value)
		case map[string]any:
			for name, child := range value {
				if field := definition.Fields.ForName(name); field != nil {
					note(field.Directives, definition.Name+"."+name)
					given(schema.Types[field.Type.Name()], child)
				}
			}
		}
	}
	for _, operation := range document.Operations {
		for _, variable := range operation.VariableDefinitions {
			given(schema.Types[variable.Type.Name()], variables[variable.Variable])
		}
	}
	slices.Sort(found)
	return slices.Compact(found)
}

// textsIn returns the contents of all files in a folder with the given ending, by path.
func textsIn(t *testing.T, folder, ending string) map[string]string {
	t.Helper()
	texts := map[string]string{}
	err := filepath.WalkDir(folder, func(path string, entry fs.DirEntry, err error) error {
		if err != nil || entry.IsDir() || !strings.HasSuffix(path, ending) {
			return err
		}
		text, err := os.ReadFile(path)
		texts[path] = string(text)
		return err
	})
	if err != nil {
		t.Fatal(err)
	}
	return texts
}

// variablesBeside returns the variables of a playground example, which are in a separate file.
func variablesBeside(t *testing.T, file string) map[string]any {
	t.Helper()
	text, err := os.ReadFile(strings.TrimSuffix(file, ".graphql") + ".json")
	if os.IsNotExist(err) {
		return nil
	}
	var variables map[string]any
	if err == nil {
		err = json.Unmarshal(text, &variables)
	}
	if err != nil {
		t.Fatalf("%s: %v", file, err)
	}
	return variables
}

var fence = regexp.MustCompile("(?s)```graphql\n(.*?)```")

func fenced(text string) []string {
	var documents []string
	for _, found := range fence.FindAllStringSubmatch(text, -1) {
		documents = append(documents, found[1])
	}
	return documents
}

var (
	// hole matches the point where a program inserts a value into a string: ` + name + `.
	hole     = regexp.MustCompile("`\\s*\\+[^`\"\n;]*\\+\\s*`")
	literals = regexp.MustCompile("\"(?:[^\"\\\\\n]|\\\\.)*\"|`[^`]*`")
	// operation matches the start of a string that may be a document.
	operation = regexp.MustCompile(`^\s*(\{\s*\w|(query|mutation|subscription)\b[^{]*\{)`)
)

// stringsOf returns the strings in a Go or TypeScript file that look like documents.
func stringsOf(text string) []string {
	var documents []string
	for _, literal := range literals.FindAllString(hole.ReplaceAllString(text, ""), -1) {
		if unquoted := literal[1 : len(literal)-1]; operation.MatchString(unquoted) {
			documents = append(documents, strings.ReplaceAll(unquoted, `\"`, `"`))
		}
	}
	return documents
}
