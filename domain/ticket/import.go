package ticket

import (
	"bytes"
	"fmt"

	"ticketgate/domain"
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
}

// Imported says what an import did.
type Imported struct {
	Created   int `json:"created"`
	Updated   int `json:"updated"`
	Unchanged int `json:"unchanged"`
}

// handedIn is one ticket of an import that has passed the check.
type handedIn struct {
	path     string
	id       string
	document ecmajson.Value
}

// check holds every ticket to the table and to what an import is for, and returns them in normal form.
func (i Import) check(seller domain.SellerID) ([]handedIn, error) {
	const member = "tickets"
	if len(i.Tickets) > MaxImported {
		return nil, domain.Invalid(member, fmt.Sprintf("must be at most %d at once, not %d", MaxImported, len(i.Tickets)))
	}
	var c document.Checker
	list := make([]handedIn, 0, len(i.Tickets))
	ids, barcodes := unique{}, unique{}
	for n, value := range i.Tickets {
		if c.Full() {
			break
		}
		path := domain.IndexPath(member, n)
		checked := c.Check(path, Definition, value)
		id := ids.check(&c, path, checked, "_id")
		barcodes.check(&c, path, checked, "barcode")
		if of, ok := checked.Member("sellerId"); ok && of.Kind() == ecmajson.String && of.Text() != string(seller) {
			c.Add(domain.JoinPath(path, "sellerId"), "must be the seller that the import is for")
		}
		list = append(list, handedIn{path, id, checked})
	}
	return list, c.Err()
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

// The two members that the service fills in.
const (
	createdAt = "createdAt"
	updatedAt = "updatedAt"
)

// made is the document of a ticket that is new.
func (h handedIn) made(now domain.DateTime) []byte {
	moment := ecmajson.NewString(now.String())
	return completed(completed(h.document, createdAt, moment), updatedAt, moment).Append(nil)
}

// changed is the document that a known ticket becomes, and false when it stays the same, whatever the order of members
// inside free objects (decisions 1.6, 7.10).
func (h handedIn) changed(old Record, now domain.DateTime) ([]byte, bool) {
	same := completed(h.document, createdAt, ecmajson.NewString(old.CreatedAt.String()))
	unmoved := completed(same, updatedAt, ecmajson.NewString(old.UpdatedAt.String()))
	text := unmoved.Append(nil)
	if bytes.Equal(text, old.Document) {
		return nil, false
	}
	if before, err := ecmajson.Parse(old.Document, ecmajson.Limits{}); err == nil && before.Equal(unmoved) {
		return nil, false
	}
	return completed(same, updatedAt, ecmajson.NewString(now.String())).Append(nil), true
}

// completed sets a member that was not handed in.
func completed(ticket ecmajson.Value, member string, value ecmajson.Value) ecmajson.Value {
	if _, ok := ticket.Member(member); ok {
		return ticket
	}
	return Definition.With(ticket, member, value)
}
