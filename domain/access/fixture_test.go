package access_test

import (
	"strings"
	"testing"
	"time"

	"ticketgate/db/dbtest"
	"ticketgate/domain"
	"ticketgate/domain/access"
	"ticketgate/domain/domaintest"
	"ticketgate/domain/ecmajson"
	"ticketgate/domain/optional"
)

const (
	seller = dbtest.Seller
	other  = dbtest.Other
	org    = dbtest.Org
)

// fixture is an installation with two sellers.
type fixture struct {
	*dbtest.Installation

	lists   access.Lists
	entries access.Entries
	imports access.Imports
}

func newFixture(t testing.TB) *fixture {
	t.Helper()
	i := dbtest.Install(t, time.Now)
	return &fixture{
		Installation: i,
		lists:        access.Lists{Store: i.Store.Access(), Now: time.Now},
		entries:      access.Entries{Store: i.Store.Access(), Now: time.Now},
		imports:      access.Imports{Store: i.Store.Access(), Now: time.Now},
	}
}

// list creates a static list of the seller.
func (w *fixture) list(name string) access.List {
	w.T.Helper()
	return domaintest.Must(w.lists.Create(w.As(seller), access.NewList{Name: name}))(w.T)
}

// csvFile returns a CSV file.
func csvFile(text string) access.File {
	return func() (access.Source, error) { return access.CSV(strings.NewReader(text)), nil }
}

// ndjsonFile returns a file of newline-delimited JSON.
func ndjsonFile(text string) access.File {
	return func() (access.Source, error) { return access.NDJSON(strings.NewReader(text)), nil }
}

// entry creates an entry.
func (w *fixture) entry(list access.List, input access.NewEntry) access.Entry {
	w.T.Helper()
	return domaintest.Must(w.entries.Create(w.As(seller), list.ID, input))(w.T)
}

// codes returns the codes of the matching entries, oldest first.
func (w *fixture) codes(list access.List, filter access.EntryFilter) []string {
	w.T.Helper()
	found := domaintest.Must(w.entries.List(w.As(seller), list.ID, filter, domain.Page{Limit: 1000}))(w.T)
	codes := []string{}
	for _, entry := range found.Items {
		codes = append(codes, entry.ExternalCode)
	}
	return codes
}

// refused fails the test unless the error has the code and exactly these paths.
func refused(t testing.TB, err error, code domain.Code, paths ...string) {
	t.Helper()
	domaintest.Refused(t, "the call", err, code, paths...)
}

func object(t testing.TB, text string) optional.Value[ecmajson.Value] {
	t.Helper()
	return optional.Some(domaintest.Must(ecmajson.Parse([]byte(text), ecmajson.Limits{}))(t))
}
