package db_test

import (
	"fmt"
	"testing"
	"time"

	"ticketgate/db/dbtest"
	"ticketgate/domain"
	"ticketgate/domain/access"
)

func TestRowsAreReadAsStored(t *testing.T) {
	t.Parallel()
	i := dbtest.Install(t, time.Now)
	const insert = `INSERT INTO access_lists (id, seller_id, type, name, name_folded, url, created_at, updated_at) VALUES ($1, $2, 'remote', $3, 'l', $4, $5, $6)`
	for n, row := range [][4]any{
		{"", "", "1969-12-31 23:59:59.999999Z", "0001-01-01 00:00:00Z"},
		{"é\u2028\"", "http://x.example/é", "2000-01-01 00:00:00Z", "1999-12-31 23:59:59.999Z"},
		{"n", "", "2026-11-30 12:00:00.001+01", "9999-12-31 23:59:59.999Z"},
	} {
		i.Exec(insert, fmt.Sprint(n), string(dbtest.Seller), row[0], row[1], row[2], row[3])
	}
	found, err := i.Store.Access().Lists(t.Context(), dbtest.Seller, access.ListFilter{}, domain.Page{Limit: 10})
	i.Must(err)
	var got string
	for _, list := range found.Items {
		got += fmt.Sprint(list.ID, " ", list.SellerID == dbtest.Seller, " ", list.Name, " ", list.HTTP.URL, " ", list.CreatedAt, " ", list.UpdatedAt, "\n")
	}
	const want = "0 true   1969-12-31T23:59:59.999Z 0001-01-01T00:00:00.000Z\n" +
		"1 true é\u2028\" http://x.example/é 2000-01-01T00:00:00.000Z 1999-12-31T23:59:59.999Z\n" +
		"2 true n  2026-11-30T11:00:00.001Z 9999-12-31T23:59:59.999Z\n"
	if got != want {
		t.Errorf("got\n%s\nwant\n%s", got, want)
	}
	i.Exec(insert, "x", string(dbtest.Seller), "", "", "infinity", "-infinity")
	if _, err := i.Store.Access().List(t.Context(), dbtest.Seller, "x"); err == nil {
		t.Error("an infinite time was read")
	}
}
