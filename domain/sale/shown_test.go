package sale_test

import (
	"encoding/json"
	"strings"
	"testing"

	"ticketgate/domain"
	"ticketgate/domain/domaintest"
	"ticketgate/domain/sale"
)

// WEBHOOK-21.
func TestCheckoutHasFieldAliasesOfOtherPlatforms(t *testing.T) {
	s := newShop(t)
	checkout := s.open()
	submitted, err := s.submit(checkout, acme)
	s.Must(err)
	text, err := json.Marshal(submitted)
	s.Must(err)
	for _, want := range []string{
		`"type":"transaction"`, `"firstname":"Ada"`, `"prename":"Ada"`,
		`"address":{"street":"1 rue de la Paix","postal":"75002","city":"Paris","country":"FR"}`,
		`"regularPrice":25.1,"realPrice":25.1,"outerCharge":0,"currency":"EUR"`,
	} {
		if !strings.Contains(string(text), want) {
			t.Errorf("%s is not in %s", want, text)
		}
	}
	t.Run("stored by an older version", func(t *testing.T) {
		old, err := sale.ReadCheckout([]byte(`{"_id":"a","sellerId":"s","status":"NEW","eventId":"e","items":[{"_id":"b",
			"ticketTypeId":"t","eventId":"e","name":"T","amount":1,"price":2.5}],"currency":"EUR","realPrice":2.5,"regularPrice":2.5,
			"prename":"Ada","expiresAt":"2026-11-27T12:30:00.123Z","createdAt":"2026-11-27T12:00:00.123Z","updatedAt":"2026-11-27T12:00:00.123Z"}`))
		s.Must(err)
		if got := s.text(old); !strings.Contains(got, `"realPrice":2.5,"outerCharge":0,"currency":"EUR"}]`) || !strings.Contains(got, `"firstname":"Ada"`) {
			t.Error(got)
		}
	})
}

// WEBHOOK-21.
func TestSecretHolderReadsCheckout(t *testing.T) {
	s := newShop(t)
	checkout := s.open()
	for name, call := range map[string]func() (sale.Checkout, error){
		"details with the secret as input": func() (sale.Checkout, error) { return s.submit(checkout, acme) },
		"details with the secret as header": func() (sale.Checkout, error) {
			ctx := domain.WithCall(t.Context(), domain.Call{CheckoutSecret: checkout.Secret})
			return s.checkouts.Submit(ctx, checkout.ID, "", details(acme))
		},
		"abort": func() (sale.Checkout, error) {
			other := s.open()
			aborted, err := s.checkouts.Abort(s.anonymous(), other.ID, other.Secret)
			aborted.Secret = strings.Replace(aborted.Secret, other.Secret, checkout.Secret, 1)
			return aborted, err
		},
	} {
		if got, err := call(); err != nil || got.Secret != checkout.Secret {
			t.Errorf("%s: got %q, %v", name, got.Secret, err)
		}
	}
	t.Run("other callers don't get it", func(t *testing.T) {
		submitted, err := s.checkouts.Submit(s.key(seller), checkout.ID, checkout.Secret, details(acme))
		s.Must(err)
		complete, err := s.checkouts.Complete(s.key(seller), checkout.ID)
		s.Must(err)
		if submitted.Secret != "" || complete.Secret != "" || s.stored(checkout.ID).Secret != "" {
			t.Errorf("got %q %q", submitted.Secret, complete.Secret)
		}
	})
	if _, data := s.happened(); strings.Contains(strings.Join(data, ""), checkout.Secret) {
		t.Error("the secret was published")
	}
}

// WEBHOOK-21.
func TestPurchaseIntentHasFieldAliasesOfOtherPlatforms(t *testing.T) {
	w := newIntentFixture(t)
	type shown struct {
		Items, Tickets            json.RawMessage
		ApprovalStatus, Firstname string
		InnerCharge, OuterCharge  *int
		Charges                   map[string]int
		Address                   map[string]string
	}
	read := func(intent sale.PurchaseIntent) (found shown) {
		document, err := intent.Document()
		w.Must(err)
		w.Must(json.Unmarshal(document, &found))
		return found
	}
	for moves, want := range map[string]string{
		"": "awaiting", "approve": "approved", "reject": "rejected", "expire": "awaiting", "cancel": "awaiting", "complete": "awaiting",
		"approve expire": "approved", "approve cancel": "approved", "approve complete": "approved",
	} {
		input := stalls()
		input.Prename, input.City = new("Zoë"), new("Paris")
		intent := w.made(input)
		for move := range strings.FieldsSeq(moves) {
			moved, err := w.move(move, intent.ID)
			w.Must(err)
			intent = moved
		}
		w.happened()
		stored, err := w.intents.Get(w.key(seller), intent.ID)
		w.Must(err)
		for _, one := range []shown{read(intent), read(stored)} {
			if one.ApprovalStatus != want || string(one.Tickets) != string(one.Items) || one.Firstname != "Zoë" || one.Address["city"] != "Paris" ||
				*one.InnerCharge != 0 || *one.OuterCharge != 0 || len(one.Charges) != 2 {
				t.Errorf("%q: %+v", moves, one)
			}
		}
	}
	t.Run("ended in an older version: unknown approval", func(t *testing.T) {
		old, err := sale.ReadPurchaseIntent([]byte(`{"_id":"a","sellerId":"s","status":"CANCELLED","eventId":"e","items":[],"currency":"EUR",
			"realPrice":0,"createdBy":{"type":"SYSTEM","id":"system"},"createdAt":"2026-11-27T12:00:00.123Z","updatedAt":"2026-11-27T12:00:00.123Z"}`))
		w.Must(err)
		if got := read(old); got.ApprovalStatus != "" || string(got.Tickets) != "[]" {
			t.Errorf("%+v", got)
		}
	})
}

// BODY-22.
func TestOrderIsSentAsItemsOrTickets(t *testing.T) {
	t.Parallel()
	for name, take := range map[string]func(*testing.T) func(items, tickets []sale.WantedItem) error{
		"a checkout": func(t *testing.T) func(items, tickets []sale.WantedItem) error {
			s := newShop(t)
			return func(items, tickets []sale.WantedItem) error {
				_, err := s.checkouts.Create(s.anonymous(), sale.NewCheckout{SellerID: seller, EventID: "e1", Items: items, Tickets: tickets})
				return err
			}
		},
		"a purchase intent": func(t *testing.T) func(items, tickets []sale.WantedItem) error {
			w := newIntentFixture(t)
			return func(items, tickets []sale.WantedItem) error {
				_, err := w.intents.Create(w.key(seller), sale.NewPurchaseIntent{EventID: "concert", Items: items, Tickets: tickets})
				return err
			}
		},
	} {
		t.Run(name, func(t *testing.T) { takesEitherName(t, take(t)) })
	}
}

func takesEitherName(t *testing.T, take func(items, tickets []sale.WantedItem) error) {
	t.Helper()
	stalls := func(amount int) []sale.WantedItem { return []sale.WantedItem{{TicketTypeID: "stalls", Amount: amount}} }
	for name, c := range map[string]struct {
		items, tickets []sale.WantedItem
		paths          string
	}{
		"items":                {stalls(2), nil, ""},
		"tickets":              {nil, stalls(2), ""},
		"both the same":        {stalls(2), stalls(2), ""},
		"both, different":      {stalls(2), stalls(3), "tickets"},
		"neither":              {nil, nil, "items"},
		"no tickets":           {nil, []sale.WantedItem{}, "tickets"},
		"tickets with a fault": {nil, stalls(0), "tickets[0].amount"},
		"an unknown type":      {nil, []sale.WantedItem{{TicketTypeID: "nothing", Amount: 1}}, "tickets[0].ticketTypeId"},
	} {
		if err := take(c.items, c.tickets); domaintest.Paths(err) != c.paths || (err != nil) != (c.paths != "") {
			t.Errorf("%s: got %v at %q", name, err, domaintest.Paths(err))
		}
	}
}
