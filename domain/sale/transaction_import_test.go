package sale_test

import (
	"fmt"
	"slices"
	"strings"
	"sync"
	"testing"
	"time"

	"ticketgate/domain"
	"ticketgate/domain/document"
	"ticketgate/domain/domaintest"
	"ticketgate/domain/ecmajson"
	"ticketgate/domain/ids"
	"ticketgate/domain/intake"
	"ticketgate/domain/sale"
	"ticketgate/domain/ticket"
)

// full returns a transaction with every field, as imported and as returned. They differ only in the computed totals of the
// fees.
func full(status string) (in, out ecmajson.Value) {
	in = domaintest.Document(sale.TransactionDefinition)
	in = sale.TransactionDefinition.With(in, "sellerId", ecmajson.NewString(string(seller)))
	in = sale.TransactionDefinition.With(in, "status", ecmajson.NewString(status))
	out = sale.TransactionDefinition.Rewrite("", in, func(_ string, of *document.Definition, object ecmajson.Value) (ecmajson.Value, bool) {
		if of.Name == "FeeComponent" {
			return of.With(object, "total", domaintest.JSON("110.25")), true // -10.5 × -10.5
		}
		return object, false
	})
	return in, out
}

func TestImportKeepsAFullTransactionExactly(t *testing.T) {
	w := newFixture(t)
	in, out := full("COMPLETE")
	id := textOf(in, "_id")
	w.issued(smallTicket("t2", id, `"createdAt":"2026-01-02T00:00:00Z"`), smallTicket("t1", id, `"createdAt":"2026-01-03T00:00:00Z"`),
		smallTicket("t3", "another"))
	w.happened()
	w.imported(seller, sale.ImportedTransactions{Created: 1}, string(in.Append(nil)))
	if got, want := w.document(id), string(out.Append(nil)); got != want {
		t.Errorf("got  %s\nwant %s", got, want)
	}
	types, data := w.happened()
	want := `{"transaction":` + string(out.Append(nil)) + `,"tickets":[` + string(w.ticket("t2").Document) + `,` + string(w.ticket("t1").Document) + `]}`
	if !slices.Equal(types, []string{"transaction.complete"}) || data[0] != want {
		t.Errorf("published %q %s\nwant %s", types, data, want)
	}
	w.imported(seller, sale.ImportedTransactions{Unchanged: 1}, string(in.Append(nil)))
	w.wantEvents()
}

func TestImportPublishesEachChangeOnce(t *testing.T) {
	w := newFixture(t)
	const item = `"cancellationInfo":{"cancellableItems":[{"cartItemId":"i","type":"product","price":1%s}]}`
	open, done := fmt.Sprintf(item, ""), fmt.Sprintf(item, `,"cancelledAt":"2026-11-27T12:00:00Z"`)
	for _, step := range []struct {
		transaction string
		events      []string
	}{
		{small("a", "RESERVED-BY-SYSTEM"), []string{"transaction.reservedBySystem"}},
		{small("a", "RESERVED-BY-SYSTEM", `"company":"ACME"`), nil},
		{small("a", "COMPLETE", open), []string{"transaction.complete"}},
		{small("a", "COMPLETE", open), nil},
		{small("a", "COMPLETE", done), []string{"transaction.partiallyCanceled"}},
		{small("a", "COMPLETE", done, `"company":"ACME"`), nil},
		{small("a", "CANCELED", done), []string{"transaction.canceled"}},
		{small("a", "CANCELED", done, `"paymentStatus":"REFUND"`), nil},
		{small("b", "NEW"), nil},
		{small("b", "ABORTED"), nil},
		{small("c", "CANCELED"), []string{"transaction.canceled"}},
	} {
		_, err := w.imports(seller, step.transaction)
		w.Must(err)
		w.wantEvents(step.events...)
	}
}

func TestImportRefusesInvalidStatusChanges(t *testing.T) {
	w := newFixture(t)
	w.imported(seller, sale.ImportedTransactions{Created: 3}, small("a", "CANCELED"), small("b", "COMPLETE"), small("c", "NEW"))
	w.happened()
	_, err := w.imports(seller, small("c", "COMPLETE"), small("a", "COMPLETE"), small("new", "NEW"), small("b", "NEW"))
	if got := domaintest.Paths(err); !domain.HasCode(err, domain.CodeInvalidState) || got != "transactions[1].status transactions[3].status" {
		t.Errorf("got %q (%v)", got, err)
	}
	if want := "transactions[1].status cannot change from CANCELED to COMPLETE; transactions[3].status cannot change from COMPLETE to NEW"; err.Error() != want {
		t.Errorf("got %q, want %q", err, want)
	}
	w.wantEvents()
	if got := w.Count("SELECT count(*) FROM transactions WHERE status = 'NEW'"); got != 1 {
		t.Errorf("a refused import was stored: %d are NEW", got)
	}
}

func TestCanceledTicketsAreInvalid(t *testing.T) {
	w := newFixture(t)
	const cart = `"tickets":[{"_id":"i1","amount":2,"price":5,"ticketTypeId":"x"},{"_id":"i2","amount":1,"price":5,"ticketTypeId":"x"}]`
	items := func(done ...bool) string {
		list := make([]string, len(done))
		for i, is := range done {
			list[i] = `{"cartItemId":"` + []string{"i1", "i1", "i2"}[i] + `","type":"ticket","price":5}`
			if is {
				list[i] = domaintest.Merged(list[i], `"cancelledAt":"2026-11-27T12:00:00Z"`)
			}
		}
		return `"cancellationInfo":{"cancellableItems":[` + strings.Join(list, ",") + `]}`
	}
	w.imported(seller, sale.ImportedTransactions{Created: 1}, small("a", "COMPLETE", cart, items(false, false, false)))
	w.issued(smallTicket("1", "a", `"cartItemId":"i1"`), smallTicket("2", "a", `"cartItemId":"i1"`),
		smallTicket("3", "a", `"cartItemId":"i2"`), smallTicket("4", "b", `"cartItemId":"i2"`))
	w.happened()
	statuses := func() string {
		return strings.Join([]string{
			string(w.ticket("1").Status), string(w.ticket("2").Status), string(w.ticket("3").Status), string(w.ticket("4").Status),
		}, " ")
	}

	w.imported(seller, sale.ImportedTransactions{Updated: 1}, small("a", "COMPLETE", cart, items(true, false, false)))
	w.wantEvents("transaction.partiallyCanceled", "ticket.updated")
	if got := statuses(); got != "INVALID VALID VALID VALID" {
		t.Errorf("got %s, want one of two tickets of an item INVALID", got)
	}

	w.now = w.now.Add(time.Hour)
	w.imported(seller, sale.ImportedTransactions{Updated: 1}, small("a", "COMPLETE", cart, items(true, true, false)))
	types, data := w.happened()
	if want := []string{"transaction.partiallyCanceled", "ticket.updated"}; !slices.Equal(types, want) {
		t.Errorf("published %q, want %q", types, want)
	}
	if got := statuses(); got != "INVALID INVALID VALID VALID" {
		t.Errorf("got %s", got)
	}
	if item := w.ticket("2"); data[1] != `{"ticket":`+string(item.Document)+`}` || !strings.Contains(data[0], string(item.Document)) {
		t.Errorf("the tickets in the events differ from the stored ones: %s", data)
	} else if item.UpdatedAt.String() != "2026-11-27T13:00:00.123Z" || item.CreatedAt.String() != "2026-11-27T12:00:00.123Z" {
		t.Errorf("created %s, updated %s", item.CreatedAt, item.UpdatedAt)
	}

	w.issued(smallTicket("1", "a", `"cartItemId":"i1"`))
	w.imported(seller, sale.ImportedTransactions{Updated: 1}, small("a", "COMPLETE", cart, items(true, true, false), `"name":"n"`))
	w.wantEvents() // a ticket that is imported again is canceled too
	w.imported(seller, sale.ImportedTransactions{Updated: 1}, small("a", "CANCELED", cart, items(true, true, false)))
	w.wantEvents("transaction.canceled", "ticket.updated")
	if got := statuses(); got != "INVALID INVALID INVALID VALID" {
		t.Errorf("got %s", got)
	}
}

// One ticket of a cart item per canceled unit becomes INVALID, however the units are listed, and the invoice agrees.
func TestCanceledUnitsEndAsManyTickets(t *testing.T) {
	const cart = `"realPrice":50,"tickets":[{"_id":"i1","amount":3,"price":10,"ticketTypeId":"x"},{"_id":"i2","amount":2,"price":10,"ticketTypeId":"x"}]`
	unit := func(item, at string) string {
		if at != "" {
			at = `,"cancelledAt":"2026-11-27T` + at + `Z"`
		}
		return fmt.Sprintf(`{"cartItemId":%q,"type":"ticket","price":10%s}`, item, at)
	}
	for name, row := range map[string]struct {
		units   []string
		invalid string
		amount  int
	}{
		"two of three listed":             {[]string{unit("i1", "12:00:00"), unit("i1", "12:00:00"), unit("i1", "")}, "1 2", 2},
		"the canceled one alone":          {[]string{unit("i1", "12:00:00")}, "1", 1},
		"one of each item":                {[]string{unit("i1", "12:00:00"), unit("i2", "12:00:00"), unit("i2", "")}, "1 4", 2},
		"the one that is INVALID already": {[]string{unit("i2", "12:00:00"), unit("i1", "12:00:00")}, "1 4", 2},
		"more than there are tickets":     {[]string{unit("i2", "12:00:00"), unit("i2", "12:00:00"), unit("i2", "12:00:00")}, "4 5", 2},
	} {
		t.Run(name, func(t *testing.T) {
			w := newFixture(t)
			w.imported(seller, sale.ImportedTransactions{Created: 1}, small("a", "COMPLETE", cart))
			for n, item := range []string{"i1", "i1", "i1", "i2", "i2"} {
				w.issued(smallTicket(fmt.Sprint(n+1), "a", fmt.Sprintf(`"cartItemId":%q`, item)))
			}
			w.issue("a")
			w.imported(seller, sale.ImportedTransactions{Updated: 1}, small("a", "COMPLETE", cart,
				`"cancellationInfo":{"cancellableItems":[`+strings.Join(row.units, ",")+`]}`))
			var invalid []string
			for n := 1; n <= 5; n++ {
				if w.ticket(fmt.Sprint(n)).Status == "INVALID" {
					invalid = append(invalid, fmt.Sprint(n))
				}
			}
			if got := strings.Join(invalid, " "); got != row.invalid {
				t.Errorf("INVALID are %q, want %q", got, row.invalid)
			}
			invoices := w.invoices()
			if got := invoices[len(invoices)-1].Total.String(); got != fmt.Sprint(-10*row.amount) {
				t.Errorf("credited %s for %d tickets", got, row.amount)
			}
		})
	}
}

func TestImportComputesOmittedFields(t *testing.T) {
	w := newFixture(t)
	w.language = "xx, de-CH;q=0.9"
	w.issued(smallTicket("t", "a", `"cartItemId":"i1"`, `"extraFields":{"own":true}`))
	w.happened()
	cart := []string{
		`"taxRate":0.081`, `"tickets":[{"_id":"i1","amount":1,"price":5,"ticketTypeId":"x","meta":{"own":false,"seat":"A"}},
			{"amount":1,"price":5,"ticketTypeId":"y"}]`,
		`"products":[{"type":"product","amount":1,"price":5,"productVariantId":"p"}]`,
		`"outerFeeComponents":{"_id":"c","fix":[{"_id":"f","amount":3,"value":0.1}]}`,
	}
	w.imported(seller, sale.ImportedTransactions{Created: 1}, small("a", "NEW", cart...))
	w.wantEvents("ticket.updated")
	record, err := w.transactions.Get(w.key(seller), "a")
	w.Must(err)
	for _, created := range []*string{record.Tickets[1].ID, record.Products[0].ID} {
		if created == nil || len(*created) != 24 {
			t.Errorf("generated _id is %v", created)
		}
	}
	if rate := record.Products[0].TaxRate; rate == nil || *rate != "0.081" || *record.Tickets[0].TaxRate != "0.081" {
		t.Errorf("tax rates: %v %v", record.Tickets, record.Products)
	}
	if language := record.PreferredLanguage; language == nil || *language != "de-CH" {
		t.Errorf("language: %v", language)
	}
	if total := record.OuterFeeComponents.Fix[0].Total; total == nil || *total != "0.3" {
		t.Errorf("total: %v", total)
	}
	if record.CreatedAt != nil || record.UpdatedAt != nil || record.ListedAt.String() != "2026-11-27T12:00:00.123Z" {
		t.Errorf("times: %v %v %v", record.CreatedAt, record.UpdatedAt, record.ListedAt)
	}
	if got := string(w.ticket("t").ExtraFields.Append(nil)); got != `{"own":true,"seat":"A"}` {
		t.Errorf("extraFields are %s", got)
	}

	w.language = "fr"
	w.imported(seller, sale.ImportedTransactions{Unchanged: 1}, small("a", "NEW", cart...))
	w.wantEvents()

	w.issued(smallTicket("later", "a", `"cartItemId":"i1"`), smallTicket("of another item", "a", `"cartItemId":"i2"`))
	if got := w.ticket("later").ExtraFields; got == nil || string(got.Append(nil)) != `{"own":false,"seat":"A"}` {
		t.Errorf("a ticket imported later has the extraFields %v", got)
	}
	if got := w.ticket("of another item").ExtraFields; got != nil {
		t.Errorf("another item's ticket has extraFields: %s", got.Append(nil))
	}
	w.wantEvents("ticket.created", "ticket.created")
	w.issued(smallTicket("later", "a", `"cartItemId":"i1"`))
	w.wantEvents()
}

func TestImportReportsAllFaultsTogether(t *testing.T) {
	w := newFixture(t)
	for name, row := range map[string]struct {
		transactions []string
		want         string
	}{
		"each field by its path": {
			[]string{
				small("a", "NEW"), small("b", "DONE", `"realPrice":"1"`), `7`,
				small("c", "NEW", `"tickets":[{"amount":1.5,"price":1,"ticketTypeId":"x"}]`, `"preferredLanguage":"de_CH"`),
			},
			"transactions[1].realPrice transactions[1].status transactions[2] transactions[3].preferredLanguage transactions[3].tickets[0].amount",
		},
		"missing fields": {[]string{`{}`}, "transactions[0]._id transactions[0].sellerId transactions[0].eventId transactions[0].realPrice " +
			"transactions[0].status transactions[0].secret transactions[0].tid transactions[0].coupons"},
		"an _id twice":              {[]string{small("a", "NEW"), small("a", "NEW")}, "transactions[1]._id"},
		"another seller's sellerId": {[]string{smallOf(other, "a", "NEW")}, "transactions[0].sellerId"},
	} {
		_, err := w.imports(seller, row.transactions...)
		if got := domaintest.Paths(err); got != row.want || !domain.HasCode(err, domain.CodeValidationFailed) {
			t.Errorf("%s: got %q (%v), want %q", name, got, err, row.want)
		}
	}
	_, err := w.transactions.Import(w.key(seller), sale.TransactionImport{
		Transactions: make([]ecmajson.Value, intake.Max+1),
	})
	if got := domaintest.Paths(err); got != "transactions" {
		t.Errorf("too many: %q", got)
	}
	if got := w.Count("SELECT count(*) FROM transactions WHERE seller_id = '" + string(seller) + "'"); got != 0 {
		t.Errorf("%d transactions were stored", got)
	}
	w.wantEvents()
}

// Another seller's transaction with the same _id makes no difference, and changes affect only their own seller.
func TestTransactionIDsArePerSeller(t *testing.T) {
	w := newFixture(t)
	w.charged()
	w.issued(smallTicket("x", "t1"))
	theirs := domaintest.Merged(smallTicket("x", "t1"), fmt.Sprintf(`"sellerId":%q`, other))
	_, err := w.tickets.Import(w.key(other), ticket.Import{Tickets: domaintest.Texts([]string{theirs})})
	w.Must(err)
	w.imported(other, sale.ImportedTransactions{Created: 1}, smallOf(other, "t1", "COMPLETE"))
	_, err = w.issuing(other, "t1", nil)
	w.Must(err)

	w.imported(other, sale.ImportedTransactions{Updated: 1}, smallOf(other, "t1", "CANCELED"))
	for of, want := range map[ids.Seller]string{seller: "COMPLETE VALID 1", other: "CANCELED INVALID 2"} {
		transaction, err := w.transactions.Get(w.key(of), "t1")
		w.Must(err)
		item, err := w.tickets.Get(w.key(of), "x")
		w.Must(err)
		invoices := w.Count("SELECT count(*) FROM invoices WHERE seller_id = '" + string(of) + "'")
		if got := fmt.Sprintf("%s %s %d", transaction.Status, item.Status, invoices); got != want || transaction.SellerID != of {
			t.Errorf("%s: got %q of %s, want %q", of, got, transaction.SellerID, want)
		}
	}
}

func TestConcurrentImportsCreateEachTransactionOnce(t *testing.T) {
	w := newFixture(t)
	list := make([]string, 40)
	for i := range list {
		list[i] = small(fmt.Sprintf("t%02d", i), "COMPLETE")
	}
	results := domaintest.Meet(t, 6, list, func(texts ...string) (sale.ImportedTransactions, error) { return w.imports(seller, texts...) })
	var total sale.ImportedTransactions
	for _, result := range results {
		total.Created, total.Unchanged = total.Created+result.Created, total.Unchanged+result.Unchanged
	}
	domaintest.Equal(t, "together", total, sale.ImportedTransactions{Created: 40, Unchanged: 200})
	if got := w.Count("SELECT count(*) FROM events WHERE type = 'transaction.complete'"); got != 40 {
		t.Errorf("got %d events, want 40", got)
	}
}

func TestConcurrentCancellationsArePublishedOnce(t *testing.T) {
	w := newFixture(t)
	w.imported(seller, sale.ImportedTransactions{Created: 1}, small("a", "COMPLETE"))
	w.issued(smallTicket("1", "a"))
	w.happened()
	var group sync.WaitGroup
	for range 8 {
		group.Go(func() {
			if _, err := w.imports(seller, small("a", "CANCELED")); err != nil {
				t.Error(err)
			}
		})
		group.Go(func() {
			_, err := w.tickets.Import(w.key(seller), ticket.Import{Tickets: domaintest.Texts([]string{smallTicket("1", "a", `"seat":"7"`, `"status":"INVALID"`)})})
			if err != nil {
				t.Error(err)
			}
		})
	}
	group.Wait()
	if got := w.Count("SELECT count(*) FROM events WHERE type = 'transaction.canceled'"); got != 1 {
		t.Errorf("got %d transaction.canceled events, want 1", got)
	}
}

func TestImportOfThousandsOfTransactionsIsFast(t *testing.T) {
	w := newFixture(t)
	const many = 3000
	list := func(status string) []ecmajson.Value {
		values := make([]ecmajson.Value, many)
		for i := range values {
			values[i] = domaintest.JSON(small(fmt.Sprint("t", i), status, `"historyEntries":[{"_id":"h","type":"created"}]`))
		}
		return values
	}
	for _, row := range []struct {
		status string
		want   sale.ImportedTransactions
	}{
		{"NEW", sale.ImportedTransactions{Created: many}},
		{"NEW", sale.ImportedTransactions{Unchanged: many}},
		{"COMPLETE", sale.ImportedTransactions{Updated: many}},
	} {
		start := time.Now()
		got, err := w.transactions.Import(w.key(seller), sale.TransactionImport{Transactions: list(row.status)})
		w.Must(err)
		t.Logf("%d transactions, %+v: %v", many, row.want, time.Since(start))
		domaintest.Equal(t, "imported", got, row.want)
	}
	if got := w.Count("SELECT count(*) FROM events"); got != many {
		t.Errorf("got %d events, want %d", got, many)
	}
}

func textOf(object ecmajson.Value, member string) string {
	value, _ := object.Field(member)
	return value.Text()
}
