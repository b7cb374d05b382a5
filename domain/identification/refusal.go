package identification

import (
	"ticketgate/domain"
	"ticketgate/domain/moment"
)

// Reason is the kind of a rejection. Unlike messages, which contain characters and lengths, reasons can be counted.
type Reason string

// The reasons. The first four are about the number itself.
const (
	SpacesInNumber  Reason = "SPACES"
	OtherCharacters Reason = "CHARACTERS"
	WrongLength     Reason = "LENGTH"
	WrongCheckDigit Reason = "CHECKSUM"
	Malformed       Reason = "MALFORMED" // not a list of documents, or a document of unknown type
	MissingDocument Reason = "MISSING_DOCUMENT"
	NoFullAddress   Reason = "ADDRESS"
)

// RefusalError is the error for a buyer that the identification rule rejects.
type RefusalError struct {
	Reason  Reason
	refused *domain.Error
}

// Error returns the message that clients show.
func (r *RefusalError) Error() string { return r.refused.Message }

// Unwrap returns the error in the form that callers get.
func (r *RefusalError) Unwrap() error { return r.refused }

// Refusals counts the rejections for one reason.
type Refusals struct {
	Reason Reason
	Count  int
	LastAt moment.DateTime
}
