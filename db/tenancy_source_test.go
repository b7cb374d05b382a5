package db_test

import (
	"fmt"
	"go/ast"
	"go/parser"
	"go/token"
	"path/filepath"
	"regexp"
	"slices"
	"strconv"
	"strings"
	"testing"
)

// unknown replaces a part of a statement that is known only at run time, such as a column that a caller chooses.
const unknown = " unknown_part "

// source is the code of a folder, parsed for the texts of its statements.
type source struct {
	texts     map[string]ast.Expr      // package-level constants and variables
	functions map[string]*ast.FuncDecl // without receiver
	all       []*ast.FuncDecl
	structs   map[string]*ast.StructType
}

// statement is one text that a function sends to the database, as far as the source shows it.
type statement struct {
	function string
	text     string
}

// readSource parses a folder's files, without tests and subfolders.
func readSource(t *testing.T, folder string) *source {
	t.Helper()
	names, err := filepath.Glob(filepath.Join(folder, "*.go"))
	if err != nil {
		t.Fatal(err)
	}
	s := &source{texts: map[string]ast.Expr{}, functions: map[string]*ast.FuncDecl{}, structs: map[string]*ast.StructType{}}
	for _, name := range names {
		if strings.HasSuffix(name, "_test.go") {
			continue
		}
		file, err := parser.ParseFile(token.NewFileSet(), name, nil, parser.SkipObjectResolution)
		if err != nil {
			t.Fatal(err)
		}
		for _, declaration := range file.Decls {
			s.add(declaration)
		}
	}
	return s
}

func (s *source) add(declaration ast.Decl) {
	switch declared := declaration.(type) {
	case *ast.FuncDecl:
		s.all = append(s.all, declared)
		if declared.Recv == nil {
			s.functions[declared.Name.Name] = declared
		}
	case *ast.GenDecl:
		for _, spec := range declared.Specs {
			switch spec := spec.(type) {
			case *ast.ValueSpec:
				for i, name := range spec.Names {
					if i < len(spec.Values) {
						s.texts[name.Name] = spec.Values[i]
					}
				}
			case *ast.TypeSpec:
				if structure, ok := spec.Type.(*ast.StructType); ok {
					s.structs[spec.Name.Name] = structure
				}
			}
		}
	}
}

// statements returns the text of every statement in the folder.
func (s *source) statements() []statement {
	var found []statement
	for _, function := range s.all {
		if function.Body == nil {
			continue
		}
		for _, text := range s.textsOf(function) {
			found = append(found, statement{function: function.Name.Name, text: text})
		}
	}
	return found
}

// textsOf returns the SQL texts of a function: concatenated strings, and the arguments of the query builder's methods.
func (s *source) textsOf(function *ast.FuncDecl) []string {
	locals := localsOf(function)
	var texts []string
	ast.Inspect(function.Body, func(node ast.Node) bool {
		expression, ok := node.(ast.Expr)
		if !ok {
			return true
		}
		if call, ok := node.(*ast.CallExpr); ok {
			if text := s.built(call, locals); text != "" {
				texts = append(texts, text)
				return !strings.HasPrefix(text, "SELECT")
			}
		}
		text, known := s.eval(expression, locals, 0)
		if known && looksLikeSQL(text) {
			texts = append(texts, text)
			return false
		}
		return true
	})
	return texts
}

// conditionAt is the index of a call's argument that is the condition.
var conditionAt = map[string]int{"where": 0, "whereIf": 1}

// built returns the statement of a chain of builder calls, such as devices.of(seller).withID(id), or the condition
// that a call adds to an existing query. For other calls it returns an empty text.
func (s *source) built(call *ast.CallExpr, locals map[string]ast.Expr) string {
	if of, ok := call.Fun.(*ast.IndexExpr); ok && calls(&ast.CallExpr{Fun: of.X}, "deleteFrom") {
		condition, _ := s.eval(call.Args[2], locals, 0)
		table, alias := s.tableOfModel(of.Index)
		return "DELETE FROM " + table + " " + alias + " WHERE " + condition
	}
	var conditions []string
	for at := ast.Expr(call); ; {
		next, ok := at.(*ast.CallExpr)
		if !ok {
			break
		}
		method, ok := next.Fun.(*ast.SelectorExpr)
		if !ok {
			return ""
		}
		switch method.Sel.Name {
		case "of":
			conditions = append(conditions, "(seller_id = $)")
		case "withID":
			conditions = append(conditions, "(id = $)")
		case "withIDs":
			conditions = append(conditions, "(id = ANY($))")
		case "where", "whereIf":
			condition, _ := s.eval(next.Args[conditionAt[method.Sel.Name]], locals, 0)
			conditions = append(conditions, "("+condition+")")
		}
		at = method.X
		if name, ok := at.(*ast.Ident); ok && locals[name.Name] == nil {
			slices.Reverse(conditions)
			return s.statementOf(name.Name, conditions)
		} else if ok {
			return strings.Join(conditions, " AND ")
		}
	}
	return ""
}

// statementOf returns a SELECT from the source in a variable of the package. For other variables it returns only the
// conditions.
func (s *source) statementOf(name string, conditions []string) string {
	condition := strings.Join(conditions, " AND ")
	address, ok := s.texts[name].(*ast.UnaryExpr)
	if !ok {
		return condition
	}
	declared, ok := address.X.(*ast.CompositeLit)
	if !ok {
		return condition
	}
	of, ok := declared.Type.(*ast.IndexExpr)
	if !ok {
		return condition
	}
	table, alias := s.tableOfModel(of.Index)
	columns, joins := s.columnsOf(of.Index, alias), ""
	table += " " + alias
	for _, element := range declared.Elts {
		pair, ok := element.(*ast.KeyValueExpr)
		if !ok {
			continue
		}
		switch text, _ := s.eval(pair.Value, nil, 0); pair.Key.(*ast.Ident).Name {
		case "columns":
			columns = strings.ReplaceAll(text, "?TableColumns", columns)
		case "table":
			table = text
		case "joins":
			joins = s.joined(pair.Value)
		}
	}
	if len(conditions) == 0 {
		condition = "true"
	}
	for _, column := range [...]string{"(seller_id = ", "(id = "} {
		condition = strings.ReplaceAll(condition, column, "("+alias+"."+column[1:])
	}
	return "SELECT " + columns + " FROM " + table + joins + " WHERE " + numbered(condition)
}

// unnumbered matches the placeholders that the builder numbers.
var unnumbered = regexp.MustCompile(`\$(?:[^0-9^]|$)`)

// numbered numbers the placeholders of conditions as the builder does.
func numbered(text string) string {
	number := 0
	return unnumbered.ReplaceAllStringFunc(text, func(found string) string {
		number++
		return "$" + strconv.Itoa(number) + found[1:]
	})
}

// columnsOf returns the columns that bun reads for a model.
func (s *source) columnsOf(model ast.Expr, alias string) string {
	name, ok := model.(*ast.Ident)
	if !ok || s.structs[name.Name] == nil {
		return unknown
	}
	var columns []string
	for _, field := range s.structs[name.Name].Fields.List {
		if len(field.Names) == 0 {
			if embedded := s.columnsOf(field.Type, alias); embedded != unknown {
				columns = append(columns, embedded)
			}
			continue
		}
		if field.Tag == nil || strings.Contains(field.Tag.Value, "scanonly") {
			continue
		}
		column, _, _ := strings.Cut(strings.TrimPrefix(field.Tag.Value, "`bun:\""), "\"")
		column, _, _ = strings.Cut(column, ",")
		columns = append(columns, alias+"."+column)
	}
	return strings.Join(columns, ", ")
}

// joined returns the joins of a source, from a list or a variable.
func (s *source) joined(list ast.Expr) string {
	if name, ok := list.(*ast.Ident); ok {
		list = s.texts[name.Name]
	}
	var joins strings.Builder
	for _, element := range list.(*ast.CompositeLit).Elts {
		text, _ := s.eval(element, nil, 0)
		joins.WriteString(" " + text)
	}
	return joins.String()
}

// tableOfModel returns the table of a row's type and its alias.
func (s *source) tableOfModel(model ast.Expr) (table, alias string) {
	name, ok := model.(*ast.Ident)
	if !ok || s.structs[name.Name] == nil {
		return unknown, "unknown_part"
	}
	if embedded, extends := s.extended(s.structs[name.Name]); extends {
		return s.tableOfModel(embedded)
	}
	table = tableOf(s.structs[name.Name])
	_, rest, _ := strings.Cut(tagsOf(s.structs[name.Name]), "alias:")
	alias, _, _ = strings.Cut(rest, "\"")
	return table, alias
}

// extended returns the model that another one embeds to add columns.
func (s *source) extended(structure *ast.StructType) (ast.Expr, bool) {
	for _, field := range structure.Fields.List {
		if field.Tag != nil && len(field.Names) == 0 && strings.Contains(field.Tag.Value, ",extend") {
			return field.Type, true
		}
	}
	return nil, false
}

func looksLikeSQL(text string) bool {
	for _, word := range [...]string{"SELECT ", "INSERT INTO ", "UPDATE ", "DELETE FROM ", "TRUNCATE "} {
		if strings.Contains(text, word) {
			return true
		}
	}
	return false
}

// calls reports whether a call is of a function or method with the name.
func calls(call *ast.CallExpr, name string) bool {
	switch function := call.Fun.(type) {
	case *ast.Ident:
		return function.Name == name
	case *ast.SelectorExpr:
		return function.Sel.Name == name
	}
	return false
}

// localsOf returns the first value of each variable in a function. Later assignments apply only under conditions.
func localsOf(function *ast.FuncDecl) map[string]ast.Expr {
	locals := map[string]ast.Expr{}
	ast.Inspect(function.Body, func(node ast.Node) bool {
		switch node := node.(type) {
		case *ast.AssignStmt:
			for i, left := range node.Lhs {
				name, ok := left.(*ast.Ident)
				if ok && i < len(node.Rhs) && len(node.Lhs) == len(node.Rhs) && locals[name.Name] == nil {
					locals[name.Name] = node.Rhs[i]
				}
			}
		case *ast.ValueSpec:
			for i, name := range node.Names {
				switch {
				case locals[name.Name] != nil:
				case i < len(node.Values):
					locals[name.Name] = node.Values[i]
				default:
					locals[name.Name] = &ast.BadExpr{}
				}
			}
		}
		return true
	})
	for _, field := range function.Type.Params.List {
		for _, name := range field.Names {
			delete(locals, name.Name)
			locals[name.Name] = &ast.BadExpr{} // the parameter hides the package's name
		}
	}
	return locals
}

// eval returns the text of an expression. It is known if any part of it is.
func (s *source) eval(expression ast.Expr, locals map[string]ast.Expr, depth int) (text string, known bool) {
	const deepest = 30
	if depth > deepest {
		return unknown, false
	}
	switch e := expression.(type) {
	case *ast.BasicLit:
		if e.Kind == token.STRING {
			unquoted, err := strconv.Unquote(e.Value)
			return unquoted, err == nil
		}
	case *ast.ParenExpr:
		return s.eval(e.X, locals, depth+1)
	case *ast.BinaryExpr:
		if e.Op == token.ADD {
			left, leftKnown := s.eval(e.X, locals, depth+1)
			right, rightKnown := s.eval(e.Y, locals, depth+1)
			return left + right, leftKnown || rightKnown
		}
	case *ast.Ident:
		if value, ok := locals[e.Name]; ok {
			return s.eval(value, without(locals, e.Name), depth+1)
		}
		if value, ok := s.texts[e.Name]; ok {
			return s.eval(value, nil, depth+1)
		}
	case *ast.CallExpr:
		return s.evalCall(e, locals, depth)
	}
	return unknown, false
}

// without returns the variables that a variable's own value may refer to.
func without(locals map[string]ast.Expr, name string) map[string]ast.Expr {
	rest := make(map[string]ast.Expr, len(locals))
	for other, value := range locals {
		if other != name {
			rest[other] = value
		}
	}
	return rest
}

// evalCall evaluates strings.Replace, fmt.Sprintf and the package's one-line functions.
func (s *source) evalCall(call *ast.CallExpr, locals map[string]ast.Expr, depth int) (text string, known bool) {
	args := make([]string, len(call.Args))
	for i, arg := range call.Args {
		args[i], _ = s.eval(arg, locals, depth+1)
	}
	switch {
	case (calls(call, "Replace") || calls(call, "ReplaceAll")) && len(args) >= 3:
		return strings.ReplaceAll(args[0], args[1], args[2]), true
	case calls(call, "Sprintf"):
		return formatted(args), true
	}
	name, ok := call.Fun.(*ast.Ident)
	if !ok {
		return unknown, false
	}
	function := s.functions[name.Name]
	if function == nil || function.Body == nil || len(function.Body.List) != 1 {
		return unknown, false
	}
	result, ok := function.Body.List[0].(*ast.ReturnStmt)
	if !ok || len(result.Results) != 1 {
		return unknown, false
	}
	bound := map[string]ast.Expr{}
	i := 0
	for _, field := range function.Type.Params.List {
		for _, parameter := range field.Names {
			if i < len(args) {
				bound[parameter.Name] = &ast.BasicLit{Kind: token.STRING, Value: strconv.Quote(args[i])}
			}
			i++
		}
	}
	return s.eval(result.Results[0], bound, depth+1)
}

// formatted fills %s, %d and %v in order, and %[1]s by number.
func formatted(args []string) string {
	text := args[0]
	for i, arg := range args[1:] {
		text = strings.ReplaceAll(text, fmt.Sprintf("%%[%d]s", i+1), arg)
	}
	for _, arg := range args[1:] {
		at := strings.IndexByte(text, '%')
		if at < 0 || at+1 >= len(text) {
			break
		}
		text = text[:at] + arg + text[at+2:]
	}
	return text
}
