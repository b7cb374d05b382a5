package sale_test

import (
	"reflect"
	"testing"

	"ticketgate/domain"
	"ticketgate/domain/domaintest"
	"ticketgate/domain/ecmajson"
	"ticketgate/domain/sale"
)

// IMPORT-4.
func TestAnOlderTransactionChangesNothing(t *testing.T) {
	w := newWorld(t)
	w.imported(seller, sale.ImportedTransactions{Created: 1}, small("a", "COMPLETE", `"updatedAt":"2026-11-20T00:00:00Z"`))
	// Not even a move that the status would not allow is looked at.
	w.imported(seller, sale.ImportedTransactions{Stale: 1}, small("a", "NEW", `"updatedAt":"2026-11-10T00:00:00Z"`))
	w.imported(seller, sale.ImportedTransactions{Updated: 1}, small("a", "COMPLETE", `"updatedAt":"2026-11-20T00:00:00Z"`, `"company":"A"`))
	w.imported(seller, sale.ImportedTransactions{Updated: 1}, small("a", "COMPLETE", `"company":"B"`))
	if _, err := w.imports(seller, small("b", "NEW"), small("b", "NEW")); !domain.HasCode(err, domain.CodeValidationFailed) {
		t.Errorf("the same _id twice: %v", err)
	}
}

// IMPORT-6.
func TestAKeyThatMayOnlyCreateTransactionsChangesNone(t *testing.T) {
	w := newWorld(t)
	w.imported(seller, sale.ImportedTransactions{Created: 2}, small("a", "COMPLETE"), small("b", "COMPLETE"))
	actor := keyOf(seller, "transactions:create")
	got, err := w.transactions.Import(domain.WithActor(t.Context(), &actor), sale.TransactionImport{Transactions: []ecmajson.Value{
		domaintest.JSON(small("a", "COMPLETE")), domaintest.JSON(small("b", "NEW")), domaintest.JSON(small("c", "COMPLETE")),
	}})
	w.must(err)
	want := sale.ImportedTransactions{Created: 1, Unchanged: 1, Refused: []domain.RefusedRow{{
		Path: "transactions[1]", Code: "FORBIDDEN",
		Message: `This record exists; to change it the key needs the permission "transactions:update"`,
	}}}
	if !reflect.DeepEqual(got, want) {
		t.Errorf("imported %+v", got)
	}
}
