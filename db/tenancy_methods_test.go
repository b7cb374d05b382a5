package db_test

import (
	"go/ast"
	"io/fs"
	"path/filepath"
	"strings"
	"testing"
)

// sellerTypes returns the types of package domain and its areas that contain their seller, such as access.Entry or
// apikey.Owner.
func sellerTypes(t *testing.T) map[string]bool {
	t.Helper()
	structs := map[string]*ast.StructType{}
	root := filepath.Join("..", "domain")
	err := filepath.WalkDir(root, func(path string, entry fs.DirEntry, err error) error {
		if err != nil || !entry.IsDir() || entry.Name() == "testdata" {
			return err
		}
		for name, structure := range readSource(t, path).structs {
			structs[filepath.Base(path)+"."+name] = structure
		}
		return nil
	})
	if err != nil {
		t.Fatal(err)
	}
	named := map[string]bool{"ids.Seller": true}
	for grown := true; grown; {
		grown = false
		for name, structure := range structs {
			if !named[name] && holdsSeller(structure, strings.Split(name, ".")[0], named) {
				named[name], grown = true, true
			}
		}
	}
	return named
}

func holdsSeller(structure *ast.StructType, in string, named map[string]bool) bool {
	for _, field := range structure.Fields.List {
		if named[typeName(field.Type, in)] {
			return true
		}
	}
	return false
}

// typeName returns package.Name of a type, of a list's elements, or of a pointer's target.
func typeName(expression ast.Expr, in string) string {
	switch e := expression.(type) {
	case *ast.Ident:
		return in + "." + e.Name
	case *ast.SelectorExpr:
		if pkg, ok := e.X.(*ast.Ident); ok {
			return pkg.Name + "." + e.Sel.Name
		}
	case *ast.StarExpr:
		return typeName(e.X, in)
	case *ast.ArrayType:
		return typeName(e.Elt, in)
	case *ast.Ellipsis:
		return typeName(e.Elt, in)
	}
	return ""
}

func TestStoreMethodsTakeTheirSeller(t *testing.T) {
	source, tables, named := readSource(t, "."), tenantTables(t), sellerTypes(t)
	looked := 0
	for _, method := range source.all {
		if method.Recv == nil || !method.Name.IsExported() || !source.touches(method, tables) {
			continue
		}
		looked++
		if !takesSeller(method, named) && allSellers[method.Name.Name] == "" && credentials[method.Name.Name] == "" {
			t.Errorf("%s reads or changes a tenant's table but takes no seller", method.Name.Name)
		}
	}
	if looked < 100 {
		t.Errorf("only %d methods were checked", looked)
	}
}

// touches reports whether a statement in the method itself names a tenant's table.
func (s *source) touches(method *ast.FuncDecl, tables map[string]bool) bool {
	for _, text := range s.textsOf(method) {
		for _, scope := range scopesOf(text) {
			if references, inserted := scope.references(tables); len(references) > 0 || inserted != "" {
				return true
			}
		}
	}
	return false
}

func takesSeller(method *ast.FuncDecl, named map[string]bool) bool {
	for _, field := range method.Type.Params.List {
		if named[typeName(field.Type, "db")] {
			return true
		}
	}
	return false
}

// A row is stored with its seller: every model of a tenant's table has the column.
func TestRowsOfTenantsHaveTheirSeller(t *testing.T) {
	tables, structs := tenantTables(t), readSource(t, ".").structs
	for name, structure := range structs {
		table, tags := tableOf(structure), tagsOf(structure)
		for _, field := range structure.Fields.List {
			if embedded, ok := field.Type.(*ast.Ident); ok && len(field.Names) == 0 && structs[embedded.Name] != nil {
				tags += tagsOf(structs[embedded.Name])
			}
		}
		if tables[table] && !strings.Contains(tags, `bun:"seller_id`) {
			t.Errorf("%s is a row of %s without seller_id", name, table)
		}
	}
}

func tableOf(structure *ast.StructType) string {
	_, rest, found := strings.Cut(tagsOf(structure), "table:")
	if !found {
		return ""
	}
	table, _, _ := strings.Cut(rest, ",")
	return strings.Trim(table, "\"`")
}

func tagsOf(structure *ast.StructType) string {
	var tags strings.Builder
	for _, field := range structure.Fields.List {
		if field.Tag != nil {
			tags.WriteString(field.Tag.Value)
		}
	}
	return tags.String()
}
