package db_test

import (
	"testing"
	"time"

	"ticketgate/db/dbtest"
	"ticketgate/domain"
)

// If a fence is lifted during the lookup of a seller, the seller is still found.
func TestASellerIsFoundWhileItsFenceIsLifted(t *testing.T) {
	t.Parallel()
	i := dbtest.Install(t, time.Now)
	owner := i.Owner(t)
	exec := func(statement string) {
		t.Helper()
		_, err := owner.ExecContext(t.Context(), statement, string(dbtest.Seller))
		i.Must(err)
	}
	exec("INSERT INTO seller_moves (seller_id, state, cluster) VALUES ($1, 'fenced', 'b')")
	if err := i.Store.SellerBetween(t.Context(), dbtest.Seller, nil); !domain.HasCode(err, domain.CodeUnavailable) {
		t.Errorf("fenced: %v", err)
	}
	for name, takenBack := range map[string]string{
		"served again":     "UPDATE seller_moves SET state = 'leaving' WHERE seller_id = $1",
		"served from then": "DELETE FROM seller_moves WHERE seller_id = $1",
	} {
		exec("UPDATE seller_moves SET state = 'fenced' WHERE seller_id = $1")
		if err := i.Store.SellerBetween(t.Context(), dbtest.Seller, func() { exec(takenBack) }); err != nil {
			t.Errorf("%s: %v", name, err)
		}
		exec("INSERT INTO seller_moves (seller_id, state, cluster) VALUES ($1, 'fenced', 'b') ON CONFLICT DO NOTHING")
	}
	if err := i.Store.SellerBetween(t.Context(), "999999999999999999999999", nil); !domain.HasCode(err, domain.CodeNotFound) {
		t.Errorf("seller not found: %v", err)
	}
}
