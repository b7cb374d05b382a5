package access_test

import (
	"encoding/json"
	"fmt"
	"io"
	"net/http"
	"net/http/httptest"
	"strings"
	"testing"
	"time"

	"ticketgate/domain"
	"ticketgate/domain/domaintest"
	"ticketgate/domain/webhook"
)

func TestLookUpSignsItsCallsToRemoteLists(t *testing.T) {
	w := newGateFixture(t)
	device := w.device(seller, nil)
	w.ticket(seller, "t1", "e1", `"customerId":"anna"`)
	type call struct {
		path, body, signature string
	}
	calls := make(chan call, 2)
	server := httptest.NewServer(http.HandlerFunc(func(answer http.ResponseWriter, r *http.Request) {
		body, _ := io.ReadAll(r.Body)
		calls <- call{r.URL.String(), string(body), r.Header.Get("x-service-signature")}
		fmt.Fprint(answer, `{"customerId":"anna","more":[1]}`)
	}))
	t.Cleanup(server.Close)
	list := w.remote(server.URL+"/codes?token=t", "secret")
	const code = `../A/%2F?#"<é>`
	w.gets(device, code, "e1", "t1")
	got := <-calls
	want := fmt.Sprintf(`{"externalCode":"../A/%%2F?#\"<é>","eventId":"e1","listId":%q,"sellerId":%q}`, list.ID, seller)
	if got.body != want || got.path != "/codes?token=t" {
		t.Errorf("called %s with %s, want %s", got.path, got.body, want)
	}
	if got.signature != webhook.Sign([]byte("secret"), []byte(got.body)) {
		t.Errorf("signature %q", got.signature)
	}

	w.entryOf(w.list("Static"), code, "bert")
	w.failsWith(device, code, "e1", domain.CodeNoTicketForEvent)
	if len(calls) != 0 {
		t.Error("a remote list was asked for a code of a static list")
	}
}

func TestLookUpUsesTheHolderFromARemoteList(t *testing.T) {
	w := newGateFixture(t)
	device := w.device(seller, nil)
	w.ticket(seller, "t1", "e1", `"customerId":"anna","email":"anna@example.org"`)
	w.ticket(seller, "t2", "e1", `"customerId":"bert","email":"bert@example.org"`)
	w.ticket(seller, "t3", "e2", `"customerId":"anna"`)
	w.ticket(seller, "t4", "e1", `"customerId":"emil","excludedEventIds":["e1"]`)
	w.ticket(other, "theirs", "e1", `"customerId":"carl","email":"carl@example.org"`)
	for name, row := range map[string]struct {
		status       int
		body, ticket string
		fails        domain.Code
	}{
		"by customer":                 {200, `{"customerId":"bert"}`, "t2", ""},
		"by email, case-insensitive":  {200, `{"email":"ANNA@example.org","customerId":null}`, "t1", ""},
		"by ticket":                   {200, `{"ticketId":"t2","customerId":"anna"}`, "t2", ""},
		"customer before email":       {200, `{"customerId":"anna","email":"bert@example.org"}`, "t1", ""},
		"an empty customer is none":   {200, `{"customerId":"","email":"bert@example.org"}`, "t2", ""},
		"a ticket of another event":   {200, `{"ticketId":"t3"}`, "", domain.CodeNoTicketForEvent},
		"a ticket that is blocked":    {200, `{"ticketId":"t4"}`, "", domain.CodeNoTicketForEvent},
		"another seller's ticket":     {200, `{"ticketId":"theirs"}`, "", domain.CodeNoTicketForEvent},
		"another seller's customer":   {200, `{"customerId":"carl"}`, "", domain.CodeNoTicketForEvent},
		"another seller's email":      {200, `{"email":"carl@example.org"}`, "", domain.CodeNoTicketForEvent},
		"an unknown ticket":           {200, `{"ticketId":"none"}`, "", domain.CodeNoTicketForEvent},
		"unknown code":                {404, `whatever`, "", domain.CodeUnknownCode},
		"no holder":                   {200, `{}`, "", domain.CodeListUnavailable},
		"an error with status 200":    {200, `{"error":"oops"}`, "", domain.CodeListUnavailable},
		"invalid JSON":                {200, `<html>`, "", domain.CodeListUnavailable},
		"an empty body":               {200, ``, "", domain.CodeListUnavailable},
		"an array":                    {200, `["bert"]`, "", domain.CodeListUnavailable},
		"two objects":                 {200, `{"customerId":"bert"}{}`, "", domain.CodeListUnavailable},
		"a repeated field":            {200, `{"customerId":"bert","customerId":"anna"}`, "", domain.CodeListUnavailable},
		"a number as customer":        {200, `{"customerId":7}`, "", domain.CodeListUnavailable},
		"a customer of 65 characters": {200, `{"customerId":"` + strings.Repeat("x", 65) + `"}`, "", domain.CodeListUnavailable},
		"an invalid email":            {200, `{"email":"bert"}`, "", domain.CodeListUnavailable},
		"NUL":                         {200, `{"ticketId":"\u0000"}`, "", domain.CodeListUnavailable},
		"more than 64 KiB":            {200, `{"customerId":"bert","x":"` + strings.Repeat("x", 64<<10) + `"}`, "", domain.CodeListUnavailable},
		"just under 64 KiB":           {200, `{"customerId":"bert","x":"` + strings.Repeat("x", 63<<10) + `"}`, "t2", ""},
		"201":                         {201, `{"customerId":"bert"}`, "", domain.CodeListUnavailable},
		"204":                         {204, ``, "", domain.CodeListUnavailable},
		"a redirect":                  {302, `{"customerId":"bert"}`, "", domain.CodeListUnavailable},
		"401":                         {401, `{"customerId":"bert"}`, "", domain.CodeListUnavailable},
		"410":                         {410, ``, "", domain.CodeListUnavailable},
		"500":                         {500, `{"customerId":"bert"}`, "", domain.CodeListUnavailable},
	} {
		t.Run(name, func(t *testing.T) {
			url, calls := answering(t, row.status, row.body)
			list := w.remote(url, "")
			defer func() { domaintest.Must(w.lists.Delete(w.As(seller), list.ID, nil))(t) }()
			found, err := w.lookups.LookUp(device, "A", "e1")
			if row.fails == "" && (err != nil || idOf(found) != row.ticket) {
				t.Errorf("got ticket %q and %v, want %q", idOf(found), err, row.ticket)
			}
			if row.fails != "" && !domain.HasCode(err, row.fails) {
				t.Errorf("got ticket %q and %v, want %s", idOf(found), err, row.fails)
			}
			if row.fails == domain.CodeListUnavailable && domain.AsError(err).RetryAfter != 2*time.Second {
				t.Errorf("Retry-After is %s", domain.AsError(err).RetryAfter)
			}
			if calls.Load() != 1 {
				t.Errorf("got %d calls, want 1", calls.Load())
			}
		})
	}
}

// A ticket that opens nothing must not win because its list answers first (ACCESS-4).
func TestLookUpWaitsForAValidTicketFromAnotherRemoteList(t *testing.T) {
	w := newGateFixture(t)
	device := w.device(seller, nil)
	w.ticket(seller, "newer", "e1", `"customerId":"anna","status":"INVALID","createdAt":"2026-02-01T00:00:00Z"`)
	w.ticket(seller, "older", "e1", `"customerId":"bert","status":"INVALID","createdAt":"2026-01-01T00:00:00Z"`)
	w.ticket(seller, "valid", "e1", `"customerId":"carl","createdAt":"2026-03-01T00:00:00Z"`)
	answers := make(chan string, 5)
	names := func(customer string, after int) { // after this number of other answers
		server := httptest.NewServer(http.HandlerFunc(func(w http.ResponseWriter, _ *http.Request) {
			for range after {
				<-answers
			}
			fmt.Fprintf(w, `{"customerId":%q}`, customer)
			answers <- customer
		}))
		t.Cleanup(server.Close)
		w.remote(server.URL, "")
	}
	failing, _ := answering(t, 500, "")
	w.remote(failing, "")
	names("anna", 0)
	w.gets(device, "A", "e1", "newer")
	names("bert", 0)
	w.gets(device, "A", "e1", "older")
	names("carl", 1+2+2)
	w.gets(device, "A", "e1", "valid")
}

func TestLookUpNeverFollowsARedirect(t *testing.T) {
	w := newGateFixture(t)
	target, calls := answering(t, 200, `{"customerId":"anna"}`)
	server := httptest.NewServer(http.RedirectHandler(target, http.StatusTemporaryRedirect))
	t.Cleanup(server.Close)
	w.ticket(seller, "t1", "e1", `"customerId":"anna"`)
	w.remote(server.URL, "secret")
	w.failsWith(w.device(seller, nil), "A", "e1", domain.CodeListUnavailable)
	if calls.Load() != 0 {
		t.Error("the redirect was followed")
	}
}

// Whatever ten listeners do at once, there is an answer within the total time, and it is never wrong (ACCESS-5).
func TestLookUpWithTenFailingRemoteLists(t *testing.T) {
	const budget = 3 * time.Second
	w := newGateFixture(t)
	device := w.device(seller, nil)
	w.ticket(seller, "t1", "e1", `"customerId":"anna"`)
	release := make(chan struct{})
	hangs := httptest.NewServer(http.HandlerFunc(func(_ http.ResponseWriter, r *http.Request) {
		_, _ = io.Copy(io.Discard, r.Body) // the server notices that the caller has left only after this
		select {
		case <-release:
		case <-r.Context().Done():
		}
	}))
	t.Cleanup(hangs.Close)
	t.Cleanup(func() { close(release) })
	gone := httptest.NewServer(http.NotFoundHandler())
	gone.Close()
	failing, _ := answering(t, 500, "")
	unknown, _ := answering(t, 404, "")
	for i := range 4 {
		w.remote(fmt.Sprintf("%s/%d", hangs.URL, i), "")
	}
	for range 2 {
		w.remote(gone.URL, "")
		w.remote(failing, "")
		w.remote(unknown, "")
	}
	started := time.Now()
	w.failsWith(device, "A", "e1", domain.CodeListUnavailable)
	// One after the other they would take four times the budget.
	if took := time.Since(started); took < budget || took > 3*budget {
		t.Errorf("took %s, want the total budget %s", took, budget)
	}

	// One list that knows the code is enough, and the others are not waited for.
	knows, _ := answering(t, 200, `{"customerId":"anna"}`)
	good := w.remote(knows, "")
	started = time.Now()
	w.gets(device, "A", "e1", "t1")
	if took := time.Since(started); took >= budget {
		t.Errorf("took %s after a list had answered", took)
	}
	domaintest.Must(w.lists.Delete(w.As(seller), good.ID, nil))(t)

	// If a list knows the code but its holder has no ticket, the 404 is certain.
	ticketless, _ := answering(t, 200, `{"customerId":"bert"}`)
	w.remote(ticketless, "")
	w.failsWith(device, "A", "e1", domain.CodeNoTicketForEvent)
}

func TestATrialOfACodeReturnsTheDevicesResult(t *testing.T) {
	w := newGateFixture(t)
	list, second := w.list("Cards"), w.list("More cards")
	w.ticket(seller, "t1", "e1", `"customerId":"anna","status":"INVALID"`)
	w.entryOf(list, "AbC-12", "anna")
	w.entryOf(second, "AbC-12", "bert")
	w.entryOf(second, "ÉTÉ[1]", "anna")
	w.entryOf(w.list("Long"), "AbC-123", "anna")
	caller := w.As(seller, "accessLists:list", "tickets:list")
	for _, row := range []struct {
		code, event, list         string
		verdict                   string
		entries, differing, found int
	}{
		{"AbC-12", "e1", "", "FOUND", 2, 0, 1},
		{"abc-12", "e1", "", "UNKNOWN_CODE", 0, 2, 0},
		{"abc-12", "e1", list.ID, "UNKNOWN_CODE", 0, 1, 0},
		{"été[1]", "e1", "", "UNKNOWN_CODE", 0, 1, 0},
		{"été11", "e1", "", "UNKNOWN_CODE", 0, 0, 0},
		{".bC-12", "e1", "", "UNKNOWN_CODE", 0, 0, 0},
		{"AbC-12", "e2", "", "NO_TICKET_FOR_EVENT", 2, 0, 0},
		{"AbC-12", "e1", second.ID, "NO_TICKET_FOR_EVENT", 1, 0, 0},
		{strings.Repeat("x", 256), "e1", "", "UNKNOWN_CODE", 0, 0, 0},
	} {
		var listID *string
		if row.list != "" {
			listID = &row.list
		}
		got := domaintest.Must(w.lookups.Test(caller, row.code, row.event, listID))(t)
		if string(got.Verdict) != row.verdict || len(got.Entries) != row.entries || len(got.DifferInCase) != row.differing ||
			(got.TicketID != nil) != (row.found == 1) {
			t.Errorf("%s at %s: got %+v", row.code, row.event, got)
		}
		if strings.Contains(got.Message, "differs only by case") != (row.differing > 0) {
			t.Errorf("%s: message %q", row.code, got.Message)
		}
	}
	if got := domaintest.Must(w.lookups.Test(caller, "AbC-12", "e1", nil))(t); *got.TicketID != "t1" || *got.TicketStatus != "INVALID" {
		t.Errorf("got ticket %s, %s", *got.TicketID, *got.TicketStatus)
	}
	lists := w.As(seller, "accessLists:list")
	if got := domaintest.Must(w.lookups.Test(lists, "AbC-12", "e1", nil))(t); got.Verdict != "FOUND" || got.TicketID != nil || got.TicketStatus != nil {
		t.Errorf("a key that may not list tickets got one: %+v", got)
	}
	if n := w.Count("SELECT count(*) FROM unknown_codes"); n != 0 {
		t.Errorf("the test calls recorded %d unknown codes", n)
	}

	failing, _ := answering(t, 500, "")
	w.remote(failing, "")
	if got := domaintest.Must(w.lookups.Test(caller, "nobody's", "e1", nil))(t); got.Verdict != "LIST_UNAVAILABLE" {
		t.Errorf("got %+v", got)
	}
	if got := domaintest.Must(w.lookups.Test(caller, "nobody's", "e1", &list.ID))(t); got.Verdict != "UNKNOWN_CODE" {
		t.Errorf("a remote list was asked for the code of another list: %+v", got)
	}
	_, err := w.lookups.Test(w.As(other), "AbC-12", "e1", &list.ID)
	refused(t, err, domain.CodeNotFound)
	_, err = w.lookups.Test(w.As(seller, "accessLists:update"), "AbC-12", "e1", nil)
	refused(t, err, domain.CodeMissingPermission)
	_, err = w.lookups.Test(caller, "AbC-12", "", nil)
	refused(t, err, domain.CodeValidationFailed, "eventId")
}

func TestKeyNeverReachesADevice(t *testing.T) {
	w := newGateFixture(t)
	w.ticket(seller, "t1", "e1", `"customerId":"anna"`)
	url, _ := answering(t, 200, `{"customerId":"anna"}`)
	w.remote(url+"?q=canary-query", "canary-key")
	device := w.device(seller, nil)
	text := string(domaintest.Must(json.Marshal(domaintest.Must(w.lookups.LookUp(device, "A", "e1"))(t)))(t))
	failing, _ := answering(t, 500, "canary-body")
	w.remote(failing, "canary-key")
	unavailable := w.failsWith(device, "B", "e7", domain.CodeNoTicketForEvent)
	if strings.Contains(text+fmt.Sprint(unavailable), "canary") {
		t.Errorf("leaked: %s, %v", text, unavailable)
	}
}
