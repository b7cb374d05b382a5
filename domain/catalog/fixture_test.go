package catalog_test

import (
	"testing"
	"time"

	"ticketgate/db/dbtest"
	"ticketgate/domain"
	"ticketgate/domain/catalog"
	"ticketgate/domain/domaintest"
	"ticketgate/domain/moment"
	"ticketgate/domain/tenant"
)

const (
	seller = dbtest.Seller
	other  = dbtest.Other
	org    = dbtest.Org
)

// fixture is an installation with two sellers of one organization.
type fixture struct {
	*dbtest.Installation

	reader    catalog.Reader
	events    catalog.Events
	types     catalog.TicketTypes
	zones     catalog.ScanZones
	customers catalog.Customers
}

func newFixture(t *testing.T) *fixture {
	t.Helper()
	i := dbtest.Install(t, time.Now)
	records := catalog.New(i.Store.Catalog(), tenant.LookUp(i.Store.Tenants()), time.Now)
	return &fixture{
		Installation: i, reader: i.Store.CatalogReader(),
		events: records.Events, types: records.TicketTypes, zones: records.ScanZones, customers: records.Customers,
	}
}

// published returns the data of all events of a type, oldest first.
func (w *fixture) published(kind string) []string {
	w.T.Helper()
	return w.Texts("SELECT convert_from(data, 'UTF8') FROM events WHERE type = $1 ORDER BY id", kind)
}

// event creates an event of the seller. The function set fills in the relevant fields.
func (w *fixture) event(name string, set func(*catalog.NewEvent)) catalog.Event {
	w.T.Helper()
	input := catalog.NewEvent{Name: name, Start: at("2026-11-27T20:00:00Z")}
	if set != nil {
		set(&input)
	}
	return domaintest.Must(w.events.Create(w.As(seller), input))(w.T)
}

func at(text string) moment.DateTime {
	when, err := moment.Parse(text)
	if err != nil {
		panic(err)
	}
	return when
}

func page(limit int) domain.Page { return domain.Page{Limit: limit} }
