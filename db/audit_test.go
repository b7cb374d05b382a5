package db_test

import (
	"fmt"
	"slices"
	"testing"
	"time"

	"ticketgate/db/dbtest"
	"ticketgate/domain"
	"ticketgate/domain/audit"
	"ticketgate/domain/moment"
)

// Entries since a time are found by id. An id starts with the second of its entry, or a later one.
func TestAuditEntriesSinceATime(t *testing.T) {
	t.Parallel()
	i := dbtest.Install(t, time.Now)
	since := time.Date(2026, 11, 30, 12, 0, 0, 500_000_000, time.UTC)
	for n, row := range []struct{ written, at time.Duration }{
		{-time.Hour, -time.Hour},
		{-time.Millisecond, -time.Millisecond}, // in the same second
		{0, 0},
		{time.Millisecond, time.Millisecond},
		{time.Minute, -time.Minute}, // the clock was set back
		{time.Minute, time.Second},
	} {
		key := fmt.Sprintf("%08x%016d", since.Add(row.written).Unix(), n)
		i.Exec(`INSERT INTO audit_entries (id, at, seller_id, actor_kind, actor_id, action, object, object_id, before, after, address, request_id)
			VALUES ($1, $2, $3, 'SYSTEM', 'system', 'updateEvent', 'event', $4, '{}', '{}', '', '')`, key, since.Add(row.at), string(dbtest.Seller),
			fmt.Sprint(n))
	}
	from := moment.New(since)
	for name, filter := range map[string]audit.Filter{"atFrom": {AtFrom: &from}, "from": {From: &from}} {
		list, err := i.Store.Audit().Entries(t.Context(), domain.NameReach{SellerID: dbtest.Seller}, filter, domain.Page{Limit: 10})
		if err != nil {
			t.Fatal(err)
		}
		var found []string
		for _, entry := range list.Items {
			found = append(found, entry.ObjectID)
		}
		if want := []string{"2", "3", "5"}; !slices.Equal(found, want) {
			t.Errorf("%s finds %v, want %v", name, found, want)
		}
	}
}
