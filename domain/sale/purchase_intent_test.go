package sale_test

import (
	"fmt"
	"slices"
	"strings"
	"sync"
	"testing"
	"time"

	"ticketgate/db/dbtest"
	"ticketgate/domain"
	"ticketgate/domain/domaintest"
	"ticketgate/domain/ecmajson"
	"ticketgate/domain/moment"
	"ticketgate/domain/optional"
	"ticketgate/domain/sale"
)

func TestPurchaseIntentIsPricedExactly(t *testing.T) {
	w := newIntentFixture(t)
	made, err := w.intents.Create(w.key(seller), sale.NewPurchaseIntent{
		EventID: "concert", Buyer: sale.Buyer{CustomerID: new("c1"), Email: new(" Zoe@Example.org "), Company: new(" \u00a0")},
		Items: []sale.WantedItem{{"stalls", 3}, {"balcony", 7}, {"young", 1}}, ExpiresAt: w.in(1),
	})
	w.Must(err)
	var items []string
	for _, item := range made.Items {
		items = append(items, fmt.Sprintf("%s of %s: %s, %d at %s, %s %%", item.TicketTypeID, item.EventID, item.Name, item.Amount, item.Price, *item.TaxRate))
	}
	want := []string{"stalls of concert: Stalls, 3 at 10.1, 5.5 %", "balcony of concert: Balcony, 7 at 0.2, 5.5 %", "young of matinee: Young, 1 at 5, 5.5 %"}
	if made.RealPrice != "36.7" || made.Currency != "EUR" || !slices.Equal(items, want) {
		t.Errorf("%s %s %q", made.RealPrice, made.Currency, items)
	}
	if made.Status != sale.IntentCreated || *made.Email != "Zoe@Example.org" || made.Company != nil || made.CreatedBy.ID != "key" {
		t.Errorf("%+v", made)
	}
	types, data := w.happened()
	document, err := made.Document()
	w.Must(err)
	if len(types) != 1 || types[0] != "purchaseIntent.created" || data[0] != `{"purchaseIntent":`+string(document)+`}` {
		t.Errorf("published %q %s", types, data)
	}
	if again, err := w.intents.Get(w.key(seller), made.ID); err != nil || again.RealPrice != "36.7" || !again.ExpiresAt.Equal(made.ExpiresAt.Time) {
		t.Errorf("reading: %+v, %v", again, err)
	}
}

func TestFaultsOfAPurchaseIntentAreNamed(t *testing.T) {
	w := newIntentFixture(t)
	for name, c := range map[string]struct {
		change func(*sale.NewPurchaseIntent)
		paths  string
	}{
		"an unknown event":              {func(n *sale.NewPurchaseIntent) { n.EventID = "nothing" }, "eventId"},
		"no event":                      {func(n *sale.NewPurchaseIntent) { n.EventID = "" }, "eventId"},
		"an event with others below it": {func(n *sale.NewPurchaseIntent) { n.EventID = "festival" }, "eventId"},
		"no items":                      {func(n *sale.NewPurchaseIntent) { n.Items = nil }, "items"},
		"too many tickets":              {func(n *sale.NewPurchaseIntent) { n.Items = []sale.WantedItem{{"stalls", 1000}, {"stalls", 1}} }, "items"},
		"an amount of 0":                {func(n *sale.NewPurchaseIntent) { n.Items[0].Amount = 0 }, "items[0].amount"},
		"another seller's type":         {func(n *sale.NewPurchaseIntent) { n.Items[0].TicketTypeID = "foreign" }, "items[0].ticketTypeId"},
		"a type of another event":       {func(n *sale.NewPurchaseIntent) { n.Items[0].TicketTypeID = "aria" }, "items[0].ticketTypeId"},
		"an inactive type":              {func(n *sale.NewPurchaseIntent) { n.Items[0].TicketTypeID = "sold-out" }, "items[0].ticketTypeId"},
		"two currencies":                {func(n *sale.NewPurchaseIntent) { n.Items = append(n.Items, sale.WantedItem{"dollars", 1}) }, "items[1].ticketTypeId"},
		"an inexact total":              {func(n *sale.NewPurchaseIntent) { n.Items[0] = sale.WantedItem{"dear", 999} }, "items"},
		"an invalid email":              {func(n *sale.NewPurchaseIntent) { n.Email = new("zoe") }, "email"},
		"an expiry now":                 {func(n *sale.NewPurchaseIntent) { n.ExpiresAt = w.in(0) }, "expiresAt"},
		"another seller":                {func(n *sale.NewPurchaseIntent) { n.SellerID = other }, "sellerId"},
		"all at once": {func(n *sale.NewPurchaseIntent) {
			n.Items = append(n.Items, sale.WantedItem{"foreign", 1})
			n.Company, n.Country, n.CustomerID, n.ExpiresAt = new("ACME"), new("FR"), new(""), w.in(-1)
		}, "identification street postal city items[1].ticketTypeId customerId expiresAt"},
	} {
		input := stalls()
		c.change(&input)
		_, err := w.intents.Create(w.key(seller), input)
		if got := domaintest.Paths(err); got != c.paths || !domain.HasCode(err, domain.CodeValidationFailed) {
			t.Errorf("%s: got %q, %v", name, got, err)
		}
	}
	w.wantEvents()
	if left := w.Count("SELECT count(*) FROM purchase_intents"); left != 0 {
		t.Errorf("%d purchase intents are stored", left)
	}
}

func TestPurchaseIntentChangePublishesEventOnce(t *testing.T) {
	w := newIntentFixture(t)
	for _, c := range []struct {
		moves, status, event string
	}{
		{"approve", "APPROVED", "approved"},
		{"reject", "REJECTED", "rejected"},
		{"expire", "EXPIRED", "expired"},
		{"cancel", "CANCELLED", "cancelled"},
		{"complete", "COMPLETED", "completed"},
		{"approve expire", "EXPIRED", "expired"},
		{"approve cancel", "CANCELLED", "cancelled"},
		{"approve complete", "COMPLETED", "completed"},
	} {
		made := w.made(stalls())
		moves := strings.Fields(c.moves)
		for _, earlier := range moves[:len(moves)-1] {
			_, err := w.move(earlier, made.ID)
			w.Must(err)
			w.happened()
		}
		last := moves[len(moves)-1]
		w.now = w.now.Add(time.Minute)
		moved, err := w.move(last, made.ID)
		w.Must(err)
		_, data := w.happened()
		document, _ := moved.Document()
		if string(moved.Status) != c.status || !slices.Equal(data, []string{`{"purchaseIntent":` + string(document) + `}`}) {
			t.Errorf("%s: got %s, published %q", c.moves, moved.Status, data)
		}
		w.now = w.now.Add(time.Minute)
		again, err := w.move(last, made.ID)
		if err != nil || again.UpdatedAt != moved.UpdatedAt {
			t.Errorf("%s, repeated: %v, %v", c.moves, again, err)
		}
		w.wantEvents()
		audited := w.Count(`SELECT count(*) FROM audit_entries WHERE object_id = '` + made.ID + `' AND after->>'status' = '` + c.status + `'`)
		if audited != 1 {
			t.Errorf("%s: the audit log has %d entries", c.moves, audited)
		}
	}
	final := w.made(stalls())
	_, err := w.move("reject", final.ID)
	w.Must(err)
	w.wantEvents("purchaseIntent.rejected")
	_, err = w.move("approve", final.ID)
	stopped(t, err, domain.CodeInvalidState, "REJECTED cannot become APPROVED")
	_, err = w.intents.Update(w.key(seller), final.ID, sale.PurchaseIntentChange{})
	stopped(t, err, domain.CodeInvalidState, "REJECTED cannot be updated")
	w.wantEvents()
}

func TestAnUpdateWithoutChangesPublishesNothing(t *testing.T) {
	w := newIntentFixture(t)
	input := stalls()
	input.Company, input.Street, input.Postal, input.City, input.Country = new("ACME"), new("1 rue"), new("75002"), new("Paris"), new("FR")
	input.Identification = domaintest.JSON(`[{"type":"france_siren","identifier":" 732829320"}]`)
	created := w.made(input)
	update := func(change sale.PurchaseIntentChange) (sale.PurchaseIntent, error) {
		return w.intents.Update(w.key(seller), created.ID, change)
	}
	w.now = w.now.Add(time.Minute)
	w.Exec(`UPDATE ticket_types SET price = 99 WHERE id = 'stalls'`)
	same, err := update(sale.PurchaseIntentChange{
		Items: optional.Some(input.Items), BuyerChange: sale.BuyerChange{Company: optional.Some(" ACME ")}, ExpiresAt: optional.Null[moment.DateTime](),
		Identification: optional.Some(domaintest.JSON(`[{"identifier":"732829320","type":"france_siren"}]`)),
	})
	if err != nil || same.RealPrice != "20.2" || same.UpdatedAt != created.UpdatedAt || same.Items[0].ID != created.Items[0].ID {
		t.Errorf("got %+v, %v", same, err)
	}
	w.wantEvents()
	changed, err := update(sale.PurchaseIntentChange{
		Items: optional.Some([]sale.WantedItem{{"balcony", 1}}), BuyerChange: sale.BuyerChange{City: optional.Some("Lyon"), CustomerID: optional.Some("c")},
		ExpiresAt: optional.FromPointer(w.in(2)),
	})
	if err != nil || changed.RealPrice != "0.2" || *changed.City != "Lyon" || len(changed.Identification) != 1 || changed.ExpiresAt == nil {
		t.Errorf("got %+v, %v", changed, err)
	}
	w.wantEvents("purchaseIntent.updated")
	for name, c := range map[string]struct {
		change sale.PurchaseIntentChange
		words  string
	}{
		"without its document":           {sale.PurchaseIntentChange{Identification: optional.Null[ecmajson.Value]()}, "Missing required identification: france_siren"},
		"without its city":               {sale.PurchaseIntentChange{BuyerChange: sale.BuyerChange{City: optional.Null[string]()}}, "Address is required"},
		"with null for its items":        {sale.PurchaseIntentChange{Items: optional.Null[[]sale.WantedItem]()}, "items must not be null. Omit it to keep the items"},
		"to expire in the past":          {sale.PurchaseIntentChange{ExpiresAt: optional.FromPointer(w.in(-1))}, "expiresAt must be in the future"},
		"with an unknown type of ticket": {sale.PurchaseIntentChange{Items: optional.Some([]sale.WantedItem{{"none", 1}})}, "items[0].ticketTypeId does not exist"},
	} {
		_, err := update(c.change)
		if !domain.HasCode(err, domain.CodeValidationFailed) || err.Error() != c.words {
			t.Errorf("%s: got %v", name, err)
		}
	}
	w.Exec(`UPDATE sellers SET siren = false`)
	kept, err := update(sale.PurchaseIntentChange{BuyerChange: sale.BuyerChange{City: optional.Null[string]()}})
	if err != nil || len(kept.Identification) != 1 {
		t.Errorf("without the module: %v, %v", kept.Identification, err)
	}
	_, err = w.intents.Approve(w.key(seller), created.ID)
	w.Must(err)
	_, err = update(sale.PurchaseIntentChange{Items: optional.Some(input.Items)})
	stopped(t, err, domain.CodeInvalidState, "items")
	later, err := update(sale.PurchaseIntentChange{ExpiresAt: optional.FromPointer(w.in(9))})
	if err != nil || later.Status != sale.IntentApproved || !later.ExpiresAt.Equal(w.in(9).Time) {
		t.Errorf("after approval: %+v, %v", later, err)
	}
	w.wantEvents("purchaseIntent.updated", "purchaseIntent.approved", "purchaseIntent.updated")
}

func TestOneOfConcurrentStatusChangesWins(t *testing.T) {
	w := newIntentFixture(t)
	for range 5 {
		purchaseIntent := w.made(stalls())
		errs := make([]error, 8)
		var all sync.WaitGroup
		for i := range errs {
			name := []string{"approve", "reject"}[i%2]
			all.Go(func() { _, errs[i] = w.move(name, purchaseIntent.ID) })
		}
		all.Wait()
		after, err := w.intents.Get(w.key(seller), purchaseIntent.ID)
		w.Must(err)
		lost := map[sale.PurchaseIntentStatus]int{sale.IntentApproved: 1, sale.IntentRejected: 0}[after.Status]
		for i, err := range errs {
			if won := i%2 != lost; won != (err == nil) || (!won && !domain.HasCode(err, domain.CodeInvalidState)) {
				t.Errorf("%s, call %d: %v", after.Status, i, err)
			}
		}
		w.wantEvents("purchaseIntent." + strings.ToLower(string(after.Status)))
	}
}

func TestPurchaseIntentsExpireOnceEach(t *testing.T) {
	w := newIntentFixture(t)
	const due = 130 // more than one batch
	input := stalls()
	for i := range due {
		input.ExpiresAt = w.in(1 + i%2)
		purchaseIntent, err := w.intents.Create(w.key(seller), input)
		w.Must(err)
		if i%3 == 0 {
			_, err = w.intents.Approve(w.key(seller), purchaseIntent.ID)
			w.Must(err)
		}
	}
	input.ExpiresAt = w.in(1)
	over, err := w.intents.Create(w.key(seller), input)
	w.Must(err)
	_, err = w.intents.Cancel(w.key(seller), over.ID)
	w.Must(err)
	input.ExpiresAt = nil
	never, err := w.intents.Create(w.key(seller), input)
	w.Must(err)
	w.happened()
	if count, err := w.intents.ExpireDue(t.Context()); err != nil || count != 0 {
		t.Errorf("before their time: %d, %v", count, err)
	}
	w.now = w.now.Add(2 * time.Hour).Truncate(time.Millisecond)
	counts := make([]int, 4)
	var all sync.WaitGroup
	for i := range counts {
		all.Go(func() {
			var err error
			if counts[i], err = w.intents.ExpireDue(t.Context()); err != nil {
				t.Error(err)
			}
		})
	}
	all.Wait()
	rest, err := w.intents.ExpireDue(t.Context()) // the rest, which others had locked
	w.Must(err)
	if sum := counts[0] + counts[1] + counts[2] + counts[3] + rest; sum != due {
		t.Errorf("expired %v and %d", counts, rest)
	}
	types, _ := w.happened()
	if len(types) != due || slices.ContainsFunc(types, func(kind string) bool { return kind != "purchaseIntent.expired" }) {
		t.Errorf("published %d: %q", len(types), slices.Compact(types))
	}
	for id, want := range map[string]sale.PurchaseIntentStatus{over.ID: sale.IntentCancelled, never.ID: sale.IntentCreated} {
		if got, err := w.intents.Get(w.key(seller), id); err != nil || got.Status != want {
			t.Errorf("%s: got %s, %v", want, got.Status, err)
		}
	}
}

func TestFiltersOfPurchaseIntents(t *testing.T) {
	w := newIntentFixture(t)
	input := stalls()
	input.CustomerID, input.Email, input.Lastname = new("c1"), new("Zoë@Example.org"), new("Éluard")
	first := w.made(input)
	w.now = w.now.Add(time.Hour)
	input = sale.NewPurchaseIntent{EventID: "opera", Items: []sale.WantedItem{{"aria", 1}}}
	expires := moment.New(w.now.Add(time.Hour))
	input.ExpiresAt = &expires
	second := w.made(input)
	_, err := w.intents.Approve(w.key(seller), second.ID)
	w.Must(err)
	foreign, err := w.intents.Create(w.key(other), stalls())
	w.Must(err)
	for name, c := range map[string]struct {
		filter sale.PurchaseIntentFilter
		want   []string
	}{
		"all":    {sale.PurchaseIntentFilter{}, []string{first.ID, second.ID}},
		"status": {sale.PurchaseIntentFilter{Status: sale.IntentApproved}, []string{second.ID}},
		"statuses": {
			sale.PurchaseIntentFilter{StatusIn: []sale.PurchaseIntentStatus{sale.IntentApproved, sale.IntentCreated}}, []string{first.ID, second.ID},
		},
		"one status of several": {
			sale.PurchaseIntentFilter{StatusIn: []sale.PurchaseIntentStatus{sale.IntentApproved, sale.IntentCancelled}}, []string{second.ID},
		},
		"eventId":       {sale.PurchaseIntentFilter{EventID: "concert"}, []string{first.ID}},
		"customerId":    {sale.PurchaseIntentFilter{CustomerID: "c1"}, []string{first.ID}},
		"email":         {sale.PurchaseIntentFilter{Email: "zoË@example.ORG"}, []string{first.ID}},
		"text":          {sale.PurchaseIntentFilter{Text: "éLUA"}, []string{first.ID}},
		"expires from":  {sale.PurchaseIntentFilter{ExpiresFrom: &expires, StatusIn: []sale.PurchaseIntentStatus{sale.IntentApproved}}, []string{second.ID}},
		"expires until": {sale.PurchaseIntentFilter{ExpiresUntil: &expires, Status: sale.IntentApproved}, nil},
		"no wildcard":   {sale.PurchaseIntentFilter{Text: "%"}, nil},
		"from":          {sale.PurchaseIntentFilter{CreatedFrom: &second.CreatedAt}, []string{second.ID}},
		"until":         {sale.PurchaseIntentFilter{CreatedUntil: &second.CreatedAt}, []string{first.ID}},
	} {
		list, err := w.intents.List(w.key(seller), c.filter, domain.Page{Limit: 10})
		w.Must(err)
		var got []string
		for _, purchaseIntent := range list.Items {
			got = append(got, purchaseIntent.ID)
		}
		if total, err := list.Total(t.Context()); err != nil || !slices.Equal(got, c.want) || total != len(c.want) {
			t.Errorf("%s: got %q of %d, %v", name, got, total, err)
		}
	}
	for _, name := range []string{"approve", "reject", "expire", "cancel", "complete"} {
		_, err := w.move(name, foreign.ID)
		stopped(t, err, domain.CodeNotFound, "Purchase intent not found")
	}
	_, err = w.intents.Get(w.key(seller), foreign.ID)
	stopped(t, err, domain.CodeNotFound, "Purchase intent not found")
	actor := dbtest.KeyOf(seller, "purchaseIntents:create", "purchaseIntents:list")
	_, err = w.intents.Approve(domain.WithActor(t.Context(), &actor), first.ID)
	stopped(t, err, domain.CodeMissingPermission, `Missing permission "purchaseIntents:update"`)
}
