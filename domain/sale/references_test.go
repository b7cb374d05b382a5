package sale_test

import (
	"encoding/json"
	"fmt"
	"testing"

	"ticketgate/domain"
	"ticketgate/domain/ids"
	"ticketgate/domain/sale"
)

// invoicesPart is a connection of invoices in GraphQL.
type invoicesPart struct {
	Nodes []struct {
		Number      int
		Transaction struct{ Tid string }
	}
	TotalCount int
	PageInfo   struct {
		HasNextPage bool
		EndCursor   string
	}
}

// asks sends a query and decodes its data.
func (w *fixture) asks(query string, into any) {
	w.T.Helper()
	status, text := w.post(query, "{}")
	var answer struct {
		Data   json.RawMessage
		Errors []any
	}
	w.Must(json.Unmarshal([]byte(text), &answer))
	if status != 200 || len(answer.Errors) > 0 {
		w.T.Fatalf("%s: %d %s", query, status, text)
	}
	w.Must(json.Unmarshal(answer.Data, into))
}

func TestTransactionsLeadToTheirInvoices(t *testing.T) {
	w := newFixture(t)
	w.threeInvoices()
	var found struct {
		Transactions struct {
			Nodes []struct{ Invoices invoicesPart }
		}
	}
	const query = `{ transactions { nodes { invoices(%s) { nodes { number transaction { tid } } totalCount pageInfo { hasNextPage endCursor } } } } }`
	w.asks(fmt.Sprintf(query, "first: 1"), &found)
	first, second := found.Transactions.Nodes[0].Invoices, found.Transactions.Nodes[1].Invoices
	if len(first.Nodes) != 1 || first.Nodes[0].Number != 1 || first.TotalCount != 2 || !first.PageInfo.HasNextPage ||
		first.Nodes[0].Transaction.Tid != "T-t1" {
		t.Errorf("the canceled transaction has %+v", first)
	}
	if len(second.Nodes) != 1 || second.Nodes[0].Number != 2 || second.TotalCount != 1 || second.PageInfo.HasNextPage {
		t.Errorf("the other transaction has %+v", second)
	}
	found.Transactions.Nodes = nil
	w.asks(fmt.Sprintf(query, fmt.Sprintf("after: %q", first.PageInfo.EndCursor)), &found)
	first = found.Transactions.Nodes[0].Invoices
	if len(first.Nodes) != 1 || first.Nodes[0].Number != 3 || first.TotalCount != 2 || first.PageInfo.HasNextPage {
		t.Errorf("after the first invoice: %+v", first)
	}
}

func TestPageTakesFewStatements(t *testing.T) {
	w := newFixture(t)
	const many = 60
	var transactions, tickets []string
	for n := range many {
		id := fmt.Sprintf("t%02d", n)
		transactions = append(transactions, small(id, "COMPLETE"))
		tickets = append(tickets, smallTicket("of "+id, id))
	}
	w.imported(seller, sale.ImportedTransactions{Created: many}, transactions...)
	w.issued(append(tickets, smallTicket("of none", "never imported"))...)
	for n := range many {
		w.issue(fmt.Sprintf("t%02d", n))
	}
	store, counter := w.throughCounter()
	w.Store, w.transactions.Store, w.tickets.Store = store, store.Transactions(), store.Tickets()
	var found struct {
		Transactions struct {
			Edges []struct {
				Node struct {
					Tid      string
					Invoices invoicesPart
				}
			}
		}
		Tickets struct {
			Nodes []struct {
				TransactionID string
				Transaction   *struct {
					ID string `json:"_id"`
				}
			}
		}
	}
	w.asks(`{ transactions(first: 100) { edges { node { tid invoices(first: 2) { nodes { number transaction { tid } } totalCount } } } }
		tickets(first: 100) { nodes { transactionId transaction { _id } } } }`, &found)
	if got := counter.Load(); got > many/2 {
		t.Errorf("got %d round trips for %d transactions and their tickets", got, many)
	}
	for n, edge := range found.Transactions.Edges {
		invoices := edge.Node.Invoices
		if len(invoices.Nodes) != 1 || invoices.Nodes[0].Number != n+1 || invoices.Nodes[0].Transaction.Tid != edge.Node.Tid || invoices.TotalCount != 1 {
			t.Errorf("%s has %+v", edge.Node.Tid, invoices)
		}
	}
	for _, one := range found.Tickets.Nodes {
		if there := one.TransactionID != "never imported"; there != (one.Transaction != nil) || (there && one.Transaction.ID != one.TransactionID) {
			t.Errorf("the ticket of %q has the transaction %v", one.TransactionID, one.Transaction)
		}
	}
	if len(found.Transactions.Edges) != many || len(found.Tickets.Nodes) != many+1 {
		t.Errorf("%d transactions, %d tickets", len(found.Transactions.Edges), len(found.Tickets.Nodes))
	}
}

func TestEdgesStayWithinSeller(t *testing.T) {
	w := newFixture(t)
	w.imported(seller, sale.ImportedTransactions{Created: 1}, small("x", "COMPLETE"))
	w.imported(other, sale.ImportedTransactions{Created: 2}, smallOf(other, "x", "CANCELED"), smallOf(other, "y", "NEW"))
	w.issue("x")
	invoices := sale.Invoices{Store: w.Store.Invoices(), Now: w.transactions.Now}
	for of, want := range map[ids.Seller]struct {
		status                 sale.TransactionStatus
		transactions, invoices int
	}{seller: {sale.TransactionComplete, 1, 1}, other: {sale.TransactionCanceled, 2, 0}} {
		found, err := w.transactions.ByID(w.key(of), []string{"x", "y"})
		if err != nil || len(found) != want.transactions || found["x"].SellerID != of || found["x"].Status != want.status {
			t.Errorf("%s finds %+v (%v)", of, found, err)
		}
		lists, err := invoices.OfTransactions(w.key(of), []string{"x", "y"}, sale.InvoiceFilter{}, domain.Page{Limit: 5})
		if err != nil || len(lists) != 2 || len(lists["x"].Items) != want.invoices || len(lists["y"].Items) != 0 {
			t.Errorf("%s finds the invoices %+v (%v)", of, lists, err)
		}
	}
}
