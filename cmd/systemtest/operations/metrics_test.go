package operations

import (
	"fmt"
	"net/http"
	"reflect"
	"strconv"
	"strings"
	"testing"

	"ticketgate/cmd/systemtest"
	"ticketgate/cmd/systemtest/apitest"
	"ticketgate/domain"
)

// watchedFromHere is the setting that enables metrics.
const watchedFromHere = "TICKETGATE_ADMIN_LISTEN=127.0.0.1:0"

// canary is sent wherever a caller's text might become a label.
const canary = "canary-7f3a"

// numbers scrapes the metrics, by name and labels.
func numbers(t *testing.T, h *apitest.Server) map[string]float64 {
	t.Helper()
	status, text := systemtest.Request(t, http.MethodGet, h.Program.AdminURL()+"/metrics", "")
	if status != http.StatusOK {
		t.Fatalf("scrape: %d %s", status, text)
	}
	if strings.Contains(text, canary) {
		t.Error("a label contains a caller's text")
	}
	found := map[string]float64{}
	for line := range strings.Lines(text) {
		line = strings.TrimSuffix(line, "\n")
		if at := strings.LastIndexByte(line, ' '); line[0] != '#' {
			value, err := strconv.ParseFloat(line[at+1:], 64)
			systemtest.Must(t, err)
			found[line[:at]] = value
		}
	}
	return found
}

// counted checks the values of metrics. A value of zero also matches a missing metric.
func counted(t *testing.T, h *apitest.Server, want map[string]float64) {
	t.Helper()
	numbers := numbers(t, h)
	for name, value := range want {
		if got, there := numbers[name]; got != value {
			t.Errorf("%s is %v (exists: %v), want %v", name, got, there, value)
		}
	}
}

func requestCount(method, route string, status int) string {
	return fmt.Sprintf(`http_server_request_duration_seconds_count{http_request_method=%q,http_response_status_code="%d",http_route=%q}`,
		method, status, route)
}

func operationCount(api string, operation domain.Operation, code string) string {
	return fmt.Sprintf(`ticketgate_operations_total{code=%q,door=%q,operation=%q}`, code, api, operation)
}

func TestRequestsAndOperationsAreCounted(t *testing.T) {
	t.Parallel()
	h := apitest.Open(t, watchedFromHere)
	asSeller := "Authorization: Bearer " + h.Demo.Sellers[0].APIKey
	for range 2 {
		systemtest.Request(t, http.MethodGet, h.URL+"/api/scan-groups/"+canary, "", asSeller)
	}
	systemtest.Request(t, http.MethodGet, h.URL+"/api/scan-groups", "", asSeller)
	systemtest.Request(t, http.MethodGet, h.URL+"/api/scan-groups?"+canary+"=1", "", asSeller)
	systemtest.Request(t, http.MethodGet, h.URL+"/"+canary, "", asSeller)
	systemtest.Request(t, strings.ToUpper(canary), h.URL+"/livez", "")
	systemtest.Request(t, http.MethodGet, h.URL+"/livez", "")
	for _, document := range []string{
		`{"query": "query ` + strings.ReplaceAll(canary, "-", "_") + ` { a: permissions permissions }"}`,
		`{"query": "{ scanGroup(id: \"` + canary + `\") { name } scanGroups { totalCount } }"}`,
		`{"query": "{ ` + strings.ReplaceAll(canary, "-", "_") + ` }"}`,
	} {
		systemtest.Request(t, http.MethodPost, h.URL+"/graphql", document, asSeller)
	}
	counted(t, h, map[string]float64{
		requestCount("GET", "/api/scan-groups/{id}", 404): 2,
		requestCount("GET", "/api/scan-groups", 200):      1,
		requestCount("GET", "/api/scan-groups", 400):      1,
		requestCount("GET", "none", 404):                  1,
		requestCount("_OTHER", "/livez", 405):             1,
		requestCount("GET", "/livez", 200):                1,
		requestCount("POST", "/graphql", 200):             2,
		requestCount("POST", "/graphql", 422):             1,
		"http_server_active_requests":                     0,

		operationCount("rest", domain.GetScanGroup, "NOT_FOUND"):           2,
		operationCount("rest", domain.ListScanGroups, "OK"):                1,
		operationCount("rest", domain.ListScanGroups, "VALIDATION_FAILED"): 1,
		operationCount("graphql", domain.ListPermissions, "OK"):            2,
		operationCount("graphql", domain.GetScanGroup, "NOT_FOUND"):        1,
		operationCount("graphql", domain.ListScanGroups, "OK"):             1,
		operationCount("graphql", "none", "INVALID_REQUEST"):               1,

		`ticketgate_graphql_field_duration_seconds_count{field="permissions"}`: 2,
		`ticketgate_graphql_field_duration_seconds_count{field="scanGroup"}`:   1,
		`db_client_connection_max{pool="requests"}`:                            8,
		`ticketgate_build_info{version="unknown"}`:                             1,
	})
	if numbers := numbers(t, h); numbers[`db_client_operation_duration_seconds_count{db_operation_name="SELECT",error_type="",pool="requests"}`] < 4 ||
		numbers[`db_client_connection_count{pool="requests",state="idle"}`] < 1 {
		t.Errorf("no statements, or no connections in %v", numbers)
	}
}

func attemptCount(outcome string) string {
	return fmt.Sprintf(`ticketgate_delivery_attempt_duration_seconds_count{of="webhook",outcome=%q}`, outcome)
}

func endedCount(state string) string {
	return fmt.Sprintf(`ticketgate_deliveries_ended_total{of="webhook",state=%q}`, state)
}

func TestDeliveriesAreCounted(t *testing.T) {
	t.Parallel()
	h := apitest.Open(t, watchedFromHere, apitest.DeliversToTests, "TICKETGATE_RETRY_SCHEDULE=0s,0s")
	counted(t, h, map[string]float64{endedCount("failed"): 0}) // an alert needs the zero before the first failure
	for _, status := range []int{http.StatusOK, http.StatusBadGateway} {
		url, _ := systemtest.NewListener(t, func(int) int { return status })
		body := fmt.Sprintf(`{"name": "W", "url": %q, "events": {"transaction.complete": true}}`, url)
		code, answer := systemtest.Request(t, http.MethodPost, h.URL+"/api/webhooks", body, "Authorization: Bearer "+h.Demo.Sellers[0].APIKey)
		if code != http.StatusCreated {
			t.Fatalf("create webhook: %d %s", code, answer)
		}
	}
	systemtest.Publish(t, h.URL, h.Demo.Sellers[0])
	systemtest.Eventually(t, "both deliveries have ended", func() bool {
		numbers := numbers(t, h)
		return numbers[endedCount("failed")] == 1 && numbers[endedCount("delivered")] == 1
	})
	const jobs = `ticketgate_job_duration_seconds_count{kind="deliver_webhook",outcome="done",queue=%q}`
	systemtest.Eventually(t, "the jobs are done", func() bool {
		numbers := numbers(t, h)
		return numbers[fmt.Sprintf(jobs, "webhook_first")] == 2 && numbers[fmt.Sprintf(jobs, "webhook_retry")] == 2
	})
	counted(t, h, map[string]float64{
		attemptCount("delivered"): 1, attemptCount("status_5xx"): 3,
		endedCount("canceled"): 0, endedCount("failed"): 1, endedCount("delivered"): 1,
		operationCount("graphql", domain.PublishEvent, "OK"): 1,
		`db_client_connection_max{pool="jobs"}`:              6,
		`db_client_connection_max{pool="attempts"}`:          2,
	})
	numbers := numbers(t, h)
	for _, name := range []string{
		`db_client_operation_duration_seconds_count{db_operation_name="WITH",error_type="",pool="attempts"}`,
		`db_client_connection_count{pool="attempts",state="idle"}`,
	} {
		if numbers[name] < 1 {
			t.Errorf("%s is %v", name, numbers[name])
		}
	}
	if _, there := numbers[`db_client_connection_count{pool="upkeep",state="used"}`]; !there {
		t.Error("no metrics of the owner's connections")
	}
}

func TestTheBacklogIsMeasured(t *testing.T) {
	t.Parallel()
	h := apitest.Open(t, watchedFromHere, apitest.DeliversToTests)
	hang := make(chan struct{})
	url, calls := systemtest.NewListener(t, func(int) int {
		<-hang
		return http.StatusOK
	})
	t.Cleanup(func() { close(hang) })
	body := fmt.Sprintf(`{"name": "W", "url": %q, "events": {"transaction.complete": true}}`, url)
	systemtest.Request(t, http.MethodPost, h.URL+"/api/webhooks", body, "Authorization: Bearer "+h.Demo.Sellers[0].APIKey)
	systemtest.Publish(t, h.URL, h.Demo.Sellers[0])
	<-calls
	numbers := numbers(t, h)
	for name, want := range map[string]float64{
		"ticketgate_deliveries_due": 1, "ticketgate_deliveries_set_aside": 0,
		`ticketgate_jobs{queue="webhook_first",state="running"}`: 1, `ticketgate_jobs{queue="webhook_retry",state="running"}`: 0,
	} {
		if got, there := numbers[name]; got != want || !there {
			t.Errorf("%s is %v (exists: %v), want %v", name, got, there, want)
		}
	}
	if age := numbers["ticketgate_deliveries_oldest_due_seconds"]; age <= 0 || age > 60 {
		t.Errorf("the oldest has been waiting for %v s", age)
	}
}

func TestScansAndImportsAreCounted(t *testing.T) {
	t.Parallel()
	h := apitest.Open(t, watchedFromHere)
	seller := h.Demo.Sellers[0]
	device, key := "Token: "+seller.DeviceToken, "Authorization: Bearer "+seller.APIKey
	const scan = `mutation($input: ScanTicketInput!) { scanTicket(input: $input) { access } }`
	for _, code := range []string{seller.Barcode, canary, canary} {
		h.Execute(t, apitest.DeviceOf(seller), scan, object{"input": object{"barcode": code, "eventId": seller.EventID}})
	}
	for code, times := range map[string]int{seller.ExternalCode: 2, canary: 1} {
		for range times {
			systemtest.Request(t, http.MethodGet, h.URL+"/api/access-lists/entries/"+code+"/ticket?eventId="+seller.EventID, "", device)
		}
	}
	imports := h.URL + "/api/access-lists/" + seller.AccessListID + "/entries/imports"
	_, made := systemtest.Request(t, http.MethodPost, imports, canary+"\n"+canary+"2\n"+seller.ExternalCode+"\n", key, "Content-Type: text/csv")
	at := imports + "/" + systemtest.Field(t, made, "_id")
	for range 2 { // the second time it is committed already
		systemtest.Request(t, http.MethodPost, at+"/commit", `{"onConflict": "skip"}`, key)
	}
	rows := func(change string) string { return fmt.Sprintf(`ticketgate_import_rows_total{change=%q}`, change) }
	counted(t, h, map[string]float64{
		operationCount("rest", domain.LookUpTicket, "OK"):           2,
		operationCount("rest", domain.LookUpTicket, "UNKNOWN_CODE"): 1,
		operationCount("graphql", domain.ScanTicket, "OK"):          3,

		`ticketgate_scans_total{offline="false",reason="none",result="approved"}`:         1,
		`ticketgate_scans_total{offline="false",reason="UNKNOWN_CODE",result="declined"}`: 2,

		rows("added"): 2, rows("changed"): 0, rows("removed"): 0, rows("undone"): 0,
	})
	systemtest.Request(t, http.MethodPost, at+"/undo", "", key)
	counted(t, h, map[string]float64{rows("added"): 2, rows("undone"): 2})
}

func TestMetricsAndTracesAreOffByDefault(t *testing.T) {
	t.Parallel()
	h := apitest.Open(t)
	inst := h.Program.Instrumentation()
	if h.Program.AdminURL() != "" || inst.Requests() != nil || inst.Documents() != nil || inst.Jobs() != nil ||
		inst.Statements("requests") != nil || inst.Calls() != nil || inst.Trace() != nil {
		t.Errorf("instrumentation is enabled: %+v", inst)
	}
	attempts, scans := h.Program.Store().Attempts(), h.Program.Store().Scans()
	isWrapped := func(given, created any) bool { return reflect.TypeOf(given) != reflect.TypeOf(created) }
	if isWrapped(attempts, inst.Metrics.Attempts(attempts)) || isWrapped(scans, inst.Metrics.Scans(scans)) {
		t.Error("wrapped without inst")
	}
	if status, _ := systemtest.Request(t, http.MethodGet, h.URL+"/metrics", ""); status != http.StatusNotFound {
		t.Errorf("/metrics of the API returned %d", status)
	}
}

func TestAdminListenerIsLocal(t *testing.T) {
	t.Parallel()
	h := apitest.Open(t, watchedFromHere)
	at := h.Program.AdminURL()
	port := at[strings.LastIndexByte(at, ':'):]
	for _, row := range []struct {
		host, origin string
		method, path string
		status       int
	}{
		{"127.0.0.1" + port, "", http.MethodGet, "/metrics", http.StatusOK},
		{"localhost" + port, "", http.MethodGet, "/debug/pprof/cmdline", http.StatusOK},
		{"[::1]" + port, "", http.MethodGet, "/metrics", http.StatusOK},
		{"localhost", "", http.MethodGet, "/metrics", http.StatusOK},
		{"evil.example" + port, "", http.MethodGet, "/metrics", http.StatusForbidden},
		{"127.0.0.1.evil.example", "", http.MethodGet, "/metrics", http.StatusForbidden},
		{"localhost" + port, "http://evil.example", http.MethodPost, "/metrics", http.StatusForbidden},
		{"localhost" + port, "", http.MethodGet, "/api/keys", http.StatusNotFound},
	} {
		r, err := http.NewRequestWithContext(t.Context(), row.method, at+row.path, http.NoBody)
		systemtest.Must(t, err)
		r.Host = row.host
		if row.origin != "" {
			r.Header.Set("Origin", row.origin)
		}
		answer, err := http.DefaultClient.Do(r)
		systemtest.Must(t, err)
		_ = answer.Body.Close()
		if answer.StatusCode != row.status {
			t.Errorf("%s %s for %s from %q: %d, want %d", row.method, row.path, row.host, row.origin, answer.StatusCode, row.status)
		}
	}
}
