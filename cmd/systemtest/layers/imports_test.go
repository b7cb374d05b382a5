package layers

import (
	"fmt"
	"go/ast"
	"go/parser"
	"go/token"
	"io/fs"
	"maps"
	"path"
	"slices"
	"strconv"
	"strings"
	"testing"
)

// imports maps each package of the module to the imports of its files. Packages of the module are without the module's name.
type imports map[string][]string

// importsOf reads the files themselves, whatever their build tags. `go list` would see only one platform's files, and its
// result would not be part of the test cache's key, as files opened here are.
func importsOf(t *testing.T, tree fs.FS) imports {
	t.Helper()
	all := imports{}
	eachGoFile(t, tree, func(name string, _ []byte, file *ast.File, _ *token.FileSet) {
		if strings.HasSuffix(name, "_test.go") {
			return // tests are not bound by layers: they join packages to a real database
		}
		dir := path.Dir(name)
		for _, spec := range file.Imports {
			imported, err := strconv.Unquote(spec.Path.Value)
			if err != nil {
				t.Fatal(err)
			}
			all[dir] = append(all[dir], strings.TrimPrefix(imported, "ticketgate/"))
		}
		if all[dir] == nil {
			all[dir] = []string{}
		}
	})
	return all
}

// eachGoFile visits the module's Go files, except folders that Go skips and the dashboard's dependencies.
func eachGoFile(t *testing.T, tree fs.FS, visit func(name string, text []byte, file *ast.File, set *token.FileSet)) {
	t.Helper()
	err := fs.WalkDir(tree, ".", func(name string, entry fs.DirEntry, err error) error {
		switch {
		case err != nil:
			return err
		case entry.IsDir() && name != "." && passedOver(entry.Name(), name):
			return fs.SkipDir
		case entry.IsDir() || path.Ext(name) != ".go":
			return nil
		}
		text, err := fs.ReadFile(tree, name)
		if err != nil {
			return err
		}
		set := token.NewFileSet()
		file, err := parser.ParseFile(set, name, text, parser.ParseComments|parser.SkipObjectResolution)
		if err != nil {
			return err
		}
		visit(name, text, file, set)
		return nil
	})
	if err != nil {
		t.Fatal(err)
	}
}

func passedOver(base, name string) bool {
	return strings.HasPrefix(base, ".") || strings.HasPrefix(base, "_") || base == "testdata" || base == "node_modules" ||
		name == "data" // the private server's data, which another OS user may own
}

// broken returns all imports that break the layers, sorted.
func broken(all imports) []string {
	var complaints []string
	for _, dir := range slices.Sorted(maps.Keys(all)) {
		row, found := rowOf(dir)
		if !found {
			complaints = append(complaints, dir+" has no row in the arrows")
			continue
		}
		complaints = append(complaints, brokenDirectly(all, dir, row)...)
		complaints = append(complaints, brokenThroughOthers(all, dir, row)...)
	}
	return complaints
}

// rowOf returns the row of the nearest tree that contains a package.
func rowOf(dir string) (layer, bool) {
	for tree := dir; tree != "."; tree = path.Dir(tree) {
		if i := slices.IndexFunc(layers, func(l layer) bool { return l.tree == tree }); i >= 0 {
			return layers[i], true
		}
	}
	return layer{}, false
}

func brokenDirectly(all imports, dir string, row layer) []string {
	var complaints []string
	for _, imported := range all[dir] {
		switch {
		case matches(imported, testSupport) && !usesTestSupport(dir):
			complaints = append(complaints, dir+" imports "+imported+", which is for tests")
		case standard(imported) || matches(imported, computing) || matches(imported, row.imports):
		default:
			complaints = append(complaints, dir+" imports "+imported+", which its row does not name")
		}
	}
	return complaints
}

// usesTestSupport reports whether a program works on the tests' databases: their runner and the benchmark.
func usesTestSupport(dir string) bool {
	return matches(dir, []string{"domain/domaintest", "db/dbtest/...", "cmd/systemtest/..."})
}

// standard reports whether a package is in the standard library: no dot in the first element, and not a tree of ours. A
// folder of ours without a row passes here and is reported separately.
func standard(imported string) bool {
	first, _, _ := strings.Cut(imported, "/")
	_, ours := rowOf(imported)
	return !ours && !strings.Contains(first, ".")
}

func matches(name string, patterns []string) bool {
	return slices.ContainsFunc(patterns, func(pattern string) bool {
		tree, whole := strings.CutSuffix(pattern, "...")
		return whole && strings.HasPrefix(name+"/", tree) || name == pattern
	})
}

func brokenThroughOthers(all imports, dir string, row layer) []string {
	var complaints []string
	for imported, via := range reached(all, dir) {
		if matches(imported, row.never) && !matches(imported, harmless) {
			complaints = append(complaints, fmt.Sprintf("%s reaches %s through %s, which its row rules out", dir, imported, via))
		}
	}
	slices.Sort(complaints)
	return complaints
}

// reached follows the module's own packages. It maps each import to the package that has it.
func reached(all imports, dir string) map[string]string {
	seen := map[string]string{}
	for queue := []string{dir}; len(queue) > 0; queue = queue[1:] {
		for _, imported := range all[queue[0]] {
			if _, known := seen[imported]; !known {
				seen[imported] = queue[0]
				queue = append(queue, imported)
			}
		}
	}
	return seen
}
