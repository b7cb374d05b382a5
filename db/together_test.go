package db_test

import (
	"testing"
	"time"

	"ticketgate/db/dbtest"
	"ticketgate/domain"
)

// Statements sent together are one transaction, and the connection can be used again afterwards.
func TestStatementsTogetherAreOneTransaction(t *testing.T) {
	t.Parallel()
	const (
		insert = `INSERT INTO login_failures (subject, failures, last_at)
			SELECT convert_to($1 || n, 'UTF8'), 1, now() FROM generate_series(1, 2) n`
		update = "UPDATE login_failures SET failures = 2 WHERE convert_from(subject, 'UTF8') LIKE $1 || '%'"
		fails  = "UPDATE login_failures SET failures = length($1) / 0"
	)
	i := dbtest.Install(t, time.Now)
	for _, c := range []struct {
		name  string
		texts []string
		rows  int
	}{
		{"all succeed", []string{insert, update}, 2},
		{"the last one fails", []string{insert, fails}, 0},
		{"the first one fails", []string{fails, insert}, 0},
	} {
		t.Run(c.name, func(t *testing.T) {
			if err := i.Store.Together(t.Context(), c.texts, c.name); (err == nil) != (c.rows > 0) {
				t.Errorf("error %v", err)
			}
			const count = "SELECT count(*) FROM login_failures WHERE convert_from(subject, 'UTF8') LIKE $1 || '%' AND failures = 2"
			if rows := i.Count(count, c.name); rows != c.rows {
				t.Errorf("%d rows are there", rows)
			}
			if _, err := i.Store.Webhooks().PublishAll(t.Context(), []domain.Event{{
				SellerID: dbtest.Seller, Type: "ticket.created", Data: []byte(`{"ticket":{}}`),
			}}); err != nil {
				t.Errorf("the next one on the connection: %v", err)
			}
		})
	}
}
