package tenant

import (
	"ticketgate/domain"
	"ticketgate/domain/texts"
)

// email returns the address trimmed, and adds a fault if it is not a valid email address.
func email(errs *domain.FieldErrors, address string) string {
	address = texts.Trim(address)
	if !texts.ValidEmail(address) {
		errs.Add("email", "must be an email address such as name@example.com")
	}
	return address
}
