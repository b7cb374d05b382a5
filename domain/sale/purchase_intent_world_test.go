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

// intentWorld is a world in which both sellers sell tickets of a concert, and the first is French with the SIREN module on.
type intentWorld struct {
	*world
	intents sale.PurchaseIntents
}

func newIntentWorld(t *testing.T) *intentWorld {
	t.Helper()
	w := newWorld(t)
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
	return &intentWorld{w, sale.PurchaseIntents{
		Store: w.Store.PurchaseIntents(), Seller: w.LookUp, Now: func() time.Time { return w.now },
	}}
}

// stalls asks for two tickets.
func stalls() sale.NewPurchaseIntent {
	return sale.NewPurchaseIntent{EventID: "concert", Items: []sale.WantedItem{{TicketTypeID: "stalls", Amount: 2}}}
}

// made is a new purchase intent; its event is taken away.
func (w *intentWorld) made(input sale.NewPurchaseIntent) sale.PurchaseIntent {
	w.T.Helper()
	made, err := w.intents.Create(w.key(seller), input)
	w.Must(err)
	w.wantEvents("purchaseIntent.created")
	return made
}

// move is a move by its name.
func (w *intentWorld) move(name, id string) (sale.PurchaseIntent, error) {
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

func (w *intentWorld) in(hours int) *moment.DateTime {
	at := moment.New(w.now.Add(time.Duration(hours) * time.Hour))
	return &at
}

// stopped checks that an error has a code and says all of the words.
func stopped(t *testing.T, err error, code domain.Code, words string) {
	t.Helper()
	if !domain.HasCode(err, code) || !strings.Contains(err.Error(), words) {
		t.Errorf("got %v, want %s %q", err, code, words)
	}
}
