package access_test

import (
	"strings"
	"testing"

	"ticketgate/domain"
	"ticketgate/domain/access"
	"ticketgate/domain/domaintest"
	"ticketgate/domain/optional"
)

const listener = "https://listener.example.com/codes?token=abc"

func remote(url string, key optional.Value[string]) optional.Value[access.NewListener] {
	return optional.Some(access.NewListener{URL: url, HMACKey: key})
}

func TestTypeOfANewList(t *testing.T) {
	w := newFixture(t)
	none := optional.Value[string]{}
	for name, test := range map[string]struct {
		input access.NewList
		want  access.ListType
		wrong []string
	}{
		"is static without http":      {access.NewList{Name: "A"}, access.Static, nil},
		"is remote with http":         {access.NewList{Name: "A", HTTP: remote(listener, none)}, access.Remote, nil},
		"may be set":                  {access.NewList{Name: "A", Type: optional.Some(access.Static), HTTP: optional.Null[access.NewListener]()}, access.Static, nil},
		"may be null":                 {access.NewList{Name: "A", Type: optional.Null[access.ListType]()}, access.Static, nil},
		"is not remote without http":  {access.NewList{Name: "A", Type: optional.Some(access.Remote)}, "", []string{"http"}},
		"is not static with http":     {access.NewList{Name: "A", Type: optional.Some(access.Static), HTTP: remote(listener, none)}, "", []string{"http"}},
		"must be static or remote":    {access.NewList{Name: "A", Type: optional.Some(access.ListType("STATIC"))}, "", []string{"type"}},
		"is reported with all errors": {access.NewList{Name: " ", HTTP: remote("http://localhost/", optional.Some(strings.Repeat("k", 4097)))}, "", []string{"name", "http.url", "http.hmacKey"}},
		"rejects an internal name":    {access.NewList{Name: "A", HTTP: remote("https://gate.internal/", none)}, "", []string{"http.url"}},
		"rejects another scheme":      {access.NewList{Name: "A", HTTP: remote("ftp://example.com/", none)}, "", []string{"http.url"}},
		"rejects an empty URL":        {access.NewList{Name: "A", HTTP: remote("", none)}, "", []string{"http.url"}},
		"rejects an internal address": {access.NewList{Name: "A", HTTP: remote("http://10.0.0.1/", none)}, "", []string{"http.url"}},
	} {
		t.Run(name, func(t *testing.T) {
			list, err := w.lists.Create(w.As(seller), test.input)
			if test.wrong != nil {
				refused(t, err, domain.CodeValidationFailed, test.wrong...)
				return
			}
			if err != nil || list.Type != test.want || (list.HTTP != nil) != (test.want == access.Remote) {
				t.Errorf("got %+v, %v", list, err)
			}
		})
	}
}

func TestSigningKeyOfAList(t *testing.T) {
	w := newFixture(t)
	list := domaintest.Must(w.lists.Create(w.As(seller), access.NewList{Name: "A", HTTP: remote(listener, optional.Some("secret key"))}))(t)
	read := w.As(seller, "accessLists:list")

	t.Run("is shown to callers who may update lists", func(t *testing.T) {
		if got := domaintest.Must(w.lists.Get(w.As(seller), list.ID))(t); got.HTTP.HMACKey != "secret key" || got.HTTP.URL != listener {
			t.Errorf("got %+v", got.HTTP)
		}
	})
	t.Run("is hidden from all others", func(t *testing.T) {
		got := domaintest.Must(w.lists.Get(read, list.ID))(t)
		page := domaintest.Must(w.lists.List(read, access.ListFilter{}, domain.Page{Limit: 10}))(t)
		creator := domaintest.Must(w.lists.Create(w.As(seller, "accessLists:create"), access.NewList{Name: "B", HTTP: remote(listener, optional.Some("k"))}))(t)
		if got.HTTP.HMACKey != "" || page.Items[0].HTTP.HMACKey != "" || creator.HTTP.HMACKey != "" || got.HTTP.URL != listener {
			t.Errorf("got %+v, %+v, %+v", got.HTTP, page.Items[0].HTTP, creator.HTTP)
		}
	})
	t.Run("is encrypted in the database and not in the audit log, as the URL's query", func(t *testing.T) {
		if n := w.Count("SELECT count(*) FROM access_lists WHERE position('secret key'::bytea IN sealed_hmac_key) > 0"); n != 0 {
			t.Error("the row contains the unencrypted key")
		}
		n := w.Count("SELECT count(*) FROM audit_entries WHERE object_id = $1 AND after::text NOT LIKE '%secret%' "+
			"AND after::text NOT LIKE '%abc%'", list.ID)
		if n != 1 {
			t.Errorf("got %d audit entries without key and query", n)
		}
	})
	for _, test := range []struct {
		name string
		http optional.Value[access.NewListener]
		want access.Listener
	}{
		{"is kept with http if http is omitted", optional.Value[access.NewListener]{}, access.Listener{URL: listener, HMACKey: "secret key"}},
		{"is kept if only the URL changes", remote("https://other.example.com/", optional.Value[string]{}), access.Listener{URL: "https://other.example.com/", HMACKey: "secret key"}},
		{"is replaced when sent", remote(listener, optional.Some("new")), access.Listener{URL: listener, HMACKey: "new"}},
		{"is removed by null", remote(listener, optional.Null[string]()), access.Listener{URL: listener}},
	} {
		t.Run(test.name, func(t *testing.T) {
			got := domaintest.Must(w.lists.Update(w.As(seller), list.ID, access.ListChange{Name: "A", HTTP: test.http}))(t)
			if *got.HTTP != test.want {
				t.Errorf("got %+v, want %+v", *got.HTTP, test.want)
			}
		})
	}
}

func TestChangesOfLists(t *testing.T) {
	w := newFixture(t)
	static := w.list("Static")
	asked := domaintest.Must(w.lists.Create(w.As(seller), access.NewList{Name: "Remote", HTTP: remote(listener, optional.Value[string]{})}))(t)

	t.Run("the type can't be changed", func(t *testing.T) {
		_, err := w.lists.Update(w.As(seller), static.ID, access.ListChange{Name: "x", Type: optional.Some(access.Remote)})
		refused(t, err, domain.CodeValidationFailed, "type")
		_, err = w.lists.Update(w.As(seller), asked.ID, access.ListChange{Name: "x", Type: optional.Some(access.Static)})
		refused(t, err, domain.CodeValidationFailed, "type")
		got := domaintest.Must(w.lists.Update(w.As(seller), asked.ID, access.ListChange{Name: "Renamed", Type: optional.Some(access.Remote)}))(t)
		if got.Name != "Renamed" || got.Type != access.Remote || got.HTTP.URL != listener {
			t.Errorf("got %+v", got)
		}
	})
	t.Run("a list can't get or lose a listener", func(t *testing.T) {
		_, err := w.lists.Update(w.As(seller), asked.ID, access.ListChange{Name: "x", HTTP: optional.Null[access.NewListener]()})
		refused(t, err, domain.CodeValidationFailed, "http")
		_, err = w.lists.Update(w.As(seller), static.ID, access.ListChange{Name: "x", HTTP: remote(listener, optional.Value[string]{})})
		refused(t, err, domain.CodeValidationFailed, "http")
	})
	t.Run("a change has one audit entry, and no change has none", func(t *testing.T) {
		entries := func() int {
			return w.Count("SELECT count(*) FROM audit_entries WHERE object_id = $1 AND action = 'updateAccessList'", static.ID)
		}
		domaintest.Must(w.lists.Update(w.As(seller), static.ID, access.ListChange{Name: " Static "}))(t)
		if n := entries(); n != 0 {
			t.Errorf("got %d audit entries after an update without changes", n)
		}
		domaintest.Must(w.lists.Update(w.As(seller), static.ID, access.ListChange{Name: "Other"}))(t)
		if n := entries(); n != 1 {
			t.Errorf("got %d audit entries after a change", n)
		}
	})
	t.Run("another seller's list is not found", func(t *testing.T) {
		for _, call := range []func() (access.List, error){
			func() (access.List, error) { return w.lists.Get(w.As(other), static.ID) },
			func() (access.List, error) {
				return w.lists.Update(w.As(other), static.ID, access.ListChange{Name: "x"})
			},
			func() (access.List, error) { return w.lists.Delete(w.As(other), static.ID, nil) },
		} {
			_, err := call()
			refused(t, err, domain.CodeNotFound)
		}
	})
}

func TestListsByName(t *testing.T) {
	w := newFixture(t)
	for _, name := range []string{"Été", "100% off", "Straße", "plain_text", "İstanbul"} {
		w.list(name)
	}
	for part, want := range map[string]string{
		"ÉTÉ": "Été", "%": "100% off", "STRASSE": "Straße", "n_t": "plain_text", "0% O": "100% off", "İST": "İstanbul", "zz": "",
		"": "Été,100% off,Straße,plain_text,İstanbul",
	} {
		found := domaintest.Must(w.lists.List(w.As(seller), access.ListFilter{Name: part}, domain.Page{Limit: 10}))(t)
		var names []string
		for _, list := range found.Items {
			names = append(names, list.Name)
		}
		if got := strings.Join(names, ","); got != want {
			t.Errorf("%q finds %q, want %q", part, got, want)
		}
		if total := domaintest.Must(found.Total(t.Context()))(t); total != len(names) {
			t.Errorf("%q: total %d", part, total)
		}
	}
}

func TestDeletingAListRemovesItsEntries(t *testing.T) {
	w := newFixture(t)
	gone, kept := w.list("Gone"), w.list("Kept")
	for _, list := range []access.List{gone, kept} {
		w.entry(list, access.NewEntry{ExternalCode: "A"})
	}
	if got := domaintest.Must(w.lists.Delete(w.As(seller), gone.ID, nil))(t); got.ID != gone.ID || got.Name != "Gone" {
		t.Errorf("got %+v", got)
	}
	if n := w.Count("SELECT count(*) FROM access_entries WHERE list_id = $1", gone.ID); n != 0 {
		t.Errorf("%d entries are left, want none", n)
	}
	if codes := w.codes(kept, access.EntryFilter{}); len(codes) != 1 {
		t.Errorf("the other list has %v", codes)
	}
	_, err := w.lists.Delete(w.As(seller), gone.ID, nil)
	refused(t, err, domain.CodeNotFound)
}

// The required permissions, checked through the operations themselves.
func TestPermissionsOfLists(t *testing.T) {
	w := newFixture(t)
	list := w.list("A")
	for _, test := range []struct {
		needs domain.Permission
		call  func(permission domain.Permission) error
	}{
		{"accessLists:create", func(p domain.Permission) error {
			_, err := w.lists.Create(w.As(seller, p), access.NewList{Name: "x"})
			return err
		}},
		{"accessLists:list", func(p domain.Permission) error { _, err := w.lists.Get(w.As(seller, p), list.ID); return err }},
		{"accessLists:list", func(p domain.Permission) error {
			_, err := w.lists.List(w.As(seller, p), access.ListFilter{}, domain.Page{Limit: 1})
			return err
		}},
		{"accessLists:update", func(p domain.Permission) error {
			_, err := w.lists.Update(w.As(seller, p), list.ID, access.ListChange{Name: "x"})
			return err
		}},
		{"accessLists:update", func(p domain.Permission) error {
			_, err := w.entries.Create(w.As(seller, p), list.ID, access.NewEntry{ExternalCode: "x"})
			return err
		}},
		{"accessLists:list", func(p domain.Permission) error {
			_, err := w.entries.List(w.As(seller, p), list.ID, access.EntryFilter{}, domain.Page{Limit: 1})
			return err
		}},
		{"accessLists:update", func(p domain.Permission) error { _, err := w.lists.Delete(w.As(seller, p), list.ID, nil); return err }},
	} {
		err := test.call("scans:create")
		if want := `Missing permission "` + string(test.needs) + `"`; err == nil || err.Error() != want {
			t.Errorf("got %v, want %s", err, want)
		}
		if err := test.call(test.needs); err != nil {
			t.Errorf("with %s: got %v", test.needs, err)
		}
	}
}
