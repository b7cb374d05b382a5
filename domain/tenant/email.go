package tenant

import (
	"ticketgate/domain"
)

// email returns an address trimmed, and notes it when it is none.
func email(problems *domain.Problems, address string) string {
	address = domain.Trim(address)
	if !domain.ValidEmail(address) {
		problems.Add("email", "must be an e-mail address such as name@example.com")
	}
	return address
}
