package db

import "ticketgate/domain/ids"

// LockedTexts returns the statements that lock rows by id.
func LockedTexts(s *Store) map[string]string {
	seller := ids.Seller("s")
	return map[string]string{
		"tickets":           tickets.of(seller).lockedText(s),
		"transactions":      transactions.of(seller).lockedText(s),
		"sold transactions": soldTransactions(seller).lockedText(s),
	}
}
