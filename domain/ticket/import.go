package ticket

import (
	"bytes"
	"fmt"

	"ticketgate/domain"
	"ticketgate/domain/code"
	"ticketgate/domain/document"
	"ticketgate/domain/ecmajson"
)

// MaxImported is how many tickets one import may hold: they are written in one transaction, which others may have to wait
// for.
const MaxImported = 10_000

// Import is tickets as the platform's other services hand them in (decisions 8.2).
type Import struct {
	// SellerID is needed from callers that act for several sellers.
	SellerID domain.SellerID  `json:"sellerId"`
	Tickets  []ecmajson.Value `json:"tickets"`
	// TrimCodes removes blanks from both ends of barcodes, and KeepSuspicious takes barcodes exactly as they are (IMPORT-1).
	TrimCodes      *bool `json:"trimCodes"`
	KeepSuspicious *bool `json:"keepSuspicious"`
}

// Imported says what an import did.
type Imported struct {
	Created   int `json:"created"`
	Updated   int `json:"updated"`
	Unchanged int `json:"unchanged"`
	// Stale tickets are older than what is stored, and Refused ones would change what the caller may not change.
	Stale   int                 `json:"stale"`
	Refused []domain.RefusedRow `json:"refused"`
	// Trimmed counts the barcodes that had blanks at an end, and Notes are about those that were read as another text.
	Trimmed int                 `json:"trimmed"`
	Notes   []domain.ImportNote `json:"notes"`
}

// barcodes reads the barcodes of an import.
type barcodes struct {
	how     code.Handling
	trimmed int
	notes   []domain.ImportNote
}

// read returns the ticket with its barcode as it is read (IMPORT-1).
func (b *barcodes) read(c *document.Checker, path string, ticket ecmajson.Value) ecmajson.Value {
	path = domain.JoinPath(path, barcode)
	value, ok := ticket.Member(barcode)
	if !ok || value.Kind() != ecmajson.String || value.Text() == "" {
		return ticket
	}
	reading := code.Read(value.Text(), b.how)
	if reading.Fault != "" {
		c.AddHint(path, reading.Fault, reading.Hint)
		return ticket
	}
	if reading.Trimmed {
		b.trimmed++
	}
	if reading.Note != "" {
		b.notes = append(b.notes, domain.ImportNote{Path: path, Message: reading.Note})
	}
	return Definition.With(ticket, barcode, ecmajson.NewString(reading.Text))
}

// handedIn is one ticket of an import that has passed the check.
type handedIn struct {
	path     string
	id       string
	document ecmajson.Value
}

// check holds every ticket to the table and to what an import is for, and returns them in normal form, with what is to be
// said of their barcodes.
func (i Import) check(c *document.Checker, seller domain.SellerID) ([]handedIn, *barcodes) {
	const member = "tickets"
	if len(i.Tickets) > MaxImported {
		c.Add(member, fmt.Sprintf("must be at most %d at once, not %d", MaxImported, len(i.Tickets)))
		return nil, nil
	}
	how, ok := code.HandlingOf(domain.IsTrue(i.TrimCodes), domain.IsTrue(i.KeepSuspicious))
	if !ok {
		c.Add("trimCodes", code.Contradiction)
	}
	read := &barcodes{how: how}
	list := make([]handedIn, 0, len(i.Tickets))
	ids, codes := unique{}, unique{}
	for n, value := range i.Tickets {
		if c.Full() {
			break
		}
		path := domain.IndexPath(member, n)
		checked := read.read(c, path, c.Check(path, Definition, value))
		id := ids.check(c, path, checked, "_id")
		codes.check(c, path, checked, barcode)
		if of, ok := checked.Member("sellerId"); ok && of.Kind() == ecmajson.String && of.Text() != string(seller) {
			c.Add(domain.JoinPath(path, "sellerId"), "must be the seller that the import is for")
		}
		list = append(list, handedIn{path, id, checked})
	}
	return list, read
}

// unique holds the values of a member that were met, each with the path of the ticket that has it.
type unique map[string]string

// check notes a value that an earlier ticket has, and returns it. One that is missing or wrong is a problem already.
func (u unique) check(c *document.Checker, path string, ticket ecmajson.Value, member string) string {
	value, _ := ticket.Member(member)
	text := value.Text()
	if text == "" {
		return ""
	}
	if earlier, ok := u[text]; ok {
		c.Add(domain.JoinPath(path, member), "is also that of "+earlier)
	} else {
		u[text] = path
	}
	return text
}

// barcode is the member that a gate reads; the service fills the other two in.
const (
	barcode   = "barcode"
	createdAt = "createdAt"
	updatedAt = "updatedAt"
)

// isStale reports whether the ticket is older than the stored one, as far as it says when it was changed (IMPORT-4).
func (h handedIn) isStale(old Record) bool {
	return h.isOlderThan(old.UpdatedAt)
}

func (h handedIn) isOlderThan(stored domain.DateTime) bool {
	at, err := domain.ParseDateTime(h.text(updatedAt))
	return err == nil && at.Before(stored.Time)
}

// made is the document of a ticket that is new.
func (h handedIn) made(now domain.DateTime) []byte {
	moment := ecmajson.NewString(now.String())
	return completed(completed(h.document, createdAt, moment), updatedAt, moment).Print()
}

// changed is the document that a known ticket becomes, and false when it stays the same, whatever the order of members
// inside free objects (decisions 1.6, 7.10).
func (h handedIn) changed(old Record, now domain.DateTime) ([]byte, bool) {
	same := completed(h.document, createdAt, ecmajson.NewString(old.CreatedAt.String()))
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

// completed sets a member that was not handed in.
func completed(ticket ecmajson.Value, member string, value ecmajson.Value) ecmajson.Value {
	if _, ok := ticket.Member(member); ok {
		return ticket
	}
	return Definition.With(ticket, member, value)
}
