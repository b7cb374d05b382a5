package graph

import (
	"fmt"
	"runtime"
	"strings"
	"testing"

	"github.com/vektah/gqlparser/v2/ast"
	"github.com/vektah/gqlparser/v2/parser"
)

func parse(t *testing.T, text string) *ast.QueryDocument {
	t.Helper()
	parsed, err := parser.ParseQuery(&ast.Source{Input: text})
	if err != nil {
		t.Fatal(err)
	}
	return parsed
}

func TestDocumentsKeepTheLastUsed(t *testing.T) {
	queryDocument := parse(t, "{a}")
	kept := newDocuments(2 * sizeOf("{a}"))
	for _, text := range []string{"{a}", "{b}", "{a}"} {
		kept.Add(t.Context(), text, queryDocument)
	}
	if _, ok := kept.Get(t.Context(), "{a}"); !ok {
		t.Fatal("a document that was added twice is missing")
	}
	kept.Add(t.Context(), "{c}", queryDocument)
	for text, want := range map[string]bool{"{a}": true, "{b}": false, "{c}": true} {
		if _, ok := kept.Get(t.Context(), text); ok != want {
			t.Errorf("kept %s: %v", text, ok)
		}
	}
	t.Run("drops a document larger than the whole budget", func(t *testing.T) {
		large := "{" + strings.Repeat("a ", 50) + "}"
		kept.Add(t.Context(), large, parse(t, large))
		if kept.used != 0 || kept.recent.Len() != 0 {
			t.Errorf("%d bytes in %d documents", kept.used, kept.recent.Len())
		}
	})
}

func TestDocumentCacheIsBounded(t *testing.T) {
	shapes := map[string]func(i int) string{
		"bare fields": func(i int) string { return fmt.Sprintf("{x%d ", i) + strings.Repeat("a ", 990) + "}" },
		"arguments":   func(i int) string { return fmt.Sprintf("{x%d ", i) + strings.Repeat("a(b:1)", 160) + "}" },
		"lists":       func(i int) string { return fmt.Sprintf("{x%d a(b:[", i) + strings.Repeat("1 ", 990) + "])}" },
		"long text":   func(i int) string { return fmt.Sprintf(`{x%d a(b:"`, i) + strings.Repeat("é", 8000) + `")}` },
		"spreads":     func(i int) string { return fmt.Sprintf("{x%d ", i) + strings.Repeat("...f ", 490) + "}" },
		"directives":  func(i int) string { return fmt.Sprintf("{x%d ", i) + strings.Repeat("a@b ", 330) + "}" },
	}
	for name, shape := range shapes {
		t.Run("for documents of "+name, func(t *testing.T) {
			kept := newDocuments(documentMemory)
			before := heap()
			for i := range 200 {
				text := shape(i)
				kept.Add(t.Context(), text, parse(t, text))
			}
			if grown := heap() - before; grown > documentMemory*3/2 {
				t.Errorf("%d documents, estimated at %d bytes, take %d bytes", kept.recent.Len(), kept.used, grown)
			}
			runtime.KeepAlive(kept)
		})
	}
}

func heap() int64 {
	var stats runtime.MemStats
	runtime.GC()
	runtime.ReadMemStats(&stats)
	return int64(stats.HeapAlloc)
}
