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

	"ticketgate/graph/edge"
)

// documentMemory is the approximate memory for parsed documents, in bytes. gqlgen's cache counts documents, and a
// thousand of the largest would take hundreds of megabytes.
const documentMemory = 16 << 20

// documents caches valid documents by their text and evicts the least recently used. Clients with a fixed set of queries
// are then parsed once. A cached document is shared by all requests that send it and must not be changed.
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

// Get returns the cached document for a text.
func (d *documents) Get(_ context.Context, text string) (*ast.QueryDocument, bool) {
	d.mutex.Lock()
	defer d.mutex.Unlock()
	document, kept := d.recent.Get(text)
	return document.parsed, kept
}

// Add caches a document and evicts the least recently used ones until all fit. Requests can continue to use evicted
// documents.
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

// Memory that a document takes in addition to its text, and for each of its tokens, in bytes and rounded up.
const (
	documentSize = 1024
	tokenSize    = 256
)

// sizeOf estimates the memory of a document. The length of the text alone says little: `{a b c}` has a node every other
// byte.
func sizeOf(text string) int {
	size := documentSize + 2*len(text)
	for tokens := lexer.New(&ast.Source{Input: text}); ; size += tokenSize {
		if token, err := tokens.ReadToken(); err != nil || token.Kind == lexer.EOF {
			return size
		}
	}
}

// variables returns the variables that a request's operation defines. It returns none for a document that can't be
// parsed. Executing the document reports the error.
func (d *documents) variables(ctx context.Context, asked *graphql.RawParams) ast.VariableDefinitionList {
	document, kept := d.Get(ctx, asked.Query)
	if !kept {
		parsed, err := parser.ParseQueryWithTokenLimit(&ast.Source{Input: asked.Query}, edge.MaxTokens)
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
