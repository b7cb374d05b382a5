package identification

import (
	"cmp"
	"fmt"
	"maps"
	"slices"
	"strings"

	"ticketgate/domain"
	"ticketgate/domain/ecmajson"
)

// Document is a number that identifies the buyer's company (spec 2.7).
type Document struct {
	Type       Type   `json:"type"`
	Identifier string `json:"identifier"`
}

// Type says whose number a document is (spec 2.7).
type Type string

// FranceSIREN is the number of a company in the French register.
const FranceSIREN Type = "france_siren"

// Names lists every type, in the specification's order.
func (Type) Names() []string { return []string{string(FranceSIREN)} }

// register is what the engine knows of one type of document.
type register struct {
	// open tells whether a seller has to do with such documents. For others they are dropped (spec 4.5.8).
	open func(Seller) bool
	// read returns an identifier as it is kept, or what is wrong with it.
	read func(text string) (string, fault)
}

// registers has a row for each type.
var registers = map[Type]register{
	FranceSIREN: {open: Seller.asksForSIREN, read: readSIREN},
}

// asks tells whether the seller has to do with documents of a type.
func (s Seller) asks(kind Type) bool {
	known, ok := registers[kind]
	return ok && known.open(s)
}

// asksForAny tells whether the seller has to do with documents of any type: for others not even a malformed
// identification is looked at (decisions 9.1).
func (s Seller) asksForAny() bool {
	for _, known := range registers {
		if known.open(s) {
			return true
		}
	}
	return false
}

// maxDocuments bounds what a checkout keeps; a company hardly has two.
const maxDocuments = 10

// documentsPath is the member of a body that holds the documents.
const documentsPath = "identification"

// reading is what was found in the documents that were sent.
type reading struct {
	seller   Seller
	kept     []Document
	problems domain.Problems
	// sent are the types of which there is a document, right or wrong.
	sent []Type
	// reason is that of the first number that is wrong.
	reason Reason
}

// read looks at every document and notes all that is wrong with them.
func (r *reading) read(sent ecmajson.Value) {
	switch {
	case sent.Kind() == ecmajson.Null: // no value (decisions 1.3)
	case sent.Kind() != ecmajson.Array:
		r.problems.Add(documentsPath, "must be an array, not "+sent.Kind().InWords())
		r.sentAny() // what its path says already is not said twice
	case len(sent.Elements()) > maxDocuments:
		r.problems.Add(documentsPath, fmt.Sprintf("must hold at most %d documents, not %d", maxDocuments, len(sent.Elements())))
		r.sentAny() // it may be among them
	default:
		for i, element := range sent.Elements() {
			r.document(domain.IndexPath(documentsPath, i), element)
		}
	}
}

// sentAny tells that no type is missing.
func (r *reading) sentAny() { r.sent = slices.Collect(maps.Keys(registers)) }

func (r *reading) document(path string, sent ecmajson.Value) {
	if sent.Kind() != ecmajson.Object {
		r.problems.Add(path, "must be an object, not "+sent.Kind().InWords())
		return
	}
	r.spelling(path, sent)
	name, ok := r.text(path+".type", sent, "type")
	kind := Type(name)
	known := slices.Contains(kind.Names(), name)
	if ok && !known {
		r.problems.Add(path+".type", "must be "+strings.Join(kind.Names(), " or "))
	}
	if !known {
		r.text(path+".identifier", sent, "identifier") // all that is wrong at once (decisions 2.1)
		return
	}
	if !r.seller.asks(kind) {
		return
	}
	r.sent = append(r.sent, kind)
	if text, ok := r.text(path+".identifier", sent, "identifier"); ok {
		r.identifier(path+".identifier", kind, text)
	}
}

func (r *reading) identifier(path string, kind Type, text string) {
	number, wrong := registers[kind].read(text)
	if wrong.message != "" {
		r.problems.AddHint(path, wrong.message, wrong.hint)
		r.reason = cmp.Or(r.reason, wrong.reason)
		return
	}
	r.kept = append(r.kept, Document{Type: kind, Identifier: number})
}

// text returns a member that must be a string: a number has lost its leading zeros, and is never given them back
// (decisions 9.3).
func (r *reading) text(path string, object ecmajson.Value, name string) (string, bool) {
	value, _ := object.Member(name)
	switch value.Kind() {
	case ecmajson.String:
		return value.Text(), true
	case ecmajson.Null:
		r.problems.Add(path, "is required")
	case ecmajson.Number:
		r.problems.AddHint(path, "must be a string, not number", "Put it in quotes: leading zeros belong to it")
	default:
		r.problems.Add(path, "must be a string, not "+value.Kind().InWords())
	}
	return "", false
}

// spelling notes members that are known but for their case: one of the two is meant, and silence would drop it
// (decisions 1.7).
func (r *reading) spelling(path string, object ecmajson.Value) {
	for _, member := range object.Members() {
		for _, name := range [...]string{"type", "identifier"} {
			if member.Name != name && strings.EqualFold(member.Name, name) {
				r.problems.Add(path+"."+member.Name, fmt.Sprintf("must be spelled %q", name))
			}
		}
	}
}
