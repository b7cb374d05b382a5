package sale_test

import (
	"encoding/json"
	"errors"
	"fmt"
	"math/big"
	"strings"
	"testing"

	"ticketgate/domain/sale"
)

var errGivenUp = errors.New("given up")

// invoices returns the seller's stored invoices by number.
func (w *fixture) invoices() []sale.Invoice {
	w.T.Helper()
	found, err := w.SQL.QueryContext(w.T.Context(), "SELECT document::text FROM invoices ORDER BY number")
	w.Must(err)
	defer func() { _ = found.Close() }()
	var list []sale.Invoice
	for found.Next() {
		var text string
		var invoice sale.Invoice
		w.Must(found.Scan(&text))
		w.Must(json.Unmarshal([]byte(text), &invoice))
		list = append(list, invoice)
	}
	w.Must(found.Err())
	return list
}

// cancellable returns three cancellable tickets of one cart item and a fee without an invoice line, each with its
// cancellation time or "". More adds fields to the first ticket.
func cancellable(first, second, third, fee, more string) string {
	items := make([]string, 0, 4)
	for n, at := range []string{first, second, third, fee} {
		item := `{"cartItemId":"a","type":"ticket","price":10`
		if n == 3 {
			item = `{"cartItemId":"x","type":"fee","price":1.5,"name":"Service","taxRate":20`
		}
		if n == 0 {
			item += more
		}
		if at != "" {
			item += `,"cancelledAt":"2026-11-27T` + at + `Z"`
		}
		items = append(items, item+"}")
	}
	return `"cancellationInfo":{"cancellableItems":[` + strings.Join(items, ",") + `]}`
}

// charged imports a transaction of three tickets and a fee, and issues its invoice.
func (w *fixture) charged() {
	w.T.Helper()
	w.imported(seller, sale.ImportedTransactions{Created: 1}, sold("COMPLETE", cancellable("", "", "", "", "")))
	w.issue("t1")
}

func sold(status string, more ...string) string {
	return small("t1", status, append([]string{`"realPrice":31.5,"taxRate":20,"outerCharge":1.5`, buyer, cart(cartTicket("a", 3, "10", "20"))}, more...)...)
}

// changed imports the transaction again and returns the invoices issued for it.
func (w *fixture) changed(transaction string) []string {
	w.T.Helper()
	before := len(w.invoices())
	w.imported(seller, sale.ImportedTransactions{Updated: 1}, transaction)
	var created []string
	for _, invoice := range w.invoices()[before:] {
		created = append(created, sums(invoice))
		if invoice.Kind != sale.CancellationInvoice || invoice.Cancels == nil || invoice.Cancels.Number != 1 ||
			invoice.Cancels.InvoiceID != w.invoices()[0].ID || *invoice.Buyer.City != "Paris" || len(invoice.Identification) != 1 {
			w.T.Errorf("got the cancellation %+v", invoice)
		}
	}
	return created
}

// wantLeft checks the sums over all invoices.
func (w *fixture) wantLeft(total, tax string) {
	w.T.Helper()
	totals, taxes := new(big.Rat), new(big.Rat)
	for _, invoice := range w.invoices() {
		for sum, text := range map[*big.Rat]string{totals: invoice.Total.String(), taxes: invoice.TaxTotal.String()} {
			amount, _ := new(big.Rat).SetString(text)
			sum.Add(sum, amount)
		}
	}
	wantTotal, _ := new(big.Rat).SetString(total)
	wantTax, _ := new(big.Rat).SetString(tax)
	if totals.Cmp(wantTotal) != 0 || taxes.Cmp(wantTax) != 0 { // exact, to detect hidden fractions of a cent
		w.T.Errorf("left: %s %s, want %s %s", totals.FloatString(4), taxes.FloatString(4), total, tax)
	}
}

func wantIssued(t *testing.T, got []string, want ...string) {
	t.Helper()
	if strings.Join(got, "\n") != strings.Join(want, "\n") {
		t.Errorf("issued\n%s\nwant\n%s", strings.Join(got, "\n"), strings.Join(want, "\n"))
	}
}

func TestCancellationCreditsEverything(t *testing.T) {
	w := newFixture(t)
	w.charged()
	wantIssued(t, w.changed(sold("CANCELED")), "ticket -3×10=-30@20; fee -1×1.5=-1.5@20; tax 20: -26.25+-5.25=-31.5; -26.25+-5.25=-31.5")
	w.wantLeft("0.0000", "0.0000")
	wantIssued(t, w.changed(sold("CANCELED", `"updatedAt":"2026-11-27T13:00:00Z"`)))
}

func TestPartialCancellationCreditsEachItemOnce(t *testing.T) {
	w := newFixture(t)
	w.charged()
	wantIssued(t, w.changed(sold("COMPLETE", cancellable("", "12:00:00", "", "", ""))),
		"ticket -1×10=-10@20; tax 20: -8.33+-1.67=-10; -8.33+-1.67=-10")
	wantIssued(t, w.changed(sold("COMPLETE", cancellable("", "", "", "", ""))))
	wantIssued(t, w.changed(sold("COMPLETE", cancellable("", "12:00:00", "", "", ""))))
	// The tax of two tickets and the fee (21.50) was 3.58. The tax of one ticket is 1.67.
	wantIssued(t, w.changed(sold("COMPLETE", cancellable("13:00:00", "12:00:00", "", "13:00:00", ""))),
		"ticket -1×10=-10@20; fee -1×1.5=-1.5@20; tax 20: -9.59+-1.91=-11.5; -9.59+-1.91=-11.5")
	w.wantLeft("10.0000", "1.6700")
	// The fee had no line of its own, so the two lines offset each other.
	wantIssued(t, w.changed(sold("CANCELED", cancellable("13:00:00", "12:00:00", "14:00:00", "13:00:00", ""))),
		"ticket -1×10=-10@20; fee -1×1.5=-1.5@20; fee 1×1.5=1.5@20; tax 20: -8.33+-1.67=-10; -8.33+-1.67=-10")
	w.wantLeft("0.0000", "0.0000")
}

func TestCancellationKeepsFees(t *testing.T) {
	const whole, own = `"cancellationFee":{"_id":"k","amount":1,"value":2.5,"name":"Storno"}`, `,"cancellationFee":{"_id":"k","value":0.75}`
	t.Run("the fee of the whole transaction", func(t *testing.T) {
		w := newFixture(t)
		w.charged()
		wantIssued(t, w.changed(sold("CANCELED", whole)), "ticket -3×10=-30@20; fee -1×1.5=-1.5@20; cancellationFee 1×2.5=2.5@-; "+
			"tax 20: -26.25+-5.25=-31.5; -23.75+-5.25=-29")
		w.wantLeft("2.5000", "0.0000")
	})
	t.Run("the fees of its items instead, each once", func(t *testing.T) {
		w := newFixture(t)
		w.charged()
		wantIssued(t, w.changed(sold("COMPLETE", cancellable("12:00:00", "", "", "", own), whole)),
			"ticket -1×10=-10@20; cancellationFee 1×0.75=0.75@-; tax 20: -8.33+-1.67=-10; -7.58+-1.67=-9.25")
		wantIssued(t, w.changed(sold("CANCELED", cancellable("12:00:00", "", "", "", own), whole)),
			"ticket -2×10=-20@20; fee -1×1.5=-1.5@20; tax 20: -17.92+-3.58=-21.5; -17.92+-3.58=-21.5")
		w.wantLeft("0.7500", "0.0000")
	})
}

// SALE-8.
func TestCancellationStaysWithinInvoice(t *testing.T) {
	const units = `"cancellationInfo":{"cancellableItems":[%s]}`
	item := func(id, kind, price, more string) string {
		return fmt.Sprintf(`{"cartItemId":%q,"type":%q,"price":%s,"cancelledAt":"2026-11-27T12:00:00Z"%s}`, id, kind, price, more)
	}
	for name, row := range map[string]struct {
		items, want, left string
	}{
		"a price above the line's":  {item("a", "ticket", "500", ""), "ticket -1×30=-30@20; tax 20: -25+-5=-30; -25+-5=-30", "1.5000 0.2500"},
		"a huge price":              {item("a", "ticket", "1e300", ""), "ticket -1×30=-30@20; tax 20: -25+-5=-30; -25+-5=-30", "1.5000 0.2500"},
		"more units than sold":      {strings.Repeat(item("a", "ticket", "10", "")+",", 4) + item("a", "ticket", "10", ""), "ticket -1×10=-10@20; ticket -1×10=-10@20; ticket -1×10=-10@20; tax 20: -25+-5=-30; -25+-5=-30", "1.5000 0.2500"},
		"an unknown item":           {item("ghost", "ticket", "500", ""), "ticket -1×31.5=-31.5@20; tax 20: -26.25+-5.25=-31.5; -26.25+-5.25=-31.5", "0.0000 0.0000"},
		"an unknown tax rate":       {item("ghost", "ticket", "5", `,"taxRate":7`), "", "31.5000 5.2500"},
		"an unknown discount":       {item("ghost", "discount", "-1e9", ""), "", "31.5000 5.2500"},
		"a price between two cents": {item("a", "ticket", "13.333", ""), "ticket -1×13.33=-13.33@20; tax 20: -11.11+-2.22=-13.33; -11.11+-2.22=-13.33", "18.1700 3.0300"},
		"half a cent":               {item("a", "ticket", "0.005", ""), "ticket -1×0.01=-0.01@20; tax 20: -0.01+0=-0.01; -0.01+0=-0.01", "31.4900 5.2500"},
		"less than a cent":          {item("a", "ticket", "5e-324", ""), "", "31.5000 5.2500"},
		"less than a cent and more": {
			item("a", "ticket", "0.001", "") + "," + item("a", "ticket", "10", ""),
			"ticket -1×10=-10@20; tax 20: -8.33+-1.67=-10; -8.33+-1.67=-10", "21.5000 3.5800",
		},
		"a fee of less than a cent": {
			item("a", "ticket", "10", `,"cancellationFee":{"_id":"k","value":1e-7}`),
			"ticket -1×10=-10@20; tax 20: -8.33+-1.67=-10; -8.33+-1.67=-10", "21.5000 3.5800",
		},
		"a fee above the price": {
			item("a", "ticket", "10", `,"cancellationFee":{"_id":"k","value":25}`),
			"ticket -1×10=-10@20; cancellationFee 1×10=10@-; tax 20: -8.33+-1.67=-10; 1.67+-1.67=0", "31.5000 3.5800",
		},
	} {
		t.Run(name, func(t *testing.T) {
			w := newFixture(t)
			w.charged()
			var want []string
			if row.want != "" {
				want = []string{row.want}
			}
			wantIssued(t, w.changed(sold("COMPLETE", fmt.Sprintf(units, row.items))), want...)
			total, tax, _ := strings.Cut(row.left, " ")
			w.wantLeft(total, tax)
			w.changed(sold("CANCELED", fmt.Sprintf(units, row.items)))
			if name != "a fee above the price" {
				w.wantLeft("0.0000", "0.0000")
			}
		})
	}
}

// If nothing is left, there is no line. Without a line there is no invoice, which would use up a number.
func TestNothingLeftMakesNoCreditLine(t *testing.T) {
	taken := func(id, price string) string {
		return `"cancellationInfo":{"cancellableItems":[{"cartItemId":"` + id + `","type":"ticket","price":` + price +
			`,"cancelledAt":"2026-11-27T12:00:00Z"}]}`
	}
	t.Run("nothing left at the tax rate", func(t *testing.T) {
		w := newFixture(t)
		w.charged()
		w.changed(sold("COMPLETE", taken("ghost", "500")))
		wantIssued(t, w.changed(sold("CANCELED", taken("ghost", "500"))))
	})
	t.Run("a line credited as one unit", func(t *testing.T) {
		w := newFixture(t)
		w.charged()
		w.changed(sold("COMPLETE", taken("a", "30")))
		wantIssued(t, w.changed(sold("CANCELED", taken("a", "30"))), "fee -1×1.5=-1.5@20; tax 20: -1.25+-0.25=-1.5; -1.25+-0.25=-1.5")
	})
	t.Run("a free ticket", func(t *testing.T) {
		w := newFixture(t)
		free := []string{`"realPrice":0`, cart(cartTicket("a", 2, "0", "20"))}
		w.imported(seller, sale.ImportedTransactions{Created: 1}, small("t1", "COMPLETE", free...))
		w.issue("t1")
		wantIssued(t, w.changed(small("t1", "CANCELED", free...)))
	})
}

func TestCancellationIsRoundedToCurrency(t *testing.T) {
	w := newFixture(t)
	yen := []string{`"realPrice":2000,"currency":"JPY"`, buyer, cart(cartTicket("a", 2, "1000", "10"))}
	w.imported(seller, sale.ImportedTransactions{Created: 1}, small("t1", "COMPLETE", yen...))
	w.issue("t1")
	yen = append(yen, `"cancellationInfo":{"cancellableItems":[{"cartItemId":"a","type":"ticket","price":999.5,`+
		`"cancelledAt":"2026-11-27T12:00:00Z"}]},"cancellationFee":{"_id":"k","value":0.6}`)
	wantIssued(t, w.changed(small("t1", "COMPLETE", yen...)), "ticket -1×1000=-1000@10; tax 10: -909+-91=-1000; -909+-91=-1000")
	wantIssued(t, w.changed(small("t1", "CANCELED", yen...)),
		"ticket -1×1000=-1000@10; cancellationFee 1×1=1@-; tax 10: -909+-91=-1000; -908+-91=-999")
	w.wantLeft("1", "0")
}

func TestCancellationNeedsAnInvoice(t *testing.T) {
	w := newFixture(t)
	w.imported(seller, sale.ImportedTransactions{Created: 1}, small("t1", "CANCELED"))
	w.imported(seller, sale.ImportedTransactions{Created: 1}, small("t2", "COMPLETE"))
	w.imported(seller, sale.ImportedTransactions{Updated: 1}, small("t2", "CANCELED"))
	if got := w.Count("SELECT count(*) FROM invoices"); got != 0 {
		t.Errorf("got %d invoices", got)
	}
}

func TestCancellationsOfOneImportAreNumberedInARow(t *testing.T) {
	w := newFixture(t)
	var complete, canceled []string
	for n := range 3 {
		id := fmt.Sprintf("t%d", n)
		complete, canceled = append(complete, small(id, "COMPLETE")), append(canceled, small(id, "CANCELED"))
	}
	w.imported(seller, sale.ImportedTransactions{Created: 3}, complete...)
	for n := range 3 {
		w.issue(fmt.Sprintf("t%d", n))
	}
	w.imported(seller, sale.ImportedTransactions{Updated: 3}, canceled...)
	for i, invoice := range w.invoices() {
		if invoice.Number != i+1 || (invoice.Kind == sale.CancellationInvoice) != (i >= 3) {
			t.Errorf("invoice %d is %+v", i, invoice)
		}
	}
}
