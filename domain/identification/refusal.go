package identification

import (
	"ticketgate/domain"
	"ticketgate/domain/moment"
)

// Reason is why the rule refused a buyer, of a few: what it said names characters and lengths, and could not be counted.
type Reason string

// The reasons. The first four are about the number itself.
const (
	SpacesInNumber  Reason = "SPACES"
	OtherCharacters Reason = "CHARACTERS"
	WrongLength     Reason = "LENGTH"
	WrongCheckDigit Reason = "CHECKSUM"
	Malformed       Reason = "MALFORMED" // no list of documents, or a document of no known type
	MissingDocument Reason = "MISSING_DOCUMENT"
	NoFullAddress   Reason = "ADDRESS"
)

// RefusalError is the error of a buyer whom the rule turns away, with the reason for its message.
type RefusalError struct {
	Reason  Reason
	refused *domain.Error
}

// Error is the message that clients show.
func (r *RefusalError) Error() string { return r.refused.Message }

// Unwrap is the error as a caller sees it.
func (r *RefusalError) Unwrap() error { return r.refused }

// Refusals is how often the rule refused for one reason.
type Refusals struct {
	Reason Reason
	Count  int
	LastAt moment.DateTime
}
