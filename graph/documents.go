package graph

import (
	"context"
	"math"
	"sync"

	"github.com/99designs/gqlgen/graphql"
	"github.com/hashicorp/golang-lru/v2/simplelru"
	"github.com/vektah/gqlparser/v2/ast"
	"github.com/vektah/gqlparser/v2/lexer"
	"github.com/vektah/gqlparser/v2/parser"
)

// documentMemory is about how many bytes the parsed documents may take in all. gqlgen's cache counts documents, and a
// thousand of the largest would be hundreds of megabytes (hardening G16).
const documentMemory = 16 << 20

// documents keeps valid documents by their text, those used last, so that clients with a fixed set of queries are parsed
// once. A document is shared by all requests that send it and is never changed.
type documents struct {
	mutex  sync.Mutex
	budget int
	used   int
	recent *simplelru.LRU[string, keptDocument]
}

type keptDocument struct {
	parsed *ast.QueryDocument
	size   int
}

var _ graphql.Cache[*ast.QueryDocument] = (*documents)(nil)

func newDocuments(budget int) *documents {
	d := &documents{budget: budget}
	d.recent, _ = simplelru.NewLRU(math.MaxInt, func(_ string, dropped keptDocument) { d.used -= dropped.size })
	return d
}

// Get returns the document of this text if it is kept.
func (d *documents) Get(_ context.Context, text string) (*ast.QueryDocument, bool) {
	d.mutex.Lock()
	defer d.mutex.Unlock()
	document, kept := d.recent.Get(text)
	return document.parsed, kept
}

// Add keeps a document and drops those not used for longest until all fit. Requests that are using one keep it alive.
func (d *documents) Add(_ context.Context, text string, parsed *ast.QueryDocument) {
	added := keptDocument{parsed, sizeOf(text)}
	d.mutex.Lock()
	defer d.mutex.Unlock()
	if d.recent.Contains(text) {
		return
	}
	d.recent.Add(text, added)
	for d.used += added.size; d.used > d.budget; {
		d.recent.RemoveOldest()
	}
}

// Bytes that a document takes in memory beside its text, and for each token of it, rounded up.
const (
	documentSize = 1024
	tokenSize    = 256
)

// sizeOf estimates the memory of a document: its text alone says little, since `{a b c}` has a node every other byte.
func sizeOf(text string) int {
	size := documentSize + 2*len(text)
	for tokens := lexer.New(&ast.Source{Input: text}); ; size += tokenSize {
		if token, err := tokens.ReadToken(); err != nil || token.Kind == lexer.EOF {
			return size
		}
	}
}

// variables returns the variables that the operation of a request defines. Of a document that can't be parsed there are none:
// executing it reports why.
func (d *documents) variables(ctx context.Context, asked *graphql.RawParams) ast.VariableDefinitionList {
	document, kept := d.Get(ctx, asked.Query)
	if !kept {
		parsed, err := parser.ParseQueryWithTokenLimit(&ast.Source{Input: asked.Query}, maxTokens)
		if err != nil {
			return nil
		}
		document = parsed
	}
	operation := document.Operations.ForName(asked.OperationName)
	if operation == nil {
		return nil
	}
	return operation.VariableDefinitions
}
