package apis

import (
	"encoding/json"
	"net/http"
	"strings"
	"testing"
	"time"

	"ticketgate/cmd/systemtest"
	"ticketgate/cmd/systemtest/apitest"
	"ticketgate/cmd/ticketgate/demo"
	"ticketgate/cmd/ticketgate/program"
	"ticketgate/domain"
	"ticketgate/domain/moment"
	"ticketgate/domain/webhook"
)

// subscribe opens the subscription of a webhook's deliveries as the dashboard does, with the session's cookie.
func subscribe(t *testing.T, h *apitest.Server, cookie, webhookID string, headers ...string) (*http.Response, *apitest.Events) {
	t.Helper()
	body, err := json.Marshal(map[string]any{
		"query":     "subscription($webhookId: ID) { webhookDeliveriesChanged(webhookId: $webhookId) }",
		"variables": map[string]any{"webhookId": webhookID},
	})
	systemtest.Must(t, err)
	request, err := http.NewRequestWithContext(t.Context(), http.MethodPost, h.URL+"/graphql", strings.NewReader(string(body)))
	systemtest.Must(t, err)
	request.Header.Set("Content-Type", "application/json")
	request.Header.Set("Accept", "text/event-stream")
	request.Header.Set("Cookie", cookie)
	for _, line := range headers {
		if name, value, given := strings.Cut(line, ": "); given {
			request.Header.Set(name, value)
		}
	}
	answer, err := http.DefaultClient.Do(request)
	systemtest.Must(t, err)
	t.Cleanup(func() { _ = answer.Body.Close() })
	return answer, apitest.EventsIn(answer.Body)
}

// signInWithCookie returns the session cookie.
func signInWithCookie(t *testing.T, h *apitest.Server, seller demo.Seller) string {
	t.Helper()
	body := `{"query":"mutation($i: LoginInput!) { login(input: $i) { user { _id } } }","variables":{"i":{"email":"` +
		seller.AdminEmail + `","password":"` + seller.AdminPassword + `","cookie":true}}}`
	request, err := http.NewRequestWithContext(t.Context(), http.MethodPost, h.URL+"/graphql", strings.NewReader(body))
	systemtest.Must(t, err)
	request.Header.Set("Content-Type", "application/json")
	answer, err := http.DefaultClient.Do(request)
	systemtest.Must(t, err)
	systemtest.Must(t, answer.Body.Close())
	cookie, _, _ := strings.Cut(answer.Header.Get("Set-Cookie"), ";")
	if cookie == "" {
		t.Fatal("no cookie")
	}
	return cookie
}

func TestSubscriptions(t *testing.T) {
	t.Parallel()
	h := apitest.Open(t)
	seller := h.Demo.Sellers[0]
	hook := h.Webhook(t, seller, "Watched")
	cookie := signInWithCookie(t, h, seller)

	t.Run("send a mark at once and for each delivery and attempt, also of other processes", func(t *testing.T) {
		answer, marks := subscribe(t, h, cookie, hook.ID)
		if answer.StatusCode != http.StatusOK || answer.Header.Get("Content-Type") != "text/event-stream; charset=utf-8" ||
			answer.Header.Get("X-Accel-Buffering") != "no" || answer.Header.Get("Cache-Control") != "no-store" {
			t.Fatalf("%d %v", answer.StatusCode, answer.Header)
		}
		first := marks.Mark(t)
		// The store of another process, which this one doesn't know.
		another, err := program.OpenStore(h.Program.Config, h.Database, h.Program.Instrumentation())
		systemtest.Must(t, err)
		t.Cleanup(func() { _ = another.Close() })
		h.PublishScan(t, seller, "Watched")
		second := marks.Mark(t)
		list, err := h.Do.Deliveries.List(h.ActingOn(t, seller), webhook.DeliveryFilter{WebhookID: hook.ID}, domain.Page{Limit: 1})
		systemtest.Must(t, err)
		status := http.StatusOK
		attempt := webhook.Attempt{Number: 1, StartedAt: moment.New(time.Now()), Status: &status}
		_, err = another.Attempts().Record(t.Context(), []webhook.EndedAttempt{{
			Delivery: list.Items[0], Attempt: attempt,
			Judge: func(d webhook.Delivery) webhook.Verdict { return webhook.RetrySchedule{}.Judge(d, attempt, 0) },
		}})
		systemtest.Must(t, err)
		third := marks.Mark(t)
		if first == "" || second == "" || third == "" || first == second || second == third {
			t.Errorf("marks %q, %q and %q", first, second, third)
		}
	})
	t.Run("end when the user signs out on any process", func(t *testing.T) {
		cookie := signInWithCookie(t, h, seller)
		_, marks := subscribe(t, h, cookie, hook.ID)
		if marks.Mark(t) == "" {
			t.Fatal("no mark")
		}
		_, text := h.Post(t, "/graphql", []byte(`{"query":"mutation { logout }"}`), "Cookie: "+cookie)
		if !strings.Contains(string(text), `"logout":true`) {
			t.Fatalf("%s", text)
		}
		for last := "a mark that was on its way"; last != ""; {
			last = marks.Mark(t)
		}
	})
	t.Run("refuse callers as any other document does", func(t *testing.T) {
		for name, c := range map[string]struct {
			cookie, webhook, header string
			status                  int
			code                    domain.Code
		}{
			"no credential":                       {"", hook.ID, "", http.StatusOK, domain.CodeUnauthenticated},
			"an unknown webhook":                  {cookie, "0123456789abcdef01234567", "", http.StatusOK, domain.CodeNotFound},
			"a cross-origin page":                 {cookie, hook.ID, "Sec-Fetch-Site: cross-site", http.StatusForbidden, domain.CodeCrossOrigin},
			"a client that doesn't accept events": {cookie, hook.ID, "Accept: application/json", http.StatusBadRequest, domain.CodeInvalidRequest},
		} {
			answer, marks := subscribe(t, h, c.cookie, c.webhook, c.header)
			marks.Scan()
			if answer.StatusCode != c.status || !strings.Contains(marks.Text(), `"code":"`+string(c.code)+`"`) {
				t.Errorf("%s: %d %s", name, answer.StatusCode, marks.Text())
			}
		}
	})
	t.Run("do not keep the server from stopping", func(t *testing.T) {
		_, marks := subscribe(t, h, cookie, hook.ID)
		if marks.Mark(t) == "" {
			t.Fatal("no mark")
		}
		systemtest.Must(t, h.Program.Close()) // an error would mean that requests were cut off
		if marks.Mark(t) != "" || marks.Text() != "" {
			t.Errorf("after the end: %q", marks.Text())
		}
	})
}
