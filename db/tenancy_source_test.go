package db_test

import (
	"fmt"
	"go/ast"
	"go/parser"
	"go/token"
	"path/filepath"
	"strconv"
	"strings"
	"testing"
)

// unknown replaces a part of a statement that only the running program knows, such as a column that a caller chooses.
const unknown = " unknown_part "

// source is the code of a folder, read for the texts of its statements.
type source struct {
	texts     map[string]ast.Expr      // package-level constants and variables
	functions map[string]*ast.FuncDecl // without receiver
	all       []*ast.FuncDecl
	structs   map[string]*ast.StructType
}

// statement is one text that a function sends to the database, as far as the source says it.
type statement struct {
	function string
	text     string
}

// readSource parses a folder's files, without tests and without the folders below it.
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

// textsOf returns the texts in one function: strings that are put together, and what the query builder is given.
func (s *source) textsOf(function *ast.FuncDecl) []string {
	locals := localsOf(function)
	var texts, conditions []string
	built := ""
	ast.Inspect(function.Body, func(node ast.Node) bool {
		if call, ok := node.(*ast.CallExpr); ok {
			switch {
			case calls(call, "selectFrom"):
				columns, _ := s.eval(call.Args[0], locals, 0)
				from, _ := s.eval(call.Args[1], locals, 0)
				if built != "" {
					texts = append(texts, built+" WHERE "+strings.Join(conditions, " AND "))
				}
				built = "SELECT " + columns + " FROM " + from
				return false
			case calls(call, "where"):
				condition, _ := s.eval(call.Args[0], locals, 0)
				conditions = append(conditions, condition)
			case calls(call, "whereIf"):
				condition, _ := s.eval(call.Args[1], locals, 0)
				texts = append(texts, "("+condition+")")
			}
		}
		expression, ok := node.(ast.Expr)
		if !ok {
			return true
		}
		text, known := s.eval(expression, locals, 0)
		if known && looksLikeSQL(text) {
			texts = append(texts, text)
			return false
		}
		return true
	})
	if built != "" {
		texts = append(texts, built+" WHERE "+strings.Join(conditions, " AND "))
	}
	return texts
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

// localsOf returns the first value of each variable in a function: what is assigned later applies only under conditions.
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
				if i < len(node.Values) && locals[name.Name] == nil {
					locals[name.Name] = node.Values[i]
				}
			}
		}
		return true
	})
	for _, field := range function.Type.Params.List {
		for _, name := range field.Names {
			delete(locals, name.Name)
			locals[name.Name] = &ast.BadExpr{} // an argument hides what the package calls so
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

// evalCall returns what strings.Replace, fmt.Sprintf and the package's own functions of one line put together.
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
