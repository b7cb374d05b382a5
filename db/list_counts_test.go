package db_test

import (
	"context"
	"database/sql"
	"errors"
	"fmt"
	"math/rand/v2"
	"strings"
	"sync"
	"testing"
	"time"

	"ticketgate/db"
	"ticketgate/db/dbtest"
	"ticketgate/domain"
	"ticketgate/domain/access"
	"ticketgate/domain/catalog"
	"ticketgate/domain/moment"
	"ticketgate/domain/sale"
	"ticketgate/domain/ticket"
)

// countedTables are the tables whose rows are counted, with the expression of their scope.
var countedTables = map[string]string{
	"access_entries": "list_id", "customers": "''", "checkouts": "''", "purchase_intents": "''", "transactions": "''", "tickets": "''",
	"invoices": "''",
}

// differences returns a query for the lists whose kept count differs from their number of rows. It is one statement,
// and so reads both at one time.
func differences() string {
	var parts []string
	for table, scope := range countedTables {
		parts = append(parts, fmt.Sprintf(`SELECT seller_id, '%s' AS list, %s AS scope, count(*) AS n FROM %[1]s GROUP BY 1, 2, 3`, table, scope))
	}
	return `SELECT coalesce(string_agg(format('%s of %s %s: %s', list, seller_id, scope, n), E'\n'), '') FROM (
		SELECT list, seller_id, scope, sum(n) AS n FROM (` + strings.Join(parts, " UNION ALL ") + `
			UNION ALL SELECT seller_id, list, scope, -n FROM list_counts
			UNION ALL SELECT seller_id, list, scope, -n FROM list_count_deltas) both_ways
		GROUP BY 1, 2, 3 HAVING sum(n) <> 0) different`
}

// equal reports a test error if a count differs from the rows.
func equal(t *testing.T, on *sql.DB, when string) bool {
	t.Helper()
	var found string
	if err := on.QueryRowContext(t.Context(), differences()).Scan(&found); err != nil {
		t.Errorf("%s: %v", when, err)
		return false
	}
	if found != "" {
		t.Errorf("%s, rows and counts differ:\n%s", when, found)
	}
	return found == ""
}

// countedLists writes entries in every possible way.
type countedLists struct {
	*dbtest.Installation

	t      *testing.T
	stores [2]*db.Store
	lists  []access.List
}

const entryInsert = `INSERT INTO access_entries (id, list_id, seller_id, external_code, created_at, updated_at) `

func newCountedLists(t *testing.T) *countedLists {
	t.Helper()
	i := dbtest.Install(t, time.Now)
	w := &countedLists{Installation: i, t: t, stores: [2]*db.Store{i.Store, i.Process()}}
	for n := range 4 {
		list := access.List{
			ID: fmt.Sprintf("%024d", n), SellerID: dbtest.Seller, Type: access.Static, Name: "L", CreatedAt: moment.New(time.Now()),
		}
		i.Must(i.Store.Access().InTx(t.Context(), func(tx access.Tx) error { return tx.InsertList(t.Context(), list) }))
		w.lists = append(w.lists, list)
	}
	return w
}

// write makes one random change of entries. A change that conflicts with another writer's is rolled back.
func (w *countedLists) write(ctx context.Context, chance *rand.Rand, writer, step int) error {
	store, list := w.stores[writer%2].Access(), w.lists[chance.IntN(len(w.lists))]
	id := fmt.Sprintf("%d-%d", writer, step)
	entry := access.Entry{ID: id, ListID: list.ID, SellerID: dbtest.Seller, ExternalCode: id, CreatedAt: moment.New(time.Now())}
	some := func() []string {
		return w.Texts("SELECT id FROM access_entries WHERE list_id = $1 ORDER BY random() LIMIT 5", list.ID)
	}
	switch chance.IntN(9) {
	case 0, 1:
		return store.InTx(ctx, func(tx access.Tx) error { return tx.InsertEntry(ctx, entry) })
	case 2:
		return store.InTx(ctx, func(tx access.Tx) error {
			_, err := tx.DeleteEntries(ctx, list, some())
			return err
		})
	case 3: // like an earlier version, which has no counts
		_, err := w.SQL.ExecContext(ctx, entryInsert+`SELECT $1 || '-' || n, $2, $3, $1 || '-' || n, now(), now() FROM generate_series(1, 40) n`,
			id, list.ID, string(dbtest.Seller))
		return err
	case 4:
		_, err := w.SQL.ExecContext(ctx, "UPDATE access_entries SET list_id = $1, phone = 'moved' WHERE id = ANY($2)",
			w.lists[chance.IntN(len(w.lists))].ID, some())
		return err
	case 5: // deletes the last list with its entries and creates it again
		last := w.lists[len(w.lists)-1]
		return store.InTx(ctx, func(tx access.Tx) error {
			if err := tx.DeleteList(ctx, last.SellerID, last.ID); err != nil {
				return err
			}
			return tx.InsertList(ctx, last)
		})
	case 6:
		failed := errors.New("fails")
		err := store.InTx(ctx, func(tx access.Tx) error {
			return errors.Join(failed, tx.InsertEntry(ctx, entry))
		})
		if errors.Is(err, failed) {
			return nil
		}
		return err
	case 7:
		return w.imports(ctx, store, list, id)
	}
	return w.killed(ctx, list, id)
}

// imports adds entries from a file and then removes them.
func (w *countedLists) imports(ctx context.Context, store access.Store, list access.List, id string) error {
	ctx = domain.WithActor(ctx, new(dbtest.KeyOf(dbtest.Seller, domain.Permissions()...)))
	imports := access.Imports{Store: store, Now: time.Now}
	file := access.File(func() (access.Source, error) {
		return access.CSV(strings.NewReader("externalCode\n" + id + "a\n" + id + "b\n" + id + "c\n")), nil
	})
	staged, err := imports.Preview(ctx, list.ID, access.ImportOptions{}, file)
	if err != nil {
		return err
	}
	if _, err := imports.Commit(ctx, list.ID, staged.ID, access.Commit{}); err != nil {
		return err
	}
	_, err = imports.Undo(ctx, list.ID, staged.ID)
	return err
}

// killed inserts in a transaction whose connection ends before its commit.
func (w *countedLists) killed(ctx context.Context, list access.List, id string) error {
	conn, err := w.SQL.Conn(ctx)
	if err != nil {
		return err
	}
	defer func() { _ = conn.Close() }()
	if _, err := conn.ExecContext(ctx, "BEGIN"); err != nil {
		return err
	}
	if _, err := conn.ExecContext(ctx, entryInsert+"VALUES ($1, $2, $3, $1, now(), now())", id, list.ID, string(dbtest.Seller)); err != nil {
		return err
	}
	if _, err := conn.ExecContext(ctx, "SELECT pg_terminate_backend(pg_backend_pid())"); err == nil {
		return errors.New("the connection is still open")
	}
	return nil
}

// refusedForAnother reports whether a write failed because of another writer: a deleted list or import, a lock, or a
// conflict.
func refusedForAnother(err error) bool {
	text := fmt.Sprint(err)
	for _, reason := range []string{"not found", "SQLSTATE 23503", "SQLSTATE 40P01", "SQLSTATE 55P03", "does not exist", "conflict", "no longer"} {
		if strings.Contains(text, reason) {
			return true
		}
	}
	return false
}

// pages reads pages with their totals. For lists shorter than a page the total must be the number of entries.
func (w *countedLists) pages(ctx context.Context) error {
	for _, list := range w.lists {
		page := domain.Page{Limit: domain.MaxPageSize, Total: true}
		found, err := w.stores[0].Access().Entries(ctx, list.SellerID, list.ID, access.EntryFilter{}, page)
		if err != nil {
			return err
		}
		if len(found.Items) == 0 || found.HasMore {
			continue
		}
		if total, err := found.Total(ctx); err != nil || total != len(found.Items) {
			return fmt.Errorf("a page of %d entries has the total %d, %w", len(found.Items), total, err)
		}
	}
	return nil
}

// A total is exact at any time, while others write and count, and after a process was killed while counting (SQL-4).
func TestCountsOfListsMatchTheirRows(t *testing.T) {
	t.Parallel()
	w := newCountedLists(t)
	ctx, stop := context.WithCancel(t.Context())
	var writers, others sync.WaitGroup
	for writer := range 4 {
		writers.Go(func() {
			chance := rand.New(rand.NewPCG(1, uint64(writer)))
			for step := range 60 {
				if err := w.write(t.Context(), chance, writer, step); err != nil && !refusedForAnother(err) {
					t.Errorf("writer %d, step %d: %v", writer, step, err)
				}
			}
		})
	}
	for _, store := range w.stores {
		others.Go(func() {
			for ctx.Err() == nil {
				bounded, cancel := context.WithCancel(t.Context())
				if rand.IntN(4) == 0 { // a process is killed while it counts
					go cancel()
				}
				_, err := store.FoldListCounts(bounded)
				if err != nil && bounded.Err() == nil {
					t.Error(err)
				}
				cancel()
			}
		})
	}
	others.Go(func() {
		for ctx.Err() == nil && equal(t, w.SQL, "while others write") {
			if err := w.pages(t.Context()); err != nil {
				t.Error(err)
			}
		}
	})
	writers.Wait()
	stop()
	others.Wait()
	equal(t, w.SQL, "at the end")
	for folded := 1; folded > 0; {
		var err error
		folded, err = w.Store.FoldListCounts(t.Context())
		w.Must(err)
	}
	equal(t, w.SQL, "when all deltas are folded")
	if left := w.Count("SELECT count(*) FROM list_count_deltas"); left != 0 {
		t.Errorf("%d deltas are left", left)
	}
	if w.Count("SELECT count(*) FROM access_entries") == 0 {
		t.Error("nothing was counted")
	}
}

// Only a list without a filter has the kept count as its total (SQL-4).
func TestTotalsOfListsWithoutFilter(t *testing.T) {
	t.Parallel()
	w := newCountedLists(t)
	ctx, list := t.Context(), w.lists[0]
	w.Exec(entryInsert+`SELECT n, $1, $2, n, now(), now() FROM generate_series(1, 30) n`, list.ID, string(dbtest.Seller))
	w.Exec(`INSERT INTO customers (id, seller_id, name_folded, created_at, updated_at) SELECT n, $1, 'x', now(), now() FROM generate_series(1, 20) n`,
		string(dbtest.Seller))
	w.Exec(`INSERT INTO tickets (id, seller_id, event_id, ticket_type_id, status, barcode, search_folded, excluded_event_ids, document,
			created_at, updated_at) SELECT n, $1, 'e', 't', 'VALID', n, '', '{}', '{}', now(), now() FROM generate_series(1, 10) n`, string(dbtest.Seller))
	page := domain.Page{Limit: 1}
	total := func(name string, want int, of func(context.Context) (int, error), err error) {
		t.Helper()
		w.Must(err)
		if got, err := of(ctx); err != nil || got != want {
			t.Errorf("%s: total %d, %v, want %d", name, got, err, want)
		}
	}
	for _, folds := range []int{0, 1} {
		for range folds {
			_, err := w.Store.FoldListCounts(ctx)
			w.Must(err)
		}
		for _, page.Total = range []bool{false, true} {
			for _, page.Skip = range []int{0, 50} {
				entries, err := w.Store.Access().Entries(ctx, dbtest.Seller, list.ID, access.EntryFilter{}, page)
				total("entries", 30, entries.Total, err)
				entries, err = w.Store.Access().Entries(ctx, dbtest.Seller, list.ID, access.EntryFilter{ExternalCode: "7"}, page)
				total("entries with a code", 1, entries.Total, err)
				entries, err = w.Store.Access().Entries(ctx, dbtest.Other, list.ID, access.EntryFilter{}, page)
				total("entries of another seller", 0, entries.Total, err)
				customers, err := w.Store.Catalog().Customers(ctx, dbtest.Seller, catalog.CustomerFilter{}, page)
				total("customers", 20, customers.Total, err)
				tickets, err := w.Store.Tickets().Tickets(ctx, dbtest.Seller, ticket.Filter{}, page)
				total("tickets", 10, tickets.Total, err)
				checkouts, err := w.Store.Checkouts().Checkouts(ctx, dbtest.Seller, sale.CheckoutFilter{}, page)
				total("checkouts", 0, checkouts.Total, err)
			}
		}
		within, err := w.Store.Access().EntriesOfLists(ctx, dbtest.Seller, []string{list.ID, w.lists[1].ID}, access.EntryFilter{}, page)
		total("entries of a list", 30, within[list.ID].Total, err)
		total("entries of an empty list", 0, within[w.lists[1].ID].Total, err)
	}
}

// The migrations count what earlier versions have written and still write during the migration (SQL-4).
func TestRowsOfEarlierVersionsAreCounted(t *testing.T) {
	t.Parallel()
	e := newEarlier(t, "0077_count_rows_of_sellers")
	for _, file := range []string{"0076_list_counts_of_sellers", "0075_count_entries", "0074_list_counts"} {
		e.down(file)
	}
	const tickets = `INSERT INTO tickets (id, seller_id, event_id, ticket_type_id, status, barcode, search_folded, excluded_event_ids, document,
		created_at, updated_at) SELECT '%[1]s' || n, 's', 'e', 't', 'VALID', '%[1]s' || n, '', '{}', '{}', now(), now() FROM generate_series(1, %[2]d) n`
	e.exec(earlierSeller + `INSERT INTO access_lists (id, seller_id, type, name, name_folded, created_at, updated_at)
		SELECT n, 's', 'static', 'L', 'l', now(), now() FROM generate_series(1, 3) n;` + entryInsert +
		`SELECT n, 1 + n % 2, 's', n, now(), now() FROM generate_series(1, 2000) n;` + fmt.Sprintf(tickets, "first", 500))
	pool := open(t, e.database.ApplicationURL)
	ctx, stop := context.WithCancel(t.Context())
	var writers sync.WaitGroup
	for writer := range 3 {
		writers.Go(func() {
			for step := 0; ctx.Err() == nil; step++ {
				id := fmt.Sprintf("%d-%d-", writer, step)
				for _, statement := range []string{
					entryInsert + `SELECT '` + id + `' || n, 3, 's', '` + id + `' || n, now(), now() FROM generate_series(1, 3) n`,
					`DELETE FROM access_entries WHERE id = '` + id + `1'`, `UPDATE access_entries SET list_id = 2 WHERE id = '` + id + `2'`,
					fmt.Sprintf(tickets, id, 2), `DELETE FROM tickets WHERE id = '` + id + `1'`,
				} {
					if _, err := pool.ExecContext(t.Context(), statement); err != nil && !refusedForAnother(err) {
						t.Error(err)
						return
					}
				}
			}
		})
	}
	e.up()
	stop()
	writers.Wait()
	equal(t, e.owner, "after the migrations")
	if counted := e.text("SELECT sum(n) FROM list_count_deltas WHERE list = 'access_entries' AND scope = '1'"); counted != "1000" {
		t.Errorf("the first list has %s entries, want 1000", counted)
	}
	e.exec("TRUNCATE access_entries, tickets")
	equal(t, e.owner, "after a truncation")
}

// Rows loaded without triggers are counted on request (SQL-4).
func TestRowsWithoutTriggersAreCounted(t *testing.T) {
	t.Parallel()
	w := newCountedLists(t)
	owner := open(t, w.OwnerURL)
	for _, statement := range []string{
		"ALTER TABLE access_entries DISABLE TRIGGER USER",
		entryInsert + "SELECT n, '" + w.lists[0].ID + "', '" + string(dbtest.Seller) + "', n, now(), now() FROM generate_series(1, 30) n",
		"ALTER TABLE access_entries ENABLE TRIGGER USER",
		entryInsert + "VALUES ('x', '" + w.lists[0].ID + "', '" + string(dbtest.Seller) + "', 'x', now(), now())",
		"SELECT recount_list('access_entries'), recount_list('access_entries')",
	} {
		if _, err := owner.ExecContext(t.Context(), statement); err != nil {
			t.Fatal(err)
		}
	}
	equal(t, owner, "after the count")
}
