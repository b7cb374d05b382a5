package db

import (
	"context"
	"fmt"
)

// sealedColumns are where sealed secrets stand: the table's name for people, its text for Sealer and a query for
// one of them.
var sealedColumns = [...]struct{ what, query string }{
	{"webhook", "SELECT id, sealed_hmac_key AS sealed FROM webhooks WHERE sealed_hmac_key IS NOT NULL ORDER BY id DESC LIMIT 1"},
	{"API key", "SELECT id, sealed_secret AS sealed FROM api_keys WHERE sealed_secret IS NOT NULL ORDER BY id DESC LIMIT 1"},
}

// CheckSealed opens the newest sealed secret of each kind: with other secret keys than those that sealed them, the
// program would seem to work and fail at the first use.
func (s *Store) CheckSealed(ctx context.Context) error {
	type sealedRow struct {
		ID     string
		Sealed []byte
	}
	for _, column := range sealedColumns {
		found, err := rows[sealedRow](ctx, s, s.sql, column.query)
		if err != nil {
			return err
		}
		for _, row := range found {
			if !s.sealer.Holds(row.Sealed) {
				return fmt.Errorf("it does not hold the key that sealed the secret of %s %s", column.what, row.ID)
			}
		}
	}
	return nil
}
