package graph

import (
	"container/list"
	"context"
	"sync"

	"github.com/99designs/gqlgen/graphql"
	"github.com/vektah/gqlparser/v2/ast"
	"github.com/vektah/gqlparser/v2/parser"
)

// documentMemory is about how many bytes the parsed documents may take in all. gqlgen's cache counts documents, and a
// thousand of the largest would be hundreds of megabytes (hardening G16).
const documentMemory = 16 << 20

// documents keeps valid documents by their text, those used last, so that clients with a fixed set of queries are parsed
// once. A document is shared by all requests that send it and is never changed.
type documents struct {
	mu     sync.Mutex
	budget int
	used   int
	byText map[string]*list.Element
	// recent has the document used last in front.
	recent *list.List
}

// keptDocument is one entry of the cache.
type keptDocument struct {
	text   string
	parsed *ast.QueryDocument
	size   int
}

var _ graphql.Cache[*ast.QueryDocument] = (*documents)(nil)

func newDocuments(budget int) *documents {
	return &documents{budget: budget, byText: map[string]*list.Element{}, recent: list.New()}
}

// Get returns the document of this text if it is kept.
func (d *documents) Get(_ context.Context, text string) (*ast.QueryDocument, bool) {
	d.mu.Lock()
	defer d.mu.Unlock()
	element, kept := d.byText[text]
	if !kept {
		return nil, false
	}
	d.recent.MoveToFront(element)
	return entry(element).parsed, true
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

// Add keeps a document and drops those not used for longest until all fit.
func (d *documents) Add(_ context.Context, text string, parsed *ast.QueryDocument) {
	added := &keptDocument{text: text, parsed: parsed, size: sizeOf(text, parsed)}
	d.mu.Lock()
	defer d.mu.Unlock()
	if _, kept := d.byText[text]; kept {
		return
	}
	d.byText[text] = d.recent.PushFront(added)
	d.used += added.size
	for d.used > d.budget {
		d.drop(d.recent.Back())
	}
}

// drop forgets one document; requests that are using it keep it alive until they end.
func (d *documents) drop(element *list.Element) {
	dropped := entry(element)
	d.recent.Remove(element)
	delete(d.byText, dropped.text)
	d.used -= dropped.size
}

// entry reads a list element, which holds nothing but documents.
func entry(element *list.Element) *keptDocument {
	kept, _ := element.Value.(*keptDocument)
	return kept
}

// Bytes that parts of a document take in memory, with what hangs on them, rounded up.
const (
	documentSize  = 1024
	selectionSize = 768
	valueSize     = 512
)

// sizeOf estimates a document's memory: text alone says little, since `{a b c}` has a node every other byte.
func sizeOf(text string, parsed *ast.QueryDocument) int {
	size := documentSize + 2*len(text)
	for _, operation := range parsed.Operations {
		size += len(operation.VariableDefinitions)*valueSize + sizeOfSelections(operation.SelectionSet)
	}
	for _, fragment := range parsed.Fragments {
		size += selectionSize + sizeOfSelections(fragment.SelectionSet)
	}
	return size
}

// sizeOfSelections does not follow spreads: a fragment is in memory once.
func sizeOfSelections(set ast.SelectionSet) int {
	size := len(set) * selectionSize
	for _, selection := range set {
		switch selection := selection.(type) {
		case *ast.Field:
			size += sizeOfSelections(selection.SelectionSet) + len(selection.Directives)*valueSize
			for _, argument := range selection.Arguments {
				size += sizeOfValue(argument.Value)
			}
		case *ast.InlineFragment:
			size += sizeOfSelections(selection.SelectionSet)
		}
	}
	return size
}

// sizeOfValue counts each element of lists and objects, which are the densest text there is.
func sizeOfValue(value *ast.Value) int {
	size := valueSize
	for _, child := range value.Children {
		size += sizeOfValue(child.Value)
	}
	return size
}
