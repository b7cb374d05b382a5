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

// Document is a number that identifies the buyer's company.
type Document struct {
	Type       Type   `json:"type"`
	Identifier string `json:"identifier"`
}

// Type is the type of a document.
type Type string

// FranceSIREN is a company's number in the French register.
const FranceSIREN Type = "france_siren"

// Names returns all types.
func (Type) Names() []string { return []string{string(FranceSIREN)} }

// register describes how one type of document is handled.
type register struct {
	// open reports whether such documents concern the seller. If not, they are dropped (IDENT-3).
	open func(Seller) bool
	// read returns the identifier to store, or its fault.
	read func(text string) (string, fault)
}

// registers has an entry for each type.
var registers = map[Type]register{
	FranceSIREN: {open: Seller.asksForSIREN, read: readSIREN},
}

// asks reports whether documents of a type concern the seller.
func (s Seller) asks(kind Type) bool {
	known, ok := registers[kind]
	return ok && known.open(s)
}

// asksForAny reports whether any type of document concerns the seller. If none does, not even a malformed identification is
// rejected (IDENT-3).
func (s Seller) asksForAny() bool {
	for _, known := range registers {
		if known.open(s) {
			return true
		}
	}
	return false
}

// maxDocuments is the maximum number of documents in a body. A company rarely has two.
const maxDocuments = 10

// documentsPath is the field that contains the documents.
const documentsPath = "identification"

// reading is the result of reading the documents of a body.
type reading struct {
	seller Seller
	kept   []Document
	errs   domain.FieldErrors
	// sent holds the types that occur, valid or not.
	sent []Type
	// reason is the reason for rejecting the first invalid number.
	reason Reason
}

// read validates every document and records all errors.
func (r *reading) read(sent ecmajson.Value) {
	switch {
	case sent.Kind() == ecmajson.Null: // no value
	case sent.Kind() != ecmajson.Array:
		r.errs.Add(documentsPath, "must be an array, not "+sent.Kind().InWords())
		r.sentAny() // otherwise the same path would have a second error
	case !r.errs.Count(documentsPath, len(sent.Elements()), maxDocuments):
		r.sentAny() // the required one may be among them
	default:
		for i, element := range sent.Elements() {
			r.document(domain.IndexPath(documentsPath, i), element)
		}
	}
}

// sentAny marks all types as sent, so that none is reported as missing.
func (r *reading) sentAny() { r.sent = slices.Collect(maps.Keys(registers)) }

func (r *reading) document(path string, sent ecmajson.Value) {
	if sent.Kind() != ecmajson.Object {
		r.errs.Add(path, "must be an object, not "+sent.Kind().InWords())
		return
	}
	r.spelling(path, sent)
	name, ok := r.text(path+".type", sent, "type")
	kind := Type(name)
	known := slices.Contains(kind.Names(), name)
	if ok && !known {
		r.errs.Add(path+".type", "must be "+strings.Join(kind.Names(), " or "))
	}
	if !known {
		r.text(path+".identifier", sent, "identifier") // so that one response names all errors
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
		r.errs.AddHint(path, wrong.message, wrong.hint)
		r.reason = cmp.Or(r.reason, wrong.reason)
		return
	}
	r.kept = append(r.kept, Document{Type: kind, Identifier: number})
}

// text returns a field that must be a string. A number is rejected: it has lost its leading zeros (IDENT-5).
func (r *reading) text(path string, object ecmajson.Value, name string) (string, bool) {
	value, _ := object.Field(name)
	switch value.Kind() {
	case ecmajson.String:
		return value.Text(), true
	case ecmajson.Null:
		r.errs.Add(path, "is required")
	case ecmajson.Number:
		r.errs.AddHint(path, "must be a string, not number", "Put it in quotes, so that leading zeros are kept")
	default:
		r.errs.Add(path, "must be a string, not "+value.Kind().InWords())
	}
	return "", false
}

// spelling records fields that differ from a known one only in case. Ignoring them would silently drop the value.
func (r *reading) spelling(path string, object ecmajson.Value) {
	for _, field := range object.Fields() {
		for _, name := range [...]string{"type", "identifier"} {
			if field.Name != name && strings.EqualFold(field.Name, name) {
				r.errs.Add(path+"."+field.Name, fmt.Sprintf("must be spelled %q", name))
			}
		}
	}
}
