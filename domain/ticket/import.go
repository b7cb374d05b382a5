package ticket

import (
	"bytes"

	"ticketgate/domain"
	"ticketgate/domain/code"
	"ticketgate/domain/decode"
	"ticketgate/domain/ecmajson"
	"ticketgate/domain/ids"
	"ticketgate/domain/intake"
	"ticketgate/domain/moment"
	"ticketgate/domain/optional"
)

// Import is a list of tickets from the platform's other services.
type Import struct {
	// SellerID is required from callers that act for several sellers.
	SellerID ids.Seller       `json:"sellerId"`
	Tickets  []ecmajson.Value `json:"tickets"`
	// TrimCodes removes white space from both ends of barcodes. KeepSuspicious takes barcodes exactly as they are
	// (IMPORT-1).
	TrimCodes      *bool `json:"trimCodes"`
	KeepSuspicious *bool `json:"keepSuspicious"`
}

// Imported is the result of an import.
type Imported struct {
	Created   int `json:"created"`
	Updated   int `json:"updated"`
	Unchanged int `json:"unchanged"`
	// Stale counts tickets that are older than the stored ones (IMPORT-4). Refused lists those that the caller may not
	// change (IMPORT-6).
	Stale   int                 `json:"stale"`
	Refused []intake.RefusedRow `json:"refused"`
	// Trimmed counts the barcodes that had white space at an end. Notes lists the barcodes that were read as a
	// different text.
	Trimmed int           `json:"trimmed"`
	Notes   []intake.Note `json:"notes"`
}

// barcodes reads the barcodes of an import.
type barcodes struct {
	how     code.Handling
	trimmed int
	notes   []intake.Note
}

// read returns the ticket with its barcode normalized (IMPORT-1).
func (b *barcodes) read(faults *domain.FieldErrors, path string, ticket ecmajson.Value) ecmajson.Value {
	path = domain.JoinPath(path, barcode)
	value, ok := ticket.Field(barcode)
	if !ok || value.Kind() != ecmajson.String || value.Text() == "" {
		return ticket
	}
	reading := code.Read(value.Text(), b.how)
	if reading.Fault != "" {
		faults.AddHint(path, reading.Fault, reading.Hint)
		return ticket
	}
	if reading.Trimmed {
		b.trimmed++
	}
	if reading.Note != "" {
		b.notes = append(b.notes, intake.Note{Path: path, Message: reading.Note})
	}
	return Definition.With(ticket, barcode, ecmajson.NewString(reading.Text))
}

// check validates the tickets and returns them in canonical form, with the results of reading their barcodes. It adds
// all errors to faults.
func (i Import) check(faults *domain.FieldErrors, seller ids.Seller) ([]intake.Row, *barcodes) {
	how, ok := code.HandlingOf(optional.IsTrue(i.TrimCodes), optional.IsTrue(i.KeepSuspicious))
	if !ok {
		faults.Add("trimCodes", code.Contradiction)
	}
	read, codes := &barcodes{how: how}, intake.Unique{}
	rows := intake.Rules{
		Seller: seller, Field: "tickets",
		Read: func(path string, ticket ecmajson.Value) ecmajson.Value {
			return read.read(faults, path, decode.Document(faults, path, Definition, ticket, decode.Sent))
		},
		Complete: func(path string, ticket ecmajson.Value) ecmajson.Value {
			codes.Check(faults, path, ticket, barcode)
			return ticket
		},
	}.Check(faults, i.Tickets)
	return rows, read
}

// The names of the barcode field and of the fields that the import fills in.
const (
	barcode   = "barcode"
	createdAt = "createdAt"
	updatedAt = "updatedAt"
)

// created returns the document of a new ticket.
func created(row intake.Row, now moment.DateTime) []byte {
	when := ecmajson.NewString(now.String())
	return completed(completed(row.Document, createdAt, when), updatedAt, when).Print()
}

// changed returns the new document of a stored ticket. It returns false if nothing changes. The order of fields does
// not matter.
func changed(row intake.Row, old Record, now moment.DateTime) ([]byte, bool) {
	same := completed(row.Document, createdAt, ecmajson.NewString(old.CreatedAt.String()))
	unmoved := completed(same, updatedAt, ecmajson.NewString(old.UpdatedAt.String()))
	text := unmoved.Print()
	if bytes.Equal(text, old.Document) {
		return nil, false
	}
	if before, err := ecmajson.Parse(old.Document, ecmajson.Limits{}); err == nil && before.Equal(unmoved) {
		return nil, false
	}
	next := domain.NextUpdate(now.Time, old.UpdatedAt)
	return completed(same, updatedAt, ecmajson.NewString(next.String())).Print(), true
}

// completed sets a field that was omitted.
func completed(ticket ecmajson.Value, field string, value ecmajson.Value) ecmajson.Value {
	if _, ok := ticket.Field(field); ok {
		return ticket
	}
	return Definition.With(ticket, field, value)
}
