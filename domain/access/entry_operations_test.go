package access_test

import (
	"fmt"
	"slices"
	"strings"
	"sync"
	"testing"

	"ticketgate/domain"
	"ticketgate/domain/access"
	"ticketgate/domain/domaintest"
	"ticketgate/domain/ecmajson"
	"ticketgate/domain/ids"
	"ticketgate/domain/optional"
)

// Codes are stored exactly as sent (ACCESS-6).
func TestCodesAreStoredAsSent(t *testing.T) {
	w := newFixture(t)
	list := w.list("A")
	codes := []string{
		"AbC-12", "abc-12", " x ", "007", "A/B", "%2F", "%", "+", "..", ".", "a;b?c#d&e=f", "日本", "🎫", "\u00e9", "e\u0301", `\`, `'; --`,
		strings.Repeat("🎫", 255),
	}
	for _, code := range codes {
		entry := w.entry(list, access.NewEntry{ExternalCode: code})
		got := domaintest.Must(w.entries.Get(w.As(seller), list.ID, entry.ID))(t)
		if found := w.codes(list, access.EntryFilter{ExternalCode: code}); got.ExternalCode != code || !slices.Equal(found, []string{code}) {
			t.Errorf("%q is returned as %q and found as %q", code, got.ExternalCode, found)
		}
	}
	for _, code := range []string{"", strings.Repeat("x", 256), "a\x00b", "ab\xff"} {
		_, err := w.entries.Create(w.As(seller), list.ID, access.NewEntry{ExternalCode: code})
		refused(t, err, domain.CodeValidationFailed, "externalCode")
	}
}

func TestEntriesStoreTheSentFields(t *testing.T) {
	w := newFixture(t)
	list := w.list("A")
	full := access.NewEntry{
		ExternalCode: "A", CustomerID: optional.Some("any id"), Firstname: optional.Some(" Ada "), Lastname: optional.Some("L"),
		Email: optional.Some("Ada@Example.com"), Phone: optional.Some("+33 1"), Meta: object(t, `{"b":1,"a":[null,1e21],"2":"x"}`),
	}
	made := w.entry(list, full)
	got := domaintest.Must(w.entries.Get(w.As(seller), list.ID, made.ID))(t)
	if got.CustomerID != "any id" || got.Firstname != "Ada" || got.Lastname != "L" || got.Email != "Ada@Example.com" ||
		got.Phone != "+33 1" || string(got.Meta.Append(nil)) != `{"2":"x","b":1,"a":[null,1e+21]}` || got.SellerID != seller || got.ListID != list.ID {
		t.Errorf("got %+v, meta %s", got, got.Meta.Append(nil))
	}

	t.Run("omitted fields keep their values", func(t *testing.T) {
		got := domaintest.Must(w.entries.Update(w.As(seller), list.ID, made.ID, access.NewEntry{ExternalCode: "B"}, nil))(t)
		if got.ExternalCode != "B" || got.CustomerID != "any id" || got.Meta.Kind() != ecmajson.Object || !got.UpdatedAt.After(made.UpdatedAt.Time) {
			t.Errorf("got %+v", got)
		}
	})
	t.Run("null and empty text clear fields, meta is replaced", func(t *testing.T) {
		domaintest.Must(w.entries.Update(w.As(seller), list.ID, made.ID, access.NewEntry{
			ExternalCode: "B", CustomerID: optional.Null[string](), Email: optional.Some(""), Phone: optional.Null[string](), Meta: object(t, `{"c":2}`),
		}, nil))(t)
		got := domaintest.Must(w.entries.Get(w.As(seller), list.ID, made.ID))(t)
		if got.CustomerID != "" || got.Email != "" || got.Phone != "" || got.Firstname != "Ada" || string(got.Meta.Append(nil)) != `{"c":2}` {
			t.Errorf("got %+v", got)
		}
	})
	t.Run("an update without changes writes nothing", func(t *testing.T) {
		before := domaintest.Must(w.entries.Get(w.As(seller), list.ID, made.ID))(t)
		after := domaintest.Must(w.entries.Update(w.As(seller), list.ID, made.ID, access.NewEntry{ExternalCode: "B", Meta: object(t, `{ "c": 2.0 }`)}, nil))(t)
		if !after.UpdatedAt.Equal(before.UpdatedAt.Time) {
			t.Errorf("updatedAt changed from %v to %v", before.UpdatedAt, after.UpdatedAt)
		}
	})
	t.Run("all errors are reported together", func(t *testing.T) {
		deep := strings.Repeat(`{"a":`, 8) + "{}" + strings.Repeat("}", 8)
		_, err := w.entries.Create(w.As(seller), list.ID, access.NewEntry{
			CustomerID: optional.Some(strings.Repeat("x", 65)), Firstname: optional.Some(strings.Repeat("x", 201)),
			Lastname: optional.Some("a\x00"), Email: optional.Some("nobody"), Phone: optional.Some(strings.Repeat("1", 65)), Meta: object(t, deep),
		})
		refused(t, err, domain.CodeValidationFailed, "externalCode", "customerId", "firstname", "lastname", "email", "phone", "meta")
		for _, meta := range []string{`[]`, `"x"`, `{"a":"` + strings.Repeat("x", 16<<10) + `"}`} {
			_, err := w.entries.Create(w.As(seller), list.ID, access.NewEntry{ExternalCode: "x", Meta: object(t, meta)})
			refused(t, err, domain.CodeValidationFailed, "meta")
		}
	})
	t.Run("deleting returns the entry once", func(t *testing.T) {
		if got := domaintest.Must(w.entries.Delete(w.As(seller), list.ID, made.ID, nil))(t); got.ID != made.ID || got.ExternalCode != "B" {
			t.Errorf("got %+v", got)
		}
		_, err := w.entries.Delete(w.As(seller), list.ID, made.ID, nil)
		refused(t, err, domain.CodeNotFound)
	})
}

// A code is in a list only once, even if twenty requests race, but may be in other lists too (ACCESS-2).
func TestCodeIsUniqueInList(t *testing.T) {
	w := newFixture(t)
	list, second := w.list("A"), w.list("B")
	var created, clashes int
	var counting sync.Mutex
	var racing sync.WaitGroup
	for range 20 {
		racing.Go(func() {
			_, err := w.entries.Create(w.As(seller), list.ID, access.NewEntry{ExternalCode: "A"})
			counting.Lock()
			defer counting.Unlock()
			switch {
			case err == nil:
				created++
			case domain.HasCode(err, domain.CodeEntryAlreadyInList) && err.Error() == "Entry already in list":
				clashes++
			default:
				t.Errorf("got %v", err)
			}
		})
	}
	racing.Wait()
	if created != 1 || clashes != 19 {
		t.Errorf("got %d entries and %d conflicts", created, clashes)
	}
	w.entry(second, access.NewEntry{ExternalCode: "A"})
	b := w.entry(list, access.NewEntry{ExternalCode: "B"})
	_, err := w.entries.Update(w.As(seller), list.ID, b.ID, access.NewEntry{ExternalCode: "A"}, nil)
	refused(t, err, domain.CodeEntryAlreadyInList)
}

func TestEntriesBelongToTheirList(t *testing.T) {
	w := newFixture(t)
	list, second := w.list("A"), w.list("B")
	asked := domaintest.Must(w.lists.Create(w.As(seller), access.NewList{Name: "R", HTTP: remote(listener, optional.Value[string]{})}))(t)
	entry := w.entry(list, access.NewEntry{ExternalCode: "A"})

	t.Run("are not found in another list or by another seller", func(t *testing.T) {
		for _, of := range []struct {
			seller   ids.Seller
			list, id string
		}{{seller, second.ID, entry.ID}, {other, list.ID, entry.ID}, {seller, list.ID, "nothing"}, {seller, "nothing", entry.ID}} {
			_, get := w.entries.Get(w.As(of.seller), of.list, of.id)
			_, update := w.entries.Update(w.As(of.seller), of.list, of.id, access.NewEntry{ExternalCode: "x"}, nil)
			_, remove := w.entries.Delete(w.As(of.seller), of.list, of.id, nil)
			for _, err := range []error{get, update, remove} {
				refused(t, err, domain.CodeNotFound)
			}
		}
	})
	t.Run("an unknown list is not found", func(t *testing.T) {
		_, err := w.entries.List(w.As(other), list.ID, access.EntryFilter{}, domain.Page{Limit: 1})
		refused(t, err, domain.CodeNotFound)
		_, err = w.entries.Create(w.As(other), list.ID, access.NewEntry{ExternalCode: "x"})
		refused(t, err, domain.CodeNotFound)
	})
	t.Run("a remote list has no entries", func(t *testing.T) {
		_, err := w.entries.Create(w.As(seller), asked.ID, access.NewEntry{ExternalCode: "x"})
		refused(t, err, domain.CodeInvalidState)
	})
}

func TestEntryFilters(t *testing.T) {
	w := newFixture(t)
	list := w.list("A")
	for _, input := range []access.NewEntry{
		{ExternalCode: "1", CustomerID: optional.Some("c1"), Email: optional.Some("É@Example.com")},
		{ExternalCode: "2", CustomerID: optional.Some("c1")},
		{ExternalCode: "3", CustomerID: optional.Some("C1"), Email: optional.Some("é@example.COM")},
		{ExternalCode: "4", Email: optional.Some("holder@example.com")},
		{ExternalCode: "5"},
	} {
		w.entry(list, input)
	}
	for i, test := range []struct {
		filter access.EntryFilter
		want   []string
	}{
		{access.EntryFilter{}, []string{"1", "2", "3", "4", "5"}},
		{access.EntryFilter{CustomerID: "c1"}, []string{"1", "2"}},
		{access.EntryFilter{ExternalCode: "2"}, []string{"2"}},
		{access.EntryFilter{Email: "é@EXAMPLE.com"}, []string{"1", "3"}},
		{access.EntryFilter{Email: "é@EXAMPLE.com", CustomerID: "C1"}, []string{"3"}},
		{access.EntryFilter{Email: "%@example.com"}, []string{}},
	} {
		if got := w.codes(list, test.filter); !slices.Equal(got, test.want) {
			t.Errorf("filter %d: got %v, want %v", i, got, test.want)
		}
	}
}

// Entries whose holder would be turned away at a gate can be found in advance.
func TestEntriesWithoutATicket(t *testing.T) {
	w := newFixture(t)
	list := w.list("A")
	for _, of := range []ids.Seller{seller, other} {
		w.Exec(`INSERT INTO catalog_events (seller_id, id, name, name_folded, type, starts_at, time_zone, skip_address_info,
			code_display, meta, created_at, updated_at) VALUES ($1, 'e1', 'E', 'e', 'ROOT', now(), 'UTC', false, 'QR', '{}', now(), now())`, string(of))
	}
	ticket := func(of ids.Seller, id, event, root, customer, email, status string) {
		status, excluded, _ := strings.Cut(status, " but ")
		w.Exec(`INSERT INTO tickets (id, seller_id, event_id, root_event_id, ticket_type_id, customer_id, email_folded, status, barcode,
			search_folded, excluded_event_ids, document, created_at, updated_at)
			VALUES ($1, $2, $3, NULLIF($4, ''), 'tt', NULLIF($5, ''), NULLIF($6, ''), $7, $1, '', ARRAY[$8], '{}', now(), now())`,
			id, string(of), event, root, customer, email, status, excluded)
	}
	for i, holder := range []struct{ customer, email string }{
		{"has", ""},
		{"child", ""},
		{"invalid", ""},
		{"elsewhere", ""},
		{"foreign", ""},
		{"", "Has@example.com"},
		{"none", "has@example.com"},
		{"", ""},
		{"blocked", ""},
		{"", "blocked@example.com"},
		{"blocked elsewhere", ""},
	} {
		w.entry(list, access.NewEntry{
			ExternalCode: fmt.Sprint(i), CustomerID: optional.Some(holder.customer), Email: optional.Some(holder.email),
		})
	}
	ticket(seller, "t1", "e1", "", "has", "", "VALID")
	ticket(seller, "t2", "e2", "e1", "child", "", "BLANK")
	ticket(seller, "t3", "e1", "", "invalid", "", "INVALID")
	ticket(seller, "t4", "e2", "", "elsewhere", "", "VALID")
	ticket(other, "t5", "e1", "", "foreign", "", "VALID")
	ticket(seller, "t6", "e1", "", "", "has@example.com", "VALID")
	ticket(seller, "t7", "e1", "", "blocked", "", "VALID but e1")
	ticket(seller, "t8", "e2", "e1", "", "blocked@example.com", "VALID but e2")
	ticket(seller, "t9", "e1", "", "blocked elsewhere", "", "VALID but e2")

	if got := w.codes(list, access.EntryFilter{WithoutTicketFor: "e1"}); !slices.Equal(got, []string{"2", "3", "4", "6", "7", "8", "9"}) {
		t.Errorf("got %v", got)
	}
	_, err := w.entries.List(w.As(seller), list.ID, access.EntryFilter{WithoutTicketFor: "e2"}, domain.Page{Limit: 1})
	refused(t, err, domain.CodeValidationFailed, "withoutTicketFor")
}
