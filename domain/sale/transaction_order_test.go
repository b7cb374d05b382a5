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
	"ticketgate/domain/audit"
	"ticketgate/domain/domaintest"
	"ticketgate/domain/sale"
	"ticketgate/domain/ticket"
)

// unitsOf returns cancellable tickets of the cart item i1, some of them canceled.
func unitsOf(canceled, all int) string {
	list := make([]string, all)
	for n := range list {
		list[n] = `{"cartItemId":"i1","type":"ticket","price":5}`
		if n < canceled {
			list[n] = domaintest.Merged(list[n], `"cancelledAt":"2026-11-27T12:00:00Z"`)
		}
	}
	return `"cancellationInfo":{"cancellableItems":[` + strings.Join(list, ",") + `]}`
}

// Transactions and tickets come from different services in any order. The result must not depend on the order.
func TestTicketsDoNotDependOnTheOrderOfImports(t *testing.T) {
	w := newFixture(t)
	const cart = `"tickets":[{"_id":"i1","amount":3,"price":5,"ticketTypeId":"x"}]`
	made := func(id string, day int, more ...string) string {
		at := fmt.Sprintf(`"cartItemId":"i1","createdAt":"2026-01-%02dT00:00:00Z"`, day)
		return smallTicket("TX-"+id, "TX", append(more, at)...)
	}
	plain := []string{made("1", 3), made("2", 1), made("3", 2)}
	for name, row := range map[string]struct {
		transaction string
		tickets     []string
		want        string
	}{
		"canceled":                    {small("TX", "CANCELED"), plain, "INVALID INVALID INVALID"},
		"one of three":                {small("TX", "COMPLETE", cart, unitsOf(1, 3)), plain, "VALID INVALID VALID"},
		"two of three":                {small("TX", "COMPLETE", cart, unitsOf(2, 3)), plain, "VALID INVALID INVALID"},
		"more than there are tickets": {small("TX", "COMPLETE", cart, unitsOf(4, 4)), plain, "INVALID INVALID INVALID"},
		"one imported as INVALID": {
			small("TX", "COMPLETE", cart, unitsOf(1, 3)),
			[]string{made("1", 3, `"status":"INVALID"`), made("2", 1), made("3", 2)},
			"INVALID VALID VALID",
		},
		"of another item": {
			small("TX", "COMPLETE", cart, unitsOf(1, 1)),
			[]string{made("1", 1), smallTicket("TX-2", "TX", `"cartItemId":"i2"`), smallTicket("TX-3", "b", `"cartItemId":"i1"`)},
			"INVALID VALID VALID",
		},
		"reserved": {small("TX", "CANCELED"), []string{made("1", 1, `"status":"RESERVED"`), made("2", 1), made("3", 1)}, "INVALID INVALID INVALID"},
	} {
		for order, steps := range map[string]string{
			"tickets last": "transaction tickets", "transaction last": "tickets transaction",
			"tickets once more": "tickets transaction tickets", "everything twice": "transaction tickets transaction tickets",
		} {
			id := strings.ReplaceAll(name+"-"+order, " ", "-")
			named := func(text string) string { return strings.ReplaceAll(text, "TX", id) }
			for step := range strings.FieldsSeq(steps) {
				if step == "tickets" {
					w.issued(named(row.tickets[0]), named(row.tickets[1]), named(row.tickets[2]))
				} else if _, err := w.imports(seller, named(row.transaction)); err != nil {
					t.Fatal(err)
				}
			}
			got := fmt.Sprint(w.ticket(id+"-1").Status, " ", w.ticket(id+"-2").Status, " ", w.ticket(id+"-3").Status)
			if got != row.want {
				t.Errorf("%s, %s: got %s, want %s", name, order, got, row.want)
			}
		}
	}
}

// If units of a transaction are canceled, as many of its tickets become INVALID, even if they are imported later, one
// by one or again.
func TestLaterTicketsEndLikeCanceledUnits(t *testing.T) {
	w := newFixture(t)
	w.imported(seller, sale.ImportedTransactions{Created: 1}, small("a", "COMPLETE", unitsOf(2, 4)))
	item := func(n int, more ...string) string {
		return smallTicket(fmt.Sprint(n), "a", append(more, `"cartItemId":"i1"`)...)
	}
	statuses := func(count int) (list []string) {
		for n := range count {
			list = append(list, string(w.ticket(fmt.Sprint(n)).Status))
		}
		return list
	}
	for n := range 4 {
		w.issued(item(n))
	}
	want := []string{"INVALID", "INVALID", "VALID", "VALID"}
	if got := statuses(4); !slices.Equal(got, want) {
		t.Errorf("one by one: got %q, want %q", got, want)
	}
	w.now = w.now.Add(time.Hour)
	w.happened()
	w.issued(item(3), item(2), item(1), item(0))
	w.wantEvents()
	if got := statuses(4); !slices.Equal(got, want) {
		t.Errorf("imported again: got %q, want %q", got, want)
	}
	w.issued(item(0), item(3, `"status":"INVALID"`))
	if got, want := statuses(4), []string{"VALID", "INVALID", "VALID", "INVALID"}; !slices.Equal(got, want) {
		t.Errorf("another one imported as INVALID: got %q, want %q", got, want)
	}
}

// Concurrent imports of a transaction and its tickets wait for each other, even if neither exists yet.
func TestConcurrentImportsOfTicketsAndTheirCancellationWait(t *testing.T) {
	w := newFixture(t)
	const many = 25
	var group sync.WaitGroup
	for n := range many {
		canceled, partly := fmt.Sprint("c", n), fmt.Sprint("p", n)
		group.Go(func() {
			if _, err := w.imports(seller, small(canceled, "CANCELED"), small(partly, "COMPLETE", unitsOf(1, 3))); err != nil {
				t.Error(err)
			}
		})
		for k := range 3 {
			group.Go(func() {
				_, err := w.tickets.Import(w.key(seller), ticket.Import{Tickets: domaintest.Texts([]string{
					smallTicket(fmt.Sprint("p", n, "-", k), partly, `"cartItemId":"i1"`), smallTicket(fmt.Sprint("c", n, "-", k), canceled),
				})})
				if err != nil {
					t.Error(err)
				}
			})
		}
	}
	group.Wait()
	if got := w.Count("SELECT count(*) FROM tickets WHERE status = 'INVALID' AND transaction_id LIKE 'c%'"); got != 3*many {
		t.Errorf("%d tickets of canceled transactions are INVALID, want %d", got, 3*many)
	}
	if got := w.Count(`SELECT count(*) FROM (SELECT FROM tickets WHERE transaction_id LIKE 'p%' AND status = 'INVALID'
			GROUP BY transaction_id HAVING count(*) = 1) AS one`); got != many {
		t.Errorf("%d transactions have one INVALID ticket of three, want %d", got, many)
	}
}

// Fields that a ticket got from a cart item's meta change with it, as if the ticket were imported again.
func TestExtraFieldsFollowTheMetaOfTheCartItem(t *testing.T) {
	sold := func(meta string) string {
		return small("TX", "COMPLETE", `"tickets":[{"_id":"i1","amount":1,"price":5,"ticketTypeId":"x","meta":`+meta+`}]`)
	}
	w := newFixture(t)
	for name, row := range map[string]struct{ own, first, then, want string }{
		"changed":                     {``, `{"a":1}`, `{"a":2,"z":3}`, `{"a":2,"z":3}`},
		"gone":                        {``, `{"a":1,"b":2}`, `{"b":2}`, `{"b":2}`},
		"all gone":                    {``, `{"a":1}`, `{}`, ``},
		"added to its own":            {`{"o":1}`, `{"a":1}`, `{"a":2}`, `{"o":1,"a":2}`},
		"its own stays":               {`{"a":9}`, `{"a":1}`, `{"a":2}`, `{"a":9}`},
		"its own has the field later": {`{"a":9}`, `{"b":1}`, `{"a":2}`, `{"a":9}`},
	} {
		id := strings.ReplaceAll(name, " ", "-")
		item := smallTicket(id, id, `"cartItemId":"i1"`)
		if row.own != "" {
			item = domaintest.Merged(item, `"extraFields":`+row.own)
		}
		w.imported(seller, sale.ImportedTransactions{Created: 1}, strings.ReplaceAll(sold(row.first), "TX", id))
		w.issued(item)
		w.imported(seller, sale.ImportedTransactions{Updated: 1}, strings.ReplaceAll(sold(row.then), "TX", id))
		got := ""
		if extra := w.ticket(id).ExtraFields; extra != nil {
			got = string(extra.Append(nil))
		}
		if got != row.want {
			t.Errorf("%s: got %s, want %s", name, got, row.want)
		}
		w.happened()
		w.issued(item)
		w.wantEvents() // the ticket has the new fields already
	}
}

// Cancellations by import are audited, like status changes of checkouts and purchase intents.
func TestCancellationsByImportAreAudited(t *testing.T) {
	w := newFixture(t)
	w.imported(seller, sale.ImportedTransactions{Created: 1}, small("a", "COMPLETE", unitsOf(0, 2)))
	w.imported(seller, sale.ImportedTransactions{Updated: 1}, small("a", "COMPLETE", unitsOf(1, 2)))
	w.imported(seller, sale.ImportedTransactions{Updated: 1}, small("a", "COMPLETE", unitsOf(1, 2), `"name":"n"`))
	w.imported(seller, sale.ImportedTransactions{Updated: 1}, small("a", "CANCELED", unitsOf(1, 2), `"name":"n"`))
	found, err := w.SQL.QueryContext(t.Context(), `SELECT concat_ws(' ', actor_kind, action, object, object_id, before, after)
		FROM audit_entries ORDER BY id`)
	w.Must(err)
	defer func() { _ = found.Close() }()
	var got []string
	for found.Next() {
		var text string
		w.Must(found.Scan(&text))
		got = append(got, text)
	}
	w.Must(found.Err())
	want := []string{
		`API_KEY importTransactions transaction a {"canceledItems": 0} {"canceledItems": 1}`,
		`API_KEY importTransactions transaction a {"status": "COMPLETE"} {"status": "CANCELED"}`,
	}
	if !slices.Equal(got, want) {
		t.Errorf("got %q, want %q", got, want)
	}
}

// The platform has the same name in the audit log whether it calls with its token or acts on its own.
func TestPlatformHasOneAuditName(t *testing.T) {
	w := newFixture(t)
	for n, actor := range []domain.Actor{{Kind: domain.SystemActor}, {Kind: domain.SystemActor, ID: domain.SystemID}, dbtest.KeyOf(seller)} {
		ctx := domain.WithActor(t.Context(), &actor)
		for _, status := range []string{"COMPLETE", "CANCELED"} {
			_, err := w.transactions.Import(ctx, sale.TransactionImport{SellerID: seller, Transactions: domaintest.Texts([]string{small(fmt.Sprint(n), status)})})
			w.Must(err)
		}
	}
	list, err := w.Store.Audit().Entries(t.Context(), domain.NameReach{SellerID: seller}, audit.Filter{ActorID: "system"}, domain.Page{Limit: 10})
	w.Must(err)
	var got []string
	for _, entry := range list.Items {
		got = append(got, entry.ActorType+" "+entry.ActorID+" "+entry.ObjectID)
	}
	if want := []string{"SYSTEM system 0", "SYSTEM system 1"}; !slices.Equal(got, want) {
		t.Errorf("got %q, want %q", got, want)
	}
}
