package tenant

import (
	"ticketgate/domain"
	"ticketgate/domain/texts"
)

// email returns an address trimmed, and notes it when it is none.
func email(problems *domain.Problems, address string) string {
	address = texts.Trim(address)
	if !texts.ValidEmail(address) {
		problems.Add("email", "must be an e-mail address such as name@example.com")
	}
	return address
}
