package access_test

import (
	"fmt"
	"slices"
	"testing"

	"ticketgate/domain"
	"ticketgate/domain/access"
	"ticketgate/domain/domaintest"
	"ticketgate/domain/ids"
	"ticketgate/domain/optional"
)

func TestManyEntriesAreRemovedAtOnce(t *testing.T) {
	w := newFixture(t)
	list, second := w.list("A"), w.list("B")
	entry := map[string]string{}
	for _, code := range []string{"1", "2", "3", "4"} {
		input := access.NewEntry{ExternalCode: code}
		if code > "2" {
			input.Email = optional.Some("holder@example.com")
		}
		entry[code] = w.entry(list, input).ID
	}
	elsewhere := w.entry(second, access.NewEntry{ExternalCode: "1"}).ID
	remove := func(of ids.Seller, wanted access.Removal) (access.Removed, error) {
		return w.entries.DeleteMany(w.As(of), list.ID, wanted)
	}
	remain := func(t *testing.T, want ...string) {
		t.Helper()
		if got := w.codes(list, access.EntryFilter{}); !slices.Equal(got, want) {
			t.Errorf("the list contains %v, want %v", got, want)
		}
	}

	t.Run("removes none if one is not in the list", func(t *testing.T) {
		_, err := remove(seller, access.Removal{IDs: []string{entry["1"], elsewhere, entry["2"], "nothing"}})
		refused(t, err, domain.CodeValidationFailed, "ids[1]", "ids[3]")
		remain(t, "1", "2", "3", "4")
	})
	t.Run("does not find another seller's list", func(t *testing.T) {
		_, err := remove(other, access.Removal{IDs: []string{entry["1"]}})
		refused(t, err, domain.CodeNotFound)
		remain(t, "1", "2", "3", "4")
	})
	t.Run("removes none if the filter matches another number than confirmed", func(t *testing.T) {
		_, err := remove(seller, access.Removal{Filter: &access.EntryFilter{Email: "holder@example.com"}, Count: new(1)})
		refused(t, err, domain.CodeInvalidState)
		if err.Error() != "The filter now matches 2 entries, not 1. Reload and confirm again" {
			t.Errorf("got %q", err)
		}
		remain(t, "1", "2", "3", "4")
	})
	t.Run("removes the entries with these ids, repeated ids once", func(t *testing.T) {
		if got := domaintest.Must(remove(seller, access.Removal{IDs: []string{entry["1"], entry["2"], entry["1"]}}))(t); got.Count != 2 {
			t.Errorf("removed %d, want 2", got.Count)
		}
		remain(t, "3", "4")
	})
	t.Run("removes all entries that match the filter", func(t *testing.T) {
		w.entry(list, access.NewEntry{ExternalCode: "5"})
		got := domaintest.Must(remove(seller, access.Removal{Filter: &access.EntryFilter{Email: "HOLDER@example.com"}, Count: new(2)}))(t)
		if got.Count != 2 {
			t.Errorf("removed %d", got.Count)
		}
		remain(t, "5")
		domaintest.Must(remove(seller, access.Removal{Filter: &access.EntryFilter{}, Count: new(1)}))(t)
		remain(t)
	})
	t.Run("writes an audit entry with the number each time", func(t *testing.T) {
		if n := w.Count(`SELECT count(*) FROM audit_entries WHERE object = 'accessList' AND object_id = $1
			AND action = 'deleteAccessListEntries'`, list.ID); n != 3 {
			t.Errorf("got %d audit entries", n)
		}
		if n := w.Count("SELECT (before->>'entries')::int FROM audit_entries WHERE action = 'deleteAccessListEntries' ORDER BY id LIMIT 1"); n != 2 {
			t.Errorf("the first audit entry has %d, want 2", n)
		}
	})
}

func TestInvalidRemovals(t *testing.T) {
	w := newFixture(t)
	list := w.list("A")
	for name, test := range map[string]struct {
		wanted access.Removal
		path   string
	}{
		"neither":                  {access.Removal{}, "ids"},
		"both":                     {access.Removal{IDs: []string{"a"}, Filter: &access.EntryFilter{}}, "ids"},
		"too many ids":             {access.Removal{IDs: make([]string, 1001)}, "ids"},
		"a filter without a count": {access.Removal{Filter: &access.EntryFilter{}}, "count"},
		"a count of zero":          {access.Removal{Filter: &access.EntryFilter{}, Count: new(0)}, "count"},
		"an unknown event": {
			access.Removal{Filter: &access.EntryFilter{WithoutTicketFor: "e"}, Count: new(1)}, "filter.withoutTicketFor",
		},
	} {
		t.Run(name, func(t *testing.T) {
			_, err := w.entries.DeleteMany(w.As(seller), list.ID, test.wanted)
			refused(t, err, domain.CodeValidationFailed, test.path)
		})
	}
}

func TestListsAreCountedUpToABound(t *testing.T) {
	w := newFixture(t)
	small, full, long := w.list("A"), w.list("B"), w.list("C")
	w.entry(small, access.NewEntry{ExternalCode: "1"})
	for list, entries := range map[string]int{full.ID: access.MaxCounted, long.ID: access.MaxCounted + 2} {
		w.Exec(`INSERT INTO access_entries (id, list_id, seller_id, external_code, created_at, updated_at)
			SELECT $1 || n, $1, $2, n, now(), now() FROM generate_series(1, $3::int) n`, list, string(seller), entries)
	}
	t.Run("in the order of ids", func(t *testing.T) {
		got := domaintest.Must(w.lists.Sizes(w.As(seller), []string{long.ID, small.ID, full.ID}))(t)
		want := []access.ListSize{{long.ID, access.MaxCounted, true}, {small.ID, 1, false}, {full.ID, access.MaxCounted, false}}
		if !slices.Equal(got, want) {
			t.Errorf("got %+v, want %+v", got, want)
		}
	})
	t.Run("with an error for each list that is not the seller's", func(t *testing.T) {
		_, err := w.lists.Sizes(w.As(other), []string{small.ID})
		refused(t, err, domain.CodeValidationFailed, "ids[0]")
		_, err = w.lists.Sizes(w.As(seller), []string{small.ID, "nothing"})
		refused(t, err, domain.CodeValidationFailed, "ids[1]")
	})
	t.Run("for at most a hundred lists", func(t *testing.T) {
		var ids []string
		for i := range 101 {
			ids = append(ids, fmt.Sprint(i))
		}
		_, err := w.lists.Sizes(w.As(seller), ids)
		refused(t, err, domain.CodeValidationFailed, "ids")
	})
}
