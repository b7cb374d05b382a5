package sale_test

import (
	"context"
	"encoding/json"
	"strings"
	"testing"
	"time"

	"ticketgate/domain"
	"ticketgate/domain/catalog"
	"ticketgate/domain/document"
	"ticketgate/domain/domaintest"
	"ticketgate/domain/moment"
	"ticketgate/domain/sale"
)

// shop is a fixture whose seller has the event e1 with ticket types for sale.
type shop struct {
	*fixture
	checkouts sale.Checkouts
}

func newShop(t *testing.T) *shop {
	t.Helper()
	s := &shop{fixture: newFixture(t)}
	s.checkouts = sale.Checkouts{
		Store: s.Store.Checkouts(), Catalog: s.Store.CatalogReader(), Seller: s.Store.Tenants().Seller, Now: func() time.Time { return s.now },
	}
	records := catalog.New(s.Store.Catalog(), s.LookUp, s.checkouts.Now)
	for _, event := range []catalog.NewEvent{
		{ID: new("root"), Name: "Series", Type: catalog.Root},
		{ID: new("e1"), Name: "Evening", Type: catalog.Recurrence, RootEventID: new("root"), SkipAddressInfo: true},
		{ID: new("e2"), Name: "Other evening"},
	} {
		event.SellerID, event.Start = seller, moment.New(s.now.Add(time.Hour))
		_, err := records.Events.Create(s.key(seller), event)
		s.Must(err)
	}
	tax := document.Number("7")
	for _, kind := range []catalog.NewTicketType{
		{ID: new("stalls"), EventID: "e1", Name: "Stalls", Price: "25.1", TaxRate: &tax},
		{ID: new("balcony"), EventID: "e1", Name: "Balcony", Price: "10.2", TaxRate: &tax},
		{ID: new("untaxed"), EventID: "e1", Name: "Untaxed", Price: "0"},
		{ID: new("dear"), EventID: "e1", Name: "Dear", Price: "999999999999.99"},
		{ID: new("swiss"), EventID: "e1", Name: "Swiss", Price: "20", Currency: "CHF"},
		{ID: new("over"), EventID: "e1", Name: "Over", Price: "20", Active: new(false)},
		{ID: new("elsewhere"), EventID: "e2", Name: "Elsewhere", Price: "20"},
	} {
		kind.SellerID = seller
		_, err := records.TicketTypes.Create(s.key(seller), kind)
		s.Must(err)
	}
	s.happened()
	return s
}

// anonymous returns a call without a credential.
func (s *shop) anonymous() context.Context {
	return domain.WithCall(s.T.Context(), domain.Call{Language: s.language})
}

// open creates a checkout of two stalls and two balcony tickets, as a buyer does.
func (s *shop) open() sale.Checkout {
	s.T.Helper()
	checkout, err := s.checkouts.Create(s.anonymous(), wants("e1", "stalls", 2, "balcony", 2))
	s.Must(err)
	return checkout
}

// wants returns an input with items given as pairs of ticket type and amount.
func wants(event string, pairs ...any) sale.NewCheckout {
	input := sale.NewCheckout{SellerID: seller, EventID: event}
	for i := 0; i < len(pairs); i += 2 {
		input.Items = append(input.Items, sale.WantedItem{TicketTypeID: pairs[i].(string), Amount: pairs[i+1].(int)})
	}
	return input
}

// french turns on the SIREN module.
func (s *shop) french() { s.Exec("UPDATE sellers SET siren = true WHERE id = $1", string(seller)) }

// details parses JSON details.
func details(text string) sale.Details {
	var read struct {
		sale.Buyer

		Phone *string
	}
	if err := json.Unmarshal([]byte(text), &read); err != nil {
		panic(err)
	}
	identification, _ := domaintest.JSON(text).Field("identification")
	return sale.Details{Buyer: read.Buyer, Phone: read.Phone, Identification: identification}
}

const acme = `{"company":"ACME SARL","street":"1 rue de la Paix","postal":"75002","city":"Paris","country":"FR",
	"prename":"Ada","lastname":"Lovelace","email":"ada@example.com","phone":"+33 1",
	"identification":[{"type":"france_siren","identifier":" 732829320"}]}`

// submit submits details as the buyer.
func (s *shop) submit(of sale.Checkout, text string) (sale.Checkout, error) {
	s.T.Helper()
	return s.checkouts.Submit(s.anonymous(), of.ID, of.Secret, details(text))
}

// stored returns the checkout as the seller reads it.
func (s *shop) stored(id string) sale.Checkout {
	s.T.Helper()
	found, err := s.checkouts.Get(s.key(seller), id)
	s.Must(err)
	return found
}

// text returns the document of a checkout.
func (s *shop) text(of sale.Checkout) string {
	s.T.Helper()
	text, err := of.Document()
	s.Must(err)
	return string(text)
}

// refused checks an error's code, its message (if given) and its paths.
func refused(t *testing.T, err error, wantCode domain.Code, message, wantPaths string) {
	t.Helper()
	if domaintest.Code(err) != wantCode || (message != "" && !strings.Contains(err.Error(), message)) || domaintest.Paths(err) != wantPaths {
		t.Errorf("got %v (%s, %q), want %s, %q at %q", err, domaintest.Code(err), domaintest.Paths(err), wantCode, message, wantPaths)
	}
}
