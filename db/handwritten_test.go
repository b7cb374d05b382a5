package db_test

import (
	"fmt"
	"go/ast"
	"go/parser"
	"go/token"
	"maps"
	"os"
	"path/filepath"
	"regexp"
	"slices"
	"strconv"
	"strings"
	"testing"

	"github.com/google/go-cmp/cmp"
)

// builders are the files that build and run statements.
var builders = []string{
	"select.go", "filters.go", "listing.go", "within.go", "write.go", "store.go", "read_bound.go", "scan_rows.go",
	"pooler.go", "together.go",
}

// runners run a statement. passing are the functions among them that get the statement from their callers.
var (
	runners = []string{
		"rows", "row", "countedRows", "exec", "changeOne", "QueryContext", "ExecContext", "QueryRowContext", "Exec", "Query", "QueryRow",
	}
	passing = []string{"texts", "foundTicket", "countsOfTypes"}
)

// handwritten returns the functions with statements that no builder made, as "file Receiver.Function", with the
// number of statements.
func handwritten(t *testing.T) map[string]int {
	t.Helper()
	files, err := filepath.Glob("*.go")
	if err != nil {
		t.Fatal(err)
	}
	found := map[string]int{}
	for _, name := range files {
		if strings.HasSuffix(name, "_test.go") || slices.Contains(builders, name) {
			continue
		}
		file, err := parser.ParseFile(token.NewFileSet(), name, nil, parser.SkipObjectResolution)
		if err != nil {
			t.Fatal(err)
		}
		for _, declared := range file.Decls {
			function, ok := declared.(*ast.FuncDecl)
			if !ok || slices.Contains(passing, function.Name.Name) {
				continue
			}
			if statements := statementsIn(function); statements > 0 {
				found[name+" "+receiverOf(function)+function.Name.Name] = statements
			}
		}
	}
	return found
}

// statementsIn counts the calls that run a statement, except those with the text of a builder, and the statements
// that run together with others.
func statementsIn(function *ast.FuncDecl) (statements int) {
	ast.Inspect(function, func(node ast.Node) bool {
		if literal, ok := node.(*ast.CompositeLit); ok {
			if of, named := literal.Type.(*ast.Ident); named && of.Name == "statement" {
				statements++
			}
		}
		call, ok := node.(*ast.CallExpr)
		if !ok {
			return true
		}
		of := call
		if typed, ok := call.Fun.(*ast.IndexExpr); ok {
			of = &ast.CallExpr{Fun: typed.X}
		}
		runs := slices.ContainsFunc(append(runners, passing...), func(name string) bool { return calls(of, name) })
		if _, method := of.Fun.(*ast.SelectorExpr); method && (calls(of, "rows") || calls(of, "row")) {
			runs = false // the text of a query
		}
		built := slices.ContainsFunc(call.Args, func(arg ast.Expr) bool {
			text, ok := arg.(*ast.CallExpr)
			return ok && calls(text, "deleteText")
		})
		if runs && !built {
			statements++
		}
		return true
	})
	return statements
}

func receiverOf(function *ast.FuncDecl) string {
	if function.Recv == nil {
		return ""
	}
	kind := function.Recv.List[0].Type
	if pointer, ok := kind.(*ast.StarExpr); ok {
		kind = pointer.X
	}
	return fmt.Sprint(kind) + "."
}

// documented returns the rows of docs/internals/sql.md. Each must have one of the reasons that the page explains.
func documented(t *testing.T) map[string]int {
	t.Helper()
	page, err := os.ReadFile(filepath.Join("..", "docs", "internals", "sql.md"))
	if err != nil {
		t.Fatal(err)
	}
	reasons := map[string]bool{}
	for _, row := range regexp.MustCompile(`(?m)^\| \*\*([a-z ]+)\*\* \|`).FindAllStringSubmatch(string(page), -1) {
		reasons[row[1]] = true
	}
	rows := map[string]int{}
	for _, row := range regexp.MustCompile("(?m)^\\| `([\\w.]+)` \\| `(\\w+\\.go)` \\| (\\d+) \\| ([a-z ]+) \\|").
		FindAllStringSubmatch(string(page), -1) {
		if !reasons[row[4]] {
			t.Errorf("%s has the reason %q, which the page does not explain", row[1], row[4])
		}
		rows[row[2]+" "+row[1]], err = strconv.Atoi(row[3])
		if err != nil {
			t.Fatal(err)
		}
	}
	return rows
}

// docs/internals/sql.md lists exactly the statements that no builder made, each with its reason (SQL-3).
func TestHandwrittenStatementsAreListed(t *testing.T) {
	t.Parallel()
	found := handwritten(t)
	if difference := cmp.Diff(documented(t), found); difference != "" {
		t.Errorf("docs/internals/sql.md lists statements that differ from the code (-listed +there):\n%s", difference)
	}
	all := 0
	for statements := range maps.Values(found) {
		all += statements
	}
	t.Logf("%d statements in %d functions", all, len(found))
}
