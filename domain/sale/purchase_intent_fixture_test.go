package sale_test

import (
	"strings"
	"testing"
	"time"

	"ticketgate/domain"
	"ticketgate/domain/ids"
	"ticketgate/domain/moment"
	"ticketgate/domain/sale"
)

// intentFixture is a fixture in which both sellers sell tickets of a concert. The first seller is French and has the SIREN
// module.
type intentFixture struct {
	*fixture
	intents sale.PurchaseIntents
}

func newIntentFixture(t *testing.T) *intentFixture {
	t.Helper()
	w := newFixture(t)
	w.Exec(`UPDATE sellers SET siren = true WHERE id = $1`, string(seller))
	for _, of := range []ids.Seller{seller, other} {
		for _, event := range [][3]string{{"concert", "SINGLE", ""}, {"matinee", "SINGLE", "concert"}, {"opera", "SINGLE", ""}, {"festival", "ROOT", ""}} {
			w.Exec(`INSERT INTO catalog_events (seller_id, id, name, name_folded, type, parent_event_id, starts_at, time_zone,
				skip_address_info, code_display, created_at, updated_at)
				VALUES ($1, $2, $2, $2, $3, nullif($4, ''), now(), 'UTC', false, 'QR', now(), now())`, string(of), event[0], event[1], event[2])
		}
		for _, kind := range [][5]string{
			{"stalls", "concert", "10.1", "EUR", "true"},
			{"balcony", "concert", "0.2", "EUR", "true"},
			{"young", "matinee", "5", "EUR", "true"},
			{"dollars", "concert", "10", "USD", "true"},
			{"sold-out", "concert", "10", "EUR", "false"},
			{"aria", "opera", "10", "EUR", "true"},
			{"dear", "concert", "999999999999.99", "EUR", "true"},
		} {
			w.Exec(`INSERT INTO ticket_types (seller_id, id, event_id, name, name_folded, price, currency, tax_rate, active, created_at, updated_at)
				VALUES ($1, $2, $3, initcap($2), $2, $4::numeric, $5, 5.5, $6::boolean, now(), now())`,
				string(of), kind[0], kind[1], kind[2], kind[3], kind[4])
		}
	}
	w.Exec(`INSERT INTO ticket_types (seller_id, id, event_id, name, name_folded, price, currency, active, created_at, updated_at)
		VALUES ($1, 'foreign', 'concert', 'F', 'f', 1, 'EUR', true, now(), now())`, string(other))
	return &intentFixture{w, sale.PurchaseIntents{
		Store: w.Store.PurchaseIntents(), Seller: w.LookUp, Now: func() time.Time { return w.now },
	}}
}

// stalls returns an input with two tickets.
func stalls() sale.NewPurchaseIntent {
	return sale.NewPurchaseIntent{EventID: "concert", Items: []sale.WantedItem{{TicketTypeID: "stalls", Amount: 2}}}
}

// made creates a purchase intent and removes its event.
func (w *intentFixture) made(input sale.NewPurchaseIntent) sale.PurchaseIntent {
	w.T.Helper()
	purchaseIntent, err := w.intents.Create(w.key(seller), input)
	w.Must(err)
	w.wantEvents("purchaseIntent.created")
	return purchaseIntent
}

// move makes a status change by its name.
func (w *intentFixture) move(name, id string) (sale.PurchaseIntent, error) {
	ctx := w.key(seller)
	switch name {
	case "approve":
		return w.intents.Approve(ctx, id)
	case "reject":
		return w.intents.Reject(ctx, id)
	case "expire":
		return w.intents.Expire(ctx, id)
	case "cancel":
		return w.intents.Cancel(ctx, id)
	case "complete":
		return w.intents.Complete(ctx, id)
	}
	panic(name)
}

func (w *intentFixture) in(hours int) *moment.DateTime {
	at := moment.New(w.now.Add(time.Duration(hours) * time.Hour))
	return &at
}

// stopped checks an error's code and that its message contains words.
func stopped(t *testing.T, err error, code domain.Code, words string) {
	t.Helper()
	if !domain.HasCode(err, code) || !strings.Contains(err.Error(), words) {
		t.Errorf("got %v, want %s %q", err, code, words)
	}
}
