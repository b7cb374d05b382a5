package access

import (
	"fmt"

	"ticketgate/domain"
	"ticketgate/domain/ecmajson"
	"ticketgate/domain/ids"
	"ticketgate/domain/moment"
	"ticketgate/domain/optional"
	"ticketgate/domain/texts"
)

// The bounds of an entry's members (decisions 1.6).
const (
	MaxCodeLength  = 255
	maxPhoneLength = 64
	MaxMetaBytes   = 16 << 10
	maxMetaDepth   = 8
)

// Entry is a code in a list, with what is known of its holder (spec 2.3).
type Entry struct {
	ID           string     `json:"_id"`
	ListID       string     `json:"listId"`
	ExternalCode string     `json:"externalCode"`
	SellerID     ids.Seller `json:"sellerId"`
	CustomerID   string     `json:"customerId,omitempty"`
	Firstname    string     `json:"firstname,omitempty"`
	Lastname     string     `json:"lastname,omitempty"`
	Email        string     `json:"email,omitempty"`
	Phone        string     `json:"phone,omitempty"`
	// Meta is an object; null when there is none.
	Meta      ecmajson.Value  `json:"meta,omitzero"`
	CreatedAt moment.DateTime `json:"createdAt"`
	UpdatedAt moment.DateTime `json:"updatedAt"`
}

// NewEntry is what a caller says of an entry, new or not. The code is kept exactly as sent; in a change, an absent member
// keeps its value and null clears it.
type NewEntry struct {
	ExternalCode string                         `json:"externalCode"`
	CustomerID   optional.Value[string]         `json:"customerId"`
	Firstname    optional.Value[string]         `json:"firstname"`
	Lastname     optional.Value[string]         `json:"lastname"`
	Email        optional.Value[string]         `json:"email"`
	Phone        optional.Value[string]         `json:"phone"`
	Meta         optional.Value[ecmajson.Value] `json:"meta"`
}

// EntryFilter narrows a list of entries; an empty member is no filter.
type EntryFilter struct {
	CustomerID   string
	ExternalCode string
	Email        string // in any case
	// WithoutTicketFor is an event: only entries whose holder has no ticket for it, those a gate would turn away.
	WithoutTicketFor string
}

// apply puts the input into the entry and says everything that is wrong with it.
func (e *Entry) apply(input NewEntry) error {
	input, err := input.checked()
	if err != nil {
		return err
	}
	e.ExternalCode = input.ExternalCode
	e.CustomerID = input.CustomerID.Apply(e.CustomerID)
	e.Firstname = input.Firstname.Apply(e.Firstname)
	e.Lastname = input.Lastname.Apply(e.Lastname)
	e.Email = input.Email.Apply(e.Email)
	e.Phone = input.Phone.Apply(e.Phone)
	e.Meta = input.Meta.Apply(e.Meta)
	return nil
}

// checked returns the input as it will be stored, or everything that is wrong with it. An empty text is no value.
func (n NewEntry) checked() (NewEntry, error) {
	var problems domain.Problems
	problems.Length("externalCode", n.ExternalCode, MaxCodeLength)
	if n.CustomerID.Or("") != "" {
		problems.Reference("customerId", *n.CustomerID.Value)
	}
	n.Firstname = name(&problems, "firstname", trimmed(n.Firstname))
	n.Lastname = name(&problems, "lastname", trimmed(n.Lastname))
	n.Email = trimmed(n.Email)
	if email := n.Email.Or(""); email != "" && !texts.ValidEmail(email) {
		problems.Add("email", "must be an e-mail address")
	}
	if n.Phone = trimmed(n.Phone); n.Phone.Or("") != "" {
		problems.Length("phone", *n.Phone.Value, maxPhoneLength)
	}
	if n.Meta.Value != nil {
		checkMeta(&problems, *n.Meta.Value)
	}
	return n, problems.Err()
}

func trimmed(member optional.Value[string]) optional.Value[string] {
	if member.Value == nil {
		return member
	}
	return optional.Some(texts.Trim(*member.Value))
}

// name returns a name of the holder and notes what is wrong with it (LIMIT-10).
func name(p *domain.Problems, path string, member optional.Value[string]) optional.Value[string] {
	if member.Or("") != "" {
		p.ShortLine(path, *member.Value, domain.MaxNameLength)
	}
	return member
}

// checkMeta holds a meta object against its bounds; its text was read strictly already.
func checkMeta(p *domain.Problems, meta ecmajson.Value) {
	switch size := len(meta.Print()); {
	case meta.Kind() != ecmajson.Object:
		p.Add("meta", "must be an object")
	case size > MaxMetaBytes:
		p.Add("meta", fmt.Sprintf("must be at most %d bytes of JSON, not %d", MaxMetaBytes, size))
	case meta.Depth() > maxMetaDepth:
		p.Add("meta", fmt.Sprintf("must be at most %d levels deep, not %d", maxMetaDepth, meta.Depth()))
	}
}

// MergedMetaFault says why an entry may not have what its meta and the columns of a file come to: the bounds hold for the
// whole, however small the parts (decisions 1.6). It is empty when nothing is wrong.
func MergedMetaFault(merged ecmajson.Value) string {
	var problems domain.Problems
	checkMeta(&problems, merged)
	if err := problems.Err(); err != nil {
		return "with the members that the list has already, " + err.Error()
	}
	return ""
}

// same tells whether two states of an entry differ in nothing that a caller can set.
func (e *Entry) same(other *Entry) bool {
	return e.ExternalCode == other.ExternalCode && e.CustomerID == other.CustomerID && e.Firstname == other.Firstname &&
		e.Lastname == other.Lastname && e.Email == other.Email && e.Phone == other.Phone &&
		e.Meta.Equal(other.Meta)
}

// ShownCustomerID and its siblings are the members as a caller sees them: null when there is no value.
func (e Entry) ShownCustomerID() *string { return texts.Shown(e.CustomerID) }

// ShownFirstname is the first name, or null.
func (e Entry) ShownFirstname() *string { return texts.Shown(e.Firstname) }

// ShownLastname is the last name, or null.
func (e Entry) ShownLastname() *string { return texts.Shown(e.Lastname) }

// ShownEmail is the e-mail, or null.
func (e Entry) ShownEmail() *string { return texts.Shown(e.Email) }

// ShownPhone is the telephone number, or null.
func (e Entry) ShownPhone() *string { return texts.Shown(e.Phone) }
