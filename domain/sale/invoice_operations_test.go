package sale_test

import (
	"fmt"
	"strings"
	"testing"
	"time"

	"ticketgate/db/dbtest"
	"ticketgate/domain"
	"ticketgate/domain/sale"
)

// threeInvoices issues the invoices 1 and 2 of two transactions and the cancellation 3 of the first one.
func (w *fixture) threeInvoices() []sale.Invoice {
	w.T.Helper()
	w.charged()
	w.imported(seller, sale.ImportedTransactions{Created: 1}, small("t2", "COMPLETE", `"lastname":"Weiß"`))
	w.now = w.now.Add(time.Hour)
	w.issue("t2")
	w.now = w.now.Add(time.Hour)
	w.changed(sold("CANCELED"))
	return w.invoices()
}

func TestInvoicesAreFound(t *testing.T) {
	w := newFixture(t)
	invoices := w.threeInvoices()
	w.Exec(`INSERT INTO hand_overs (invoice_id, seller_id, state, created_at, updated_at) VALUES ($1, $2, 'failed', now(), now())`,
		invoices[1].ID, string(seller))
	for filter, want := range map[string]string{
		``: "1 2 3", `transactionId: "t1"`: "1 3", `transactionId: "t"`: "", `kind: cancellation`: "3", `kind: invoice`: "1 2",
		`number: 2`: "2", `number: 9`: "", `number: 0`: "", `number: null`: "1 2 3", `kind: null, handOverState: null`: "1 2 3", `handOverState: failed`: "2", `handOverState: delivered`: "",
		`handOverStateIn: [failed, pending]`: "2", `handOverStateIn: []`: "1 2 3", `handOverStateIn: null`: "1 2 3",
		`handOverState: failed, handOverStateIn: [delivered]`: "",
		`text: "WEISS"`: "2", `text: "durand"`: "1 3", `text: "fils"`: "1 3", `text: "732829320"`: "1 3", `text: "T-t2"`: "2", `text: "%"`: "",
		`issuedFrom: "2026-11-27T13:00:00Z"`: "2 3", `issuedUntil: "2026-11-27T13:00:00Z"`: "1",
		`kind: invoice, transactionId: "t1"`: "1",
	} {
		status, answer := w.post(fmt.Sprintf("{ invoices(filter: {%s}) { nodes { number } totalCount } }", filter), "{}")
		var nodes []string
		for number := range strings.FieldsSeq(want) {
			nodes = append(nodes, `{"number":`+number+`}`)
		}
		wanted := fmt.Sprintf(`{"data":{"invoices":{"nodes":[%s],"totalCount":%d}}`, strings.Join(nodes, ","), len(nodes))
		if status != 200 || !strings.HasPrefix(answer, wanted) {
			t.Errorf("{%s}: %d %s", filter, status, answer)
		}
	}
}

func TestInvoiceIsShownWhole(t *testing.T) {
	w := newFixture(t)
	invoices := w.threeInvoices()
	status, answer := w.post(`query($id: ID!) { invoice(id: $id) { number kind tid transactionId sellerId issuedAt currency
		cancels { invoiceId number } seller { name country } buyer { company lastname street postal city country }
		identification { type identifier } items { cartItemId type name amount price total taxRate }
		taxes { rate net tax gross } netTotal taxTotal total handOver { state attempts { number } } } }`, fmt.Sprintf(`{"id":%q}`, invoices[2].ID))
	want := fmt.Sprintf(`{"data":{"invoice":{"number":3,"kind":"cancellation","tid":"T-t1","transactionId":"t1","sellerId":"%s",`+
		`"issuedAt":"2026-11-27T14:00:00.123Z","currency":"EUR","cancels":{"invoiceId":"%s","number":1},`+
		`"seller":{"name":"Grand Théâtre","country":"FR"},"buyer":{"company":"ACME \u003c\u0026\u003e Fils","lastname":"Durand",`+
		`"street":"1 rue de la Paix","postal":"75002","city":"Paris","country":"FR"},`+
		`"identification":[{"type":"france_siren","identifier":"732829320"}],`+
		`"items":[{"cartItemId":"a","type":"ticket","name":"Standard","amount":-3,"price":10,"total":-30,"taxRate":20},`+
		`{"cartItemId":null,"type":"fee","name":"Fees","amount":-1,"price":1.5,"total":-1.5,"taxRate":20}],`+
		`"taxes":[{"rate":20,"net":-26.25,"tax":-5.25,"gross":-31.5}],"netTotal":-26.25,"taxTotal":-5.25,"total":-31.5,`+
		`"handOver":null}}`, seller, invoices[0].ID)
	answer = strings.NewReplacer(`<`, `\u003c`, `>`, `\u003e`, `&`, `\u0026`).Replace(answer)
	if status != 200 || !strings.HasPrefix(answer, want) {
		t.Errorf("%d\ngot  %s\nwant %s", status, answer, want)
	}
}

func TestInvoicesNeedTheirPermissions(t *testing.T) {
	w := newFixture(t)
	invoices := sale.Invoices{Store: w.Store.Invoices(), Now: time.Now}
	id := w.threeInvoices()[0].ID
	for name, row := range map[string]struct {
		actor             domain.Actor
		list, get, repeat domain.Code
	}{
		"a key that may list": {
			dbtest.KeyOf(seller, "invoices:list"), "", "", domain.CodeMissingPermission,
		},
		"a key that may update, of a seller without invoicing": {
			dbtest.KeyOf(seller, "invoices:update"), domain.CodeMissingPermission, domain.CodeMissingPermission, domain.CodeInvalidState,
		},
		"another seller's key": {dbtest.KeyOf(other), "", domain.CodeNotFound, domain.CodeNotFound},
	} {
		t.Run(name, func(t *testing.T) {
			ctx := domain.WithActor(t.Context(), &row.actor)
			list, listed := invoices.List(ctx, sale.InvoiceFilter{}, domain.Page{Limit: 10})
			_, got := invoices.Get(ctx, id)
			_, repeated := invoices.RetryHandOver(ctx, id)
			for _, item := range []struct {
				err  error
				want domain.Code
			}{{listed, row.list}, {got, row.get}, {repeated, row.repeat}} {
				if code := domain.AsError(item.err); (item.err == nil) != (item.want == "") || (item.err != nil && code.Code != item.want) {
					t.Errorf("got %v, want %s", item.err, item.want)
				}
			}
			if row.actor.SellerID == other && len(list.Items) != 0 {
				t.Errorf("another seller sees %d invoices", len(list.Items))
			}
		})
	}
}
