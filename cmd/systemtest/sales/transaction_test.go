package sales

import (
	"encoding/json"
	"fmt"
	"net/http"
	"strings"
	"testing"
	"time"

	"ticketgate/cmd/systemtest"
	"ticketgate/domain/document"
	"ticketgate/domain/domaintest"
	"ticketgate/domain/ecmajson"
	"ticketgate/domain/sale"
)

// A webhook gets a transaction with every field as it was imported, except that the totals of its fees are computed.
func TestWebhookCarriesWholeTransaction(t *testing.T) {
	t.Parallel()
	database, created := systemtest.Seeded(t)
	listener, calls := systemtest.NewListener(t, func(int) int { return http.StatusOK })
	running := systemtest.Serve(t, systemtest.OnDatabase(database))
	seller := systemtest.Subscribed(t, running.URL, listener, created.Sellers[0])

	in := domaintest.Document(sale.TransactionDefinition)
	in = sale.TransactionDefinition.With(in, "sellerId", ecmajson.NewString(string(seller.SellerID)))
	in = sale.TransactionDefinition.With(in, "status", ecmajson.NewString("COMPLETE"))
	out := sale.TransactionDefinition.Rewrite("", in, func(_ string, of *document.Definition, object ecmajson.Value) (ecmajson.Value, bool) {
		if of.Name == "FeeComponent" {
			return of.With(object, "total", domaintest.JSON("110.25")), true // -10.5 times -10.5
		}
		return object, false
	})
	const query = `mutation($input: ImportTransactionsInput!) { importTransactions(input: $input) { created unchanged } }`
	input := map[string]any{"input": map[string]any{
		"sellerId": seller.SellerID, "transactions": []any{json.RawMessage(in.Append(nil))},
	}}
	systemtest.GraphQL(t, running.URL, systemtest.SystemToken, query, input)
	call := systemtest.Await(t, calls, time.Minute)
	body := domaintest.JSON(call.Body)
	data, _ := body.Field("data")
	want := domaintest.JSON(fmt.Sprintf(`{"transaction":%s,"tickets":[]}`, out.Append(nil)))
	if !data.Equal(want) { // GraphQL variables have no order of fields
		t.Errorf("got  %s\nwant %s", data.Append(nil), want.Append(nil))
	}
	if again := systemtest.GraphQL(t, running.URL, systemtest.SystemToken, query, input); !strings.Contains(again, `{"created":0,"unchanged":1}`) {
		t.Errorf("repeated: %s", again)
	}
	if len(calls) > 0 {
		t.Errorf("it was delivered twice: %s", (<-calls).Body)
	}
}
