//go:build full

package operations

import (
	"fmt"
	"net/http"
	"strings"
	"sync"
	"testing"

	"ticketgate/cmd/systemtest"
	"ticketgate/cmd/ticketgate/demo"
)

func TestEightLargestBodiesAtOnce(t *testing.T) { tryLargeImports(t, 8) }

// importBody returns an import of 10,000 new tickets in just under 16 MiB.
func importBody(seller demo.Seller, n int) string {
	const tickets, size = 10_000, 16<<20 - 2000
	var body strings.Builder
	body.WriteString(`{"query":"mutation($input:ImportTicketsInput!){importTickets(input:$input){created}}","variables":{"input":{"tickets":[`)
	for i := range tickets {
		id := fmt.Sprintf("%08x%016x", n, i)
		ticket := fmt.Sprintf(`{"_id":%q,"sellerId":%q,"eventId":%q,"ticketTypeId":"6570c1229d3e4f0012ab0300","ticketName":"Parterre",`+
			`"status":"VALID","secret":"s%s","barcode":"b%s",`+
			`"transactionId":"6570c1a29d3e4f0012ab34cd","cartItemId":%q,`+
			`"currency":"EUR","realPrice":48.5,"type":"SINGLE","email":"zoe@example.org",`+
			`"firstname":"Zoë","lastname":"Martin","extraFields":{"note":"`,
			id, seller.SellerID, seller.EventID, id, id, id)
		body.WriteString(ticket)
		body.WriteString(strings.Repeat("x", max(0, size/tickets-len(ticket)-5)))
		body.WriteString(`"}}`)
		if i < tickets-1 {
			body.WriteString(",")
		}
	}
	body.WriteString("]}}}")
	return body.String()
}

// tryLargeImports sends imports of two sellers at once. All of them succeed: two are read at a time, and the others wait.
func tryLargeImports(t *testing.T, count int) {
	t.Helper()
	database, data := systemtest.Seeded(t)
	settings := systemtest.OnDatabase(database, "GOGC=100", "TICKETGATE_MEMORY_LIMIT=320MiB")
	s := systemtest.Serve(t, settings, "--no-workers")
	sellers := data.Sellers[:2]
	var sending sync.WaitGroup
	for n := range count {
		sending.Go(func() {
			seller := sellers[n%len(sellers)]
			status, answer, err := systemtest.TryRequest(t.Context(), http.DefaultClient, http.MethodPost, s.URL+"/graphql", importBody(seller, n),
				"Authorization: Bearer "+seller.APIKey)
			if err != nil || status != http.StatusOK || !strings.Contains(answer, `"created":10000`) {
				t.Errorf("import %d: %d %.300s, %v", n, status, answer, err)
			}
		})
	}
	sending.Wait()
	if peak := s.PeakMemory(t); peak > 400*1000/1024 {
		t.Errorf("%d imports of 16 MiB took %d MiB", count, peak)
	} else {
		t.Logf("%d imports of 16 MiB: %d MiB", count, peak)
	}
}
