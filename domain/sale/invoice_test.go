package sale_test

import (
	"encoding/json"
	"fmt"
	"slices"
	"strings"
	"testing"
	"time"

	"ticketgate/domain/document"
	"ticketgate/domain/ids"
	"ticketgate/domain/sale"
	"ticketgate/domain/tenant"
)

var issuer = tenant.Seller{ID: seller, Name: "Grand Théâtre", Country: "FR"}

// invoiceOf returns the invoice of a transaction with the given fields.
func invoiceOf(t *testing.T, more ...string) sale.Invoice {
	t.Helper()
	var transaction sale.Transaction
	if err := json.Unmarshal([]byte(small("t1", "COMPLETE", more...)), &transaction); err != nil {
		t.Fatal(err)
	}
	return sale.NewInvoice(transaction, issuer, time.Date(2026, 11, 27, 12, 0, 0, 0, time.UTC))
}

// cartTicket returns a cart item. An empty rate means none.
func cartTicket(id string, amount int, price, rate string) string {
	if rate != "" {
		rate = `,"taxRate":` + rate
	}
	return fmt.Sprintf(`{"_id":%q,"amount":%d,"price":%s,"ticketTypeId":"tt1","name":"Standard"%s}`, id, amount, price, rate)
}

func cart(items ...string) string { return `"tickets":[` + strings.Join(items, ",") + `]` }

// sums formats an invoice's lines and taxes.
func sums(i sale.Invoice) string {
	var parts []string
	for _, item := range i.Items {
		rate := document.Number("-")
		if item.TaxRate != nil {
			rate = *item.TaxRate
		}
		parts = append(parts, fmt.Sprintf("%s %d×%s=%s@%s", item.Type, item.Amount, item.Price, item.Total, rate))
	}
	for _, tax := range i.Taxes {
		parts = append(parts, fmt.Sprintf("tax %s: %s+%s=%s", tax.Rate, tax.Net, tax.Tax, tax.Gross))
	}
	return strings.Join(append(parts, fmt.Sprintf("%s+%s=%s", i.NetTotal, i.TaxTotal, i.Total)), "; ")
}

func TestInvoiceAddsUpExactly(t *testing.T) {
	t.Parallel()
	for name, row := range map[string]struct {
		members []string
		want    string
	}{
		"tenths, which binary floating point can't represent": {
			[]string{`"realPrice":0.5`, cart(cartTicket("a", 3, "0.1", "20"), cartTicket("b", 1, "0.2", "20"))},
			"ticket 3×0.1=0.3@20; ticket 1×0.2=0.2@20; tax 20: 0.42+0.08=0.5; 0.42+0.08=0.5",
		},
		"a discount split between tax rates": {
			[]string{
				`"realPrice":90`, cart(cartTicket("a", 2, "30", "20")),
				`"products":[{"_id":"p","type":"product","amount":1,"price":40,"productVariantId":"v","taxRate":5.5}]`,
			},
			"ticket 2×30=60@20; product 1×40=40@5.5; discount 1×-6=-6@20; discount 1×-4=-4@5.5; " +
				"tax 20: 45+9=54; tax 5.5: 34.12+1.88=36; 79.12+10.88=90",
		},
		"a discount with rounded shares": {
			[]string{`"realPrice":20`, cart(cartTicket("a", 1, "10", "20"), cartTicket("b", 1, "10", "10"), cartTicket("c", 1, "10", ""))},
			"ticket 1×10=10@20; ticket 1×10=10@10; ticket 1×10=10@-; discount 1×-3.33=-3.33@20; discount 1×-3.33=-3.33@10; " +
				"discount 1×-3.34=-3.34@-; tax 20: 5.56+1.11=6.67; tax 10: 6.06+0.61=6.67; 18.28+1.72=20",
		},
		"single fees and a payment fee": {
			[]string{
				`"realPrice":11.85,"taxRate":19,"outerCharge":1.5,"paymentCharge":0.35`, cart(cartTicket("a", 1, "10", "19")),
				`"outerFeeComponents":{"_id":"f","fix":[{"_id":"f1","amount":1,"value":1,"total":1}],"var":[{"_id":"f2","value":0.5}]}`,
			},
			"ticket 1×10=10@19; fee 1×1=1@19; fee 1×0.5=0.5@19; fee 1×0.35=0.35@19; tax 19: 9.96+1.89=11.85; 9.96+1.89=11.85",
		},
		"only the sum of the fees": {
			[]string{`"realPrice":11.5,"outerCharge":1.5`, cart(cartTicket("a", 1, "10", ""))},
			"ticket 1×10=10@-; fee 1×1.5=1.5@-; 11.5+0=11.5",
		},
		"a bundle, and a higher price than explained": {
			[]string{
				`"realPrice":13`,
				`"additionalItems":[{"itemId":"i","type":"bundle","netPrice":10,"price":12,"taxRate":20,"data":{"bundleId":"b"}}]`,
			},
			"bundle 1×12=12@20; fee 1×1=1@20; tax 20: 10.83+2.17=13; 10.83+2.17=13",
		},
		"a currency without decimals": {
			[]string{`"realPrice":1000,"currency":"JPY"`, cart(cartTicket("a", 1, "1000", "10"))},
			"ticket 1×1000=1000@10; tax 10: 909+91=1000; 909+91=1000",
		},
		"a free ticket": {
			[]string{`"realPrice":0`, cart(cartTicket("a", 2, "0", "20"))},
			"ticket 2×0=0@20; tax 20: 0+0=0; 0+0=0",
		},
	} {
		t.Run(name, func(t *testing.T) {
			t.Parallel()
			if got := sums(invoiceOf(t, row.members...)); got != row.want {
				t.Errorf("got  %s\nwant %s", got, row.want)
			}
		})
	}
}

// buyer is a company with address and identification (IDENT-7).
const buyer = `"company":"ACME <&> Fils","prename":"Zoë","lastname":"Durand","email":"zoe@example.com","street":"1 rue de la Paix",
	"postal":"75002","city":"Paris","country":"FR","identification":[{"type":"france_siren","identifier":"732829320"}]`

func TestAnInvoiceNamesTheBuyer(t *testing.T) {
	t.Parallel()
	invoice := invoiceOf(t, buyer, cart(cartTicket("a", 1, "10", "20")))
	head, middle, tail, err := invoice.Document()
	if err != nil {
		t.Fatal(err)
	}
	want := fmt.Sprintf(`{"_id":"%s","number":7,"sellerId":"%s","transactionId":"t1","tid":"T-t1","kind":"invoice",`+
		`"issuedAt":"2026-11-27T12:00:00.000Z","currency":"EUR","seller":{"name":"Grand Théâtre","country":"FR"},`+
		`"buyer":{"company":"ACME <&> Fils","prename":"Zoë","lastname":"Durand","email":"zoe@example.com",`+
		`"street":"1 rue de la Paix","postal":"75002","city":"Paris","country":"FR"},`+
		`"identification":[{"type":"france_siren","identifier":"732829320"}],`+
		`"items":[{"cartItemId":"a","type":"ticket","name":"Standard","amount":1,"price":10,"total":10,"taxRate":20}],`+
		`"taxes":[{"rate":20,"net":8.33,"tax":1.67,"gross":10}],"netTotal":8.33,"taxTotal":1.67,"total":10}`, invoice.ID, seller)
	if got := head + "7" + middle + invoice.IssuedAt.String() + tail; got != want {
		t.Errorf("got  %s\nwant %s", got, want)
	}
}

// issue issues the invoice of a stored transaction.
func (w *fixture) issue(id string) sale.Invoice {
	w.T.Helper()
	issued, err := w.issuing(seller, id, nil)
	w.Must(err)
	return issued
}

// issuing issues an invoice in a database transaction whose function returns end.
func (w *fixture) issuing(of ids.Seller, id string, end error) (issued sale.Invoice, err error) {
	record, err := w.transactions.Get(w.key(of), id)
	if err != nil {
		return issued, err
	}
	err = w.Store.Transactions().InTx(w.T.Context(), func(tx sale.TransactionTx) error {
		invoices, err := tx.CreateInvoices(w.T.Context(), of, []sale.Invoice{sale.NewInvoice(record.Transaction, issuer, w.now)})
		if err != nil {
			return err
		}
		issued = invoices[0]
		return end
	})
	return issued, err
}

func TestInvoiceNumbersHaveNoGaps(t *testing.T) {
	w := newFixture(t)
	const together = 12
	for n := range together + 2 {
		w.imported(seller, sale.ImportedTransactions{Created: 1}, small(fmt.Sprintf("t%d", n), "COMPLETE"))
	}
	if first := w.issue("t0"); first.Number != 1 {
		t.Errorf("the first number is %d", first.Number)
	}
	numbers, refused := make(chan int, together), make(chan error, 2*together)
	for n := 1; n <= together; n++ {
		go func() {
			if _, err := w.issuing(seller, fmt.Sprintf("t%d", n), errGivenUp); err == nil {
				refused <- fmt.Errorf("t%d was issued", n)
			}
			issued, err := w.issuing(seller, fmt.Sprintf("t%d", n), nil)
			refused <- err
			numbers <- issued.Number
		}()
	}
	var got []int
	for range together {
		got = append(got, <-numbers)
		w.Must(<-refused)
	}
	slices.Sort(got)
	for i, number := range got {
		if number != i+2 {
			t.Fatalf("issued concurrently: %v", got)
		}
	}
	if last := w.issue("t13"); last.Number != together+2 {
		t.Errorf("the last number is %d", last.Number)
	}
	if stored := w.Count("SELECT count(*) FROM invoices WHERE (document->>'number')::int = number AND document->>'_id' = id"); stored != together+2 {
		t.Errorf("%d invoices contain their number", stored)
	}
}

// The clocks of two processes differ, and calls may get their numbers in any order. The time of issue must follow the number.
func TestIssuedAtFollowsTheNumber(t *testing.T) {
	w := newFixture(t)
	for n, at := range []time.Duration{0, -time.Hour, time.Second, 0} {
		id := fmt.Sprintf("t%d", n)
		w.imported(seller, sale.ImportedTransactions{Created: 1}, small(id, "COMPLETE"))
		now := w.now
		w.now = now.Add(at)
		issued := w.issue(id)
		w.now = now
		stored := w.invoices()[n]
		if want := []string{"12:00:00.123Z", "12:00:00.123Z", "12:00:01.123Z", "12:00:01.123Z"}[n]; stored.IssuedAt.String() != "2026-11-27T"+want ||
			issued.IssuedAt != stored.IssuedAt || stored.Number != n+1 {
			t.Errorf("number %d was issued at %s and returned as %s, want %s", stored.Number, stored.IssuedAt, issued.IssuedAt, want)
		}
	}
	var found struct{ Invoices invoicesPart }
	w.asks(`{ invoices { nodes { number } pageInfo { endCursor } } }`, &found)
	for n, item := range found.Invoices.Nodes {
		if item.Number != n+1 {
			t.Errorf("position %d of the list has number %d", n, item.Number)
		}
	}
}

func TestTransactionHasOneInvoice(t *testing.T) {
	w := newFixture(t)
	w.imported(seller, sale.ImportedTransactions{Created: 1}, small("t1", "COMPLETE"))
	w.issue("t1")
	if _, err := w.issuing(seller, "t1", nil); err == nil || w.Count("SELECT last FROM invoice_counters") != 1 {
		t.Errorf("a second invoice: got %v", err)
	}
}
