package db_test

import (
	"errors"
	"slices"
	"sync"
	"testing"
	"time"

	"ticketgate/db/dbtest"
	"ticketgate/domain"
	"ticketgate/domain/access"
	"ticketgate/domain/domaintest"
)

func TestConcurrentEntriesShareAStatement(t *testing.T) {
	t.Parallel()
	i := dbtest.Install(t, time.Now)
	lists := access.Lists{Store: i.Store.Access(), Now: time.Now}
	mine := domaintest.Must(lists.Create(i.As(dbtest.Seller), access.NewList{Name: "Mine"}))(t)
	others := domaintest.Must(lists.Create(i.As(dbtest.Other), access.NewList{Name: "Others'"}))(t)
	remote := access.List{ID: "remote", SellerID: dbtest.Seller, Type: access.Remote, Name: "Remote", HTTP: &access.Listener{URL: "https://example.org"}}
	i.Must(i.Store.Access().InTx(t.Context(), func(tx access.Tx) error { return tx.InsertList(t.Context(), remote) }))
	entry := func(id, list, code string) access.Entry {
		return access.Entry{ID: id, ListID: list, SellerID: dbtest.Seller, ExternalCode: code, Firstname: "Zoë"}
	}
	full := entry("4", mine.ID, "full")
	full.CustomerID, full.Lastname, full.Email, full.Phone = "c", "Martin", "Zoe@Example.org", "+33"
	full.Meta = domaintest.JSON(`{"b": 1, "a": "ß"}`)
	calls := []access.Entry{
		entry("1", mine.ID, "one"), entry("2", mine.ID, "two"), entry("3", mine.ID, "one"), full,
		entry("5", others.ID, "others"), entry("6", remote.ID, "remote"), entry("7", "no list", "none"), entry("8", mine.ID, "given up"),
	}
	added := domaintest.Must(i.Store.AddTogether(i.As(dbtest.Seller), calls, "8"))(t)
	if want := []bool{true, true, false, true, false, false, false, false}; !slices.Equal(added, want) {
		t.Errorf("added %v, want %v", added, want)
	}
	if got := i.Texts("SELECT id FROM access_entries ORDER BY id"); !slices.Equal(got, []string{"1", "2", "4"}) {
		t.Errorf("stored %v", got)
	}
	if got := i.Texts("SELECT count(DISTINCT xmin::text)::text FROM access_entries"); got[0] != "1" {
		t.Errorf("%s transactions", got[0])
	}
	// The row equals that of a separate transaction.
	again := full
	again.ID, again.ExternalCode = "9", "again"
	i.Must(i.Store.Access().InTx(t.Context(), func(tx access.Tx) error { return tx.InsertEntry(t.Context(), again) }))
	same := i.Texts(`SELECT DISTINCT (to_jsonb(e) - 'id' - 'external_code')::text || meta::text FROM access_entries e WHERE id IN ('4', '9')`)
	if len(same) != 1 {
		t.Errorf("they differ: %q", same)
	}
}

// If a statement fails, each of its calls runs in a transaction of its own, so that no call fails because of another.
func TestAFailedEntryDoesNotAffectOthers(t *testing.T) {
	t.Parallel()
	i := dbtest.Install(t, time.Now)
	list := domaintest.Must(access.Lists{Store: i.Store.Access(), Now: time.Now}.Create(i.As(dbtest.Seller), access.NewList{Name: "L"}))(t)
	together := func(ids ...string) {
		t.Helper()
		calls := make([]access.Entry, len(ids))
		for n, id := range ids {
			calls[n] = access.Entry{ID: id, ListID: list.ID, SellerID: dbtest.Seller, ExternalCode: id}
		}
		added, err := i.Store.AddTogether(i.As(dbtest.Seller), calls)
		if err != nil || slices.Contains(added, true) {
			t.Errorf("%q: got %v, %v", ids, added, err)
		}
	}
	together("good", "bad\x00")
	// A statement that fails at its commit has already returned the ids.
	_, err := i.Owner(t).ExecContext(t.Context(), `
		CREATE FUNCTION refuse() RETURNS trigger LANGUAGE plpgsql AS $$ BEGIN RAISE EXCEPTION 'refused'; END $$;
		CREATE CONSTRAINT TRIGGER refuses AFTER INSERT ON access_entries DEFERRABLE INITIALLY DEFERRED FOR EACH ROW
		WHEN (NEW.external_code = 'refused') EXECUTE FUNCTION refuse()`)
	i.Must(err)
	together("good", "refused")
	if got := i.Texts("SELECT id FROM access_entries"); len(got) > 0 {
		t.Errorf("stored %v", got)
	}
}

func TestACodeIsAddedOnceByConcurrentCalls(t *testing.T) {
	t.Parallel()
	i := dbtest.Install(t, time.Now)
	list := domaintest.Must(access.Lists{Store: i.Store.Access(), Now: time.Now}.Create(i.As(dbtest.Seller), access.NewList{Name: "L"}))(t)
	stores := []access.Store{i.Store.Access(), i.Process().Access()}
	var group sync.WaitGroup
	const callers = 20
	errs := make([]error, callers)
	for n := range callers {
		group.Go(func() {
			entries := access.Entries{Store: stores[n%len(stores)], Now: time.Now}
			_, errs[n] = entries.Create(i.As(dbtest.Seller), list.ID, access.NewEntry{ExternalCode: "CODE"})
		})
	}
	group.Wait()
	created := 0
	for _, err := range errs {
		switch {
		case err == nil:
			created++
		case !domain.HasCode(err, domain.CodeEntryAlreadyInList):
			t.Error(err)
		}
	}
	if got := i.Texts("SELECT external_code FROM access_entries"); created != 1 || len(got) != 1 {
		t.Errorf("%d calls made %v", created, got)
	}
}

func TestReadOnlyStoreRefusesWrites(t *testing.T) {
	t.Parallel()
	i := dbtest.Install(t, time.Now)
	added, err := i.Store.ReadOnly().Access().AddEntry(t.Context(), access.Entry{SellerID: dbtest.Seller})
	if added || err == nil || errors.Is(err, t.Context().Err()) {
		t.Errorf("got %v, %v", added, err)
	}
}
