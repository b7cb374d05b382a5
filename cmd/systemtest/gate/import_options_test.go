package gate

import (
	"maps"
	"net/http"
	"strings"
	"testing"

	"ticketgate/cmd/systemtest"
	"ticketgate/cmd/systemtest/apitest"
	"ticketgate/domain"
)

// stage sends a file over REST and returns the report.
func (i *importing) stage(t *testing.T, query, media, file string) object {
	t.Helper()
	got := i.Send(t, http.MethodPost, "/api/access-lists/"+i.list+"/entries/imports"+query, media, file,
		"Authorization: "+i.key["Authorization"])
	report, _ := systemtest.Decoded(t, []byte(got.Text)).(object)
	if got.Status != http.StatusCreated {
		t.Fatalf("%s: %+v", query, got)
	}
	return report
}

// The options of an import of entries have the same effect in REST and GraphQL (IMPORT-1).
func TestOptionsOfAnEntryImport(t *testing.T) {
	t.Parallel()
	i := newImporting(t)
	const file = "externalCode\n1.23E+11\n A1\nB2\n"
	rows := []object{{"externalCode": "1.23E+11"}, {"externalCode": " A1"}, {"externalCode": "B2"}}
	for _, row := range []struct {
		query   string
		options object
		says    []string
	}{
		{"", nil, []string{`"bad":2`, `"new":1`, `"trimmed":0`, `"trimCodes":false`, `"keepSuspicious":false`}},
		{"?trimCodes=true", object{"trimCodes": true}, []string{`"bad":1`, `"new":2`, `"trimmed":1`, `"trimCodes":true`}},
		{"?keepSuspicious=true", object{"keepSuspicious": true}, []string{`"bad":0`, `"new":3`, `"trimmed":0`, `"keepSuspicious":true`}},
		{
			"?trimCodes=false&keepSuspicious=false",
			object{"trimCodes": false, "keepSuspicious": false},
			[]string{`"bad":2`, `"trimCodes":false`, `"keepSuspicious":false`},
		},
	} {
		input := object{"listId": i.list, "rows": rows}
		maps.Copy(input, row.options)
		says(t, i.stage(t, row.query, "text/csv", file), row.says...)
		says(t, i.does(t, domain.PreviewEntryImport, object{"input": input}), row.says...)
	}
	i.refuses(t, i.key, domain.PreviewEntryImport, object{"input": object{
		"listId": i.list, "rows": rows, "trimCodes": true, "keepSuspicious": true,
	}}, domain.CodeValidationFailed, "trimCodes")
	for query, path := range map[string]string{"?trimCodes=true&keepSuspicious=true": "trimCodes", "?trimCodes=yes": "trimCodes"} {
		got := i.Send(t, http.MethodPost, "/api/access-lists/"+i.list+"/entries/imports"+query, "text/csv", file,
			"Authorization: "+i.key["Authorization"])
		if got.Status != http.StatusBadRequest || !strings.Contains(got.Text, `"path":"`+path+`"`) {
			t.Errorf("%s: %+v", query, got)
		}
	}
	trimmed := i.stage(t, "?trimCodes=true", "text/csv", file)
	i.rest.Post("/api/access-lists/"+i.list+"/entries/imports/"+trimmed["_id"].(string)+"/commit", object{"skipBad": true}).Want(http.StatusOK)
	i.holds(t, "A1, B2")
	kept := i.stage(t, "?keepSuspicious=true", "text/csv", file)
	i.rest.Post("/api/access-lists/"+i.list+"/entries/imports/"+kept["_id"].(string)+"/commit", object{}).Want(http.StatusOK)
	if n := i.Count(t, "SELECT count(*) FROM access_entries WHERE list_id = $1 AND external_code IN ('1.23E+11', ' A1')", i.list); n != 2 {
		t.Errorf("%d codes were kept as they are, want 2", n)
	}
}

// A row that is older than the entry changes nothing, whatever the options of the commit (IMPORT-4).
func TestStaleRowsOfAnEntryImport(t *testing.T) {
	t.Parallel()
	i := newImporting(t)
	i.rest.Post("/api/access-lists/"+i.list+"/entries", object{"externalCode": "A1", "email": "a@x.example"}).Want(http.StatusCreated)
	row := func(at string) string { return `{"externalCode":"A1","email":"b@x.example","updatedAt":"` + at + `"}` }
	staged := i.stage(t, "", "application/x-ndjson", row("2026-01-01T00:00:00Z"))
	says(t, staged, `"stale":1`, `"conflict":0`, `"rows":1`)
	done := i.rest.Post("/api/access-lists/"+i.list+"/entries/imports/"+staged["_id"].(string)+"/commit", object{"onConflict": "update"})
	done.Want(http.StatusOK)
	i.holds(t, "A1  a@x.example")
	says(t, i.stage(t, "", "application/x-ndjson", row("2126-01-01T00:00:00Z")), `"stale":0`, `"conflict":1`)
}

// The options and outcomes of an import of tickets (IMPORT-1, IMPORT-4, IMPORT-6).
func TestOutcomesOfATicketImport(t *testing.T) {
	t.Parallel()
	h := apitest.Open(t)
	seller := h.Demo.Sellers[0]
	full, weak := apitest.Bearer(seller.APIKey), h.KeyWith(t, seller, "tickets:create")
	handed := func(id, code string, more object) object {
		created := object{
			"_id": id, "sellerId": seller.SellerID, "eventId": "e1", "ticketTypeId": "tt", "ticketName": "Day", "status": "VALID",
			"secret": "s", "barcode": code,
		}
		maps.Copy(created, more)
		return created
	}
	old, recent := object{"updatedAt": "2026-11-10T00:00:00Z", "status": "INVALID"}, object{"updatedAt": "2026-11-20T00:00:00Z"}
	for _, row := range []struct {
		name    string
		who     apitest.Caller
		options object
		tickets []object
		says    string
	}{
		{"new", full, nil, []object{handed("T1", "B1", recent)}, `{"created":1,"notes":[],"refused":[],"stale":0,"trimmed":0,"unchanged":0,"updated":0}`},
		{"stale", full, nil, []object{handed("T1", "B1", old)}, `"stale":1,"trimmed":0,"unchanged":0,"updated":0}`},
		{
			"refused", weak, nil,
			[]object{handed("T2", "B2", nil), handed("T1", "B1", object{"status": "INVALID"})},
			`{"created":1,"notes":[],"refused":[{"code":"FORBIDDEN","message":"This record already exists; changing it requires the permission ` +
				`\"tickets:update\"","path":"tickets[1]"}],"stale":0`,
		},
		{"blanks", full, nil, []object{handed("T3", " B3", nil)}, `VALIDATION_FAILED`},
		{"trimmed", full, object{"trimCodes": true}, []object{handed("T3", " B3", nil)}, `{"created":1,"notes":[],"refused":[],"stale":0,"trimmed":1`},
		{"kept", full, object{"keepSuspicious": true}, []object{handed("T4", "1.23E+11", nil), handed("T5", " B5", nil)}, `{"created":2,"notes":[],"refused":[],"stale":0,"trimmed":0`},
		{"read as text", full, nil, []object{handed("T6", `="007"`, nil)}, `{"created":1,"notes":[{"message":"is written =\"007\" and read as 007","path":"tickets[0].barcode"}]`},
		{"both options", full, object{"trimCodes": true, "keepSuspicious": true}, []object{handed("T7", "B7", nil)}, `"path":"trimCodes"`},
	} {
		input := object{"tickets": row.tickets}
		maps.Copy(input, row.options)
		o := h.ThroughGraphQL(t, row.who, apitest.To(domain.ImportTickets, object{"input": input}))
		text := string(o.Body)
		if o.Refusal.Code == "" {
			text = systemtest.Printed(t, o.Result)
		}
		if !strings.Contains(text, row.says) {
			t.Errorf("%s: got %s, want %s", row.name, text, row.says)
		}
	}
	for id, code := range map[string]string{"T1": "B1 VALID", "T3": "B3 VALID", "T4": "1.23E+11 VALID", "T5": " B5 VALID", "T6": "007 VALID"} {
		o := h.ThroughGraphQL(t, full, apitest.To(domain.GetTicket, object{"id": id}))
		ticket, _ := o.Result.(object)
		if got, _ := ticket["barcode"].(string); got+" "+ticket["status"].(string) != code {
			t.Errorf("%s: %v", id, o)
		}
	}
}

// The outcomes of an import of transactions (IMPORT-4, IMPORT-6).
func TestOutcomesOfATransactionImport(t *testing.T) {
	t.Parallel()
	h := apitest.Open(t)
	seller := h.Demo.Sellers[0]
	full, weak := apitest.Bearer(seller.APIKey), h.KeyWith(t, seller, "transactions:create")
	handed := func(id, at, lastname string) object {
		return object{
			"_id": id, "sellerId": seller.SellerID, "eventId": "e1", "realPrice": 10.5, "status": "COMPLETE", "secret": "s", "tid": id,
			"coupons": []any{}, "lastname": lastname, "updatedAt": at,
		}
	}
	const recent, old, next = "2026-11-20T00:00:00Z", "2026-11-10T00:00:00Z", "2026-11-21T00:00:00Z"
	for _, row := range []struct {
		name         string
		who          apitest.Caller
		transactions []object
		says         string
	}{
		{"new", full, []object{handed("X1", recent, "Ada")}, `{"created":1,"refused":[],"stale":0,"unchanged":0,"updated":0}`},
		{"stale", full, []object{handed("X1", old, "Bob"), handed("X2", old, "Bob")}, `{"created":1,"refused":[],"stale":1,"unchanged":0,"updated":0}`},
		{
			"refused", weak,
			[]object{handed("X1", next, "Eve"), handed("X3", next, "Eve")},
			`{"created":1,"refused":[{"code":"FORBIDDEN","message":"This record already exists; changing it requires the permission ` +
				`\"transactions:update\"","path":"transactions[0]"}],"stale":0,"unchanged":0,"updated":0}`,
		},
		{"unchanged", weak, []object{handed("X1", recent, "Ada")}, `{"created":0,"refused":[],"stale":0,"unchanged":1,"updated":0}`},
	} {
		o := h.ThroughGraphQL(t, row.who, apitest.To(domain.ImportTransactions, object{"input": object{"transactions": row.transactions}}))
		if got := systemtest.Printed(t, o.Result); got != row.says {
			t.Errorf("%s: got %s (%v), want %s", row.name, got, o, row.says)
		}
	}
	stored := h.ThroughGraphQL(t, full, apitest.To(domain.GetTransaction, object{"id": "X1"}))
	if transaction, _ := stored.Result.(object); transaction["lastname"] != "Ada" {
		t.Errorf("stored %v", stored)
	}
}
