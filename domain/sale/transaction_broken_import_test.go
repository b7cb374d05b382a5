package sale_test

import (
	"encoding/json"
	"math/rand/v2"
	"strings"
	"testing"

	"ticketgate/domain"
	"ticketgate/domain/domaintest"
	"ticketgate/domain/ecmajson"
	"ticketgate/domain/sale"
)

// TestImportNamesInvalidField imports every twentieth possible broken transaction together with a valid one.
// Neither is stored, and the only detail has the path.
func TestImportNamesInvalidField(t *testing.T) {
	w := newFixture(t)
	own := domaintest.JSON(`"` + string(seller) + `"`)
	tried := 0
	for i, broken := range domaintest.Breaks(sale.TransactionDefinition) {
		if i%20 != 0 || broken.Path == "sellerId" { // checked by another rule
			continue
		}
		tried++
		_, err := w.transactions.Import(w.key(seller), sale.TransactionImport{Transactions: []ecmajson.Value{
			domaintest.JSON(small("right", "COMPLETE")), sale.TransactionDefinition.With(broken.Document, "sellerId", own),
		}})
		fields := domain.AsError(err).Fields
		if len(fields) != 1 || fields[0].Path != "transactions[1]."+broken.Path || fields[0].Message == "" {
			t.Errorf("%s at %s: got %.300v", broken.Fault, broken.Path, fields)
		}
	}
	if stored := w.Count("SELECT count(*) FROM transactions"); tried < 60 || stored != 0 {
		t.Errorf("tried %d faults, stored %d transactions", tried, stored)
	}
}

// The tid is indexed, and the index limits its size. Without a check, the database would reject the whole import without
// saying which transaction is wrong.
func TestAnImportReportsATooLongTID(t *testing.T) {
	w := newFixture(t)
	random := strings.Builder{}
	for range 2500 {
		random.WriteByte(byte('!' + rand.IntN('~'-'"')))
	}
	long, err := json.Marshal(random.String())
	w.Must(err)
	_, err = w.imports(seller, small("a", "NEW"), small("b", "NEW", `"tid":`+string(long)), small("c", "NEW"))
	if got := domaintest.Paths(err); got != "transactions[1].tid" {
		t.Errorf("got the paths %q: %v", got, err)
	}
	longest := strings.Repeat("𝄞", 255) // four bytes each
	w.imported(seller, sale.ImportedTransactions{Created: 1}, small("b", "NEW", `"tid":"`+longest+`"`))
	if got := w.ids(sale.TransactionFilter{TID: longest}); len(got) != 1 {
		t.Errorf("the longest tid finds %q", got)
	}
}
