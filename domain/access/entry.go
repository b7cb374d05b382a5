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

// Limits of the fields of an entry.
const (
	MaxCodeLength  = 255
	maxPhoneLength = 64
	MaxMetaBytes   = 16 << 10
	maxMetaDepth   = 8
)

// Entry is a code in a list, with the data of its holder.
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
	// Meta is an object, or null if there is none.
	Meta      ecmajson.Value  `json:"meta,omitzero"`
	CreatedAt moment.DateTime `json:"createdAt"`
	UpdatedAt moment.DateTime `json:"updatedAt"`
}

// NewEntry is the input for a new or changed entry. The code is stored exactly as sent (ACCESS-6). In a change, omitted
// fields keep their values and null clears them.
type NewEntry struct {
	ExternalCode string                         `json:"externalCode"`
	CustomerID   optional.Value[string]         `json:"customerId"`
	Firstname    optional.Value[string]         `json:"firstname"`
	Lastname     optional.Value[string]         `json:"lastname"`
	Email        optional.Value[string]         `json:"email"`
	Phone        optional.Value[string]         `json:"phone"`
	Meta         optional.Value[ecmajson.Value] `json:"meta"`
}

// EntryFilter narrows a list of entries. An empty field does not filter.
type EntryFilter struct {
	CustomerID   string
	ExternalCode string
	Email        string // case-insensitive
	// WithoutTicketFor is the id of an event. It selects entries whose holder has no ticket for the event and would be
	// rejected.
	WithoutTicketFor string
}

// apply applies the input to the entry, or returns all of its errors.
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

// checked returns the input in its stored form, or all of its errors. An empty text means no value.
func (n NewEntry) checked() (NewEntry, error) {
	var errs domain.FieldErrors
	errs.Length("externalCode", n.ExternalCode, MaxCodeLength)
	if n.CustomerID.Or("") != "" {
		errs.Reference("customerId", *n.CustomerID.Value)
	}
	n.Firstname = name(&errs, "firstname", trimmed(n.Firstname))
	n.Lastname = name(&errs, "lastname", trimmed(n.Lastname))
	n.Email = trimmed(n.Email)
	if email := n.Email.Or(""); email != "" && !texts.ValidEmail(email) {
		errs.Add("email", "must be an email address such as name@example.com")
	}
	if n.Phone = trimmed(n.Phone); n.Phone.Or("") != "" {
		errs.Length("phone", *n.Phone.Value, maxPhoneLength)
	}
	if n.Meta.Value != nil {
		checkMeta(&errs, *n.Meta.Value)
	}
	return n, errs.Err()
}

func trimmed(field optional.Value[string]) optional.Value[string] {
	if field.Value == nil {
		return field
	}
	return optional.Some(texts.Trim(*field.Value))
}

// name checks a name of the holder (LIMIT-10).
func name(p *domain.FieldErrors, path string, field optional.Value[string]) optional.Value[string] {
	if field.Or("") != "" {
		p.ShortLine(path, *field.Value, domain.MaxNameLength)
	}
	return field
}

// checkMeta checks the type, size and depth of a meta object. Its JSON was already parsed strictly.
func checkMeta(p *domain.FieldErrors, meta ecmajson.Value) {
	switch size := len(meta.Print()); {
	case meta.Kind() != ecmajson.Object:
		p.Add("meta", "must be an object")
	case size > MaxMetaBytes:
		p.Add("meta", fmt.Sprintf("must be at most %d bytes of JSON, not %d", MaxMetaBytes, size))
	case meta.Depth() > maxMetaDepth:
		p.Add("meta", fmt.Sprintf("is nested too deeply: at most %d levels are allowed, not %d", maxMetaDepth, meta.Depth()))
	}
}

// MergedMetaFault returns why meta is invalid after it was merged with the columns of a file, or "". The limits apply
// to the merged object, even if each part is smaller.
func MergedMetaFault(merged ecmajson.Value) string {
	var errs domain.FieldErrors
	checkMeta(&errs, merged)
	if err := errs.Err(); err != nil {
		return "merged with the existing entry, " + err.Error()
	}
	return ""
}

// same reports whether both have equal values in all fields that callers can set.
func (e *Entry) same(other *Entry) bool {
	return e.ExternalCode == other.ExternalCode && e.CustomerID == other.CustomerID && e.Firstname == other.Firstname &&
		e.Lastname == other.Lastname && e.Email == other.Email && e.Phone == other.Phone &&
		e.Meta.Equal(other.Meta)
}

// ShownCustomerID returns the customer id, or nil if there is none.
func (e Entry) ShownCustomerID() *string { return texts.Shown(e.CustomerID) }

// ShownFirstname returns the first name, or nil.
func (e Entry) ShownFirstname() *string { return texts.Shown(e.Firstname) }

// ShownLastname returns the last name, or nil.
func (e Entry) ShownLastname() *string { return texts.Shown(e.Lastname) }

// ShownEmail returns the email address, or nil.
func (e Entry) ShownEmail() *string { return texts.Shown(e.Email) }

// ShownPhone returns the phone number, or nil.
func (e Entry) ShownPhone() *string { return texts.Shown(e.Phone) }
