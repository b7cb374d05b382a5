package sale_test

import (
	"strings"
	"testing"

	"ticketgate/db/dbtest"
	"ticketgate/domain"
	"ticketgate/domain/domaintest"
	"ticketgate/domain/ecmajson"
	"ticketgate/domain/intake"
	"ticketgate/domain/sale"
	"ticketgate/domain/ticket"
)

// IMPORT-4.
func TestOlderTransactionChangesNothing(t *testing.T) {
	w := newFixture(t)
	w.imported(seller, sale.ImportedTransactions{Created: 1}, small("a", "COMPLETE", `"updatedAt":"2026-11-20T00:00:00Z"`))
	// A disallowed status change is not even checked.
	w.imported(seller, sale.ImportedTransactions{Stale: 1}, small("a", "NEW", `"updatedAt":"2026-11-10T00:00:00Z"`))
	w.imported(seller, sale.ImportedTransactions{Updated: 1}, small("a", "COMPLETE", `"updatedAt":"2026-11-20T00:00:00Z"`, `"company":"A"`))
	w.imported(seller, sale.ImportedTransactions{Updated: 1}, small("a", "COMPLETE", `"company":"B"`))
	if _, err := w.imports(seller, small("b", "NEW"), small("b", "NEW")); !domain.HasCode(err, domain.CodeValidationFailed) {
		t.Errorf("the same _id twice: %v", err)
	}
}

// IMPORT-8.
func TestUpdatedAtOfASaleNeverMovesBack(t *testing.T) {
	w := newFixture(t)
	const future = `"updatedAt":"2037-01-01T00:00:00Z"`
	w.issued(smallTicket("t1", "a", `"updatedAt":"2038-01-01T00:00:00Z"`))
	w.imported(seller, sale.ImportedTransactions{Created: 1}, small("a", "COMPLETE", future))
	w.imported(seller, sale.ImportedTransactions{Unchanged: 1}, small("a", "COMPLETE"))
	w.imported(seller, sale.ImportedTransactions{Updated: 1}, small("a", "CANCELED"))
	w.imported(seller, sale.ImportedTransactions{Stale: 1}, small("a", "COMPLETE", future))
	if stored := w.document("a"); !strings.Contains(stored, `"updatedAt":"2037-01-01T00:00:00.001Z"`) {
		t.Errorf("stored %s", stored)
	}
	if changed := w.ticket("t1"); changed.Status != ticket.Invalid || changed.UpdatedAt.String() != "2038-01-01T00:00:00.001Z" {
		t.Errorf("the ticket is %s of %s", changed.Status, changed.UpdatedAt)
	}
}

// IMPORT-9.
func TestCreateOnlyKeyChangesNoTicketOfTransaction(t *testing.T) {
	w := newFixture(t)
	rows := []string{
		small("a", "CANCELED"), small("b", "COMPLETE"), small("c", "CANCELED"),
		small("d", "COMPLETE", `"cancellationInfo":{"cancellableItems":[{"cartItemId":"i","type":"ticket","price":1,"cancelledAt":"2026-11-01T00:00:00Z"}]}`),
	}
	w.issued(smallTicket("t1", "a"), smallTicket("t2", "b"), smallTicket("t4", "d", `"cartItemId":"i"`))
	imports := func(permissions ...domain.Permission) sale.ImportedTransactions {
		actor := dbtest.KeyOf(seller, permissions...)
		input := sale.TransactionImport{}
		for _, row := range rows {
			input.Transactions = append(input.Transactions, domaintest.JSON(row))
		}
		got, err := w.transactions.Import(domain.WithActor(t.Context(), &actor), input)
		w.Must(err)
		return got
	}
	const message = `This transaction changes existing tickets; this requires the permission "tickets:update"`
	want := sale.ImportedTransactions{Created: 2, Refused: []intake.RefusedRow{
		{Path: "transactions[0]", Code: "FORBIDDEN", Message: message}, {Path: "transactions[3]", Code: "FORBIDDEN", Message: message},
	}}
	domaintest.Equal(t, "imported", imports("transactions:create"), want)
	for _, id := range []string{"t1", "t2", "t4"} {
		if w.ticket(id).Status != ticket.Valid {
			t.Errorf("%s is %s", id, w.ticket(id).Status)
		}
	}
	domaintest.Equal(t, "imported with both permissions", imports("transactions:create", "tickets:update"),
		sale.ImportedTransactions{Created: 2, Unchanged: 2})
	if status, two := w.ticket("t1").Status, w.ticket("t4").Status; status != ticket.Invalid || two != ticket.Invalid {
		t.Errorf("with tickets:update they are %s and %s", status, two)
	}
	w.issued(smallTicket("t5", "e"))
	rows = []string{small("e", "CANCELED")}
	imports("transactions:create", "transactions:update")
	if got := w.ticket("t5").Status; got != ticket.Invalid {
		t.Errorf("with transactions:update it is %s", got)
	}
}

// IMPORT-6.
func TestCreateOnlyKeyChangesNoTransaction(t *testing.T) {
	w := newFixture(t)
	w.imported(seller, sale.ImportedTransactions{Created: 2}, small("a", "COMPLETE"), small("b", "COMPLETE"))
	actor := dbtest.KeyOf(seller, "transactions:create")
	got, err := w.transactions.Import(domain.WithActor(t.Context(), &actor), sale.TransactionImport{Transactions: []ecmajson.Value{
		domaintest.JSON(small("a", "COMPLETE")), domaintest.JSON(small("b", "NEW")), domaintest.JSON(small("c", "COMPLETE")),
	}})
	w.Must(err)
	want := sale.ImportedTransactions{Created: 1, Unchanged: 1, Refused: []intake.RefusedRow{{
		Path: "transactions[1]", Code: "FORBIDDEN",
		Message: `This record already exists; changing it requires the permission "transactions:update"`,
	}}}
	domaintest.Equal(t, "imported", got, want)
}
