package main

import (
	"bufio"
	"encoding/json"
	"io"
	"net/http"
	"strings"
	"testing"
	"time"

	"ticketgate/domain"
	"ticketgate/domain/webhook"
)

// subscribe opens the subscription of a webhook's deliveries as the dashboard does: with the session's cookie.
func (h *house) subscribe(t *testing.T, cookie, webhookID string, headers ...string) (*http.Response, *events) {
	t.Helper()
	body, err := json.Marshal(map[string]any{
		"query":     "subscription($webhookId: ID) { webhookDeliveriesChanged(webhookId: $webhookId) }",
		"variables": map[string]any{"webhookId": webhookID},
	})
	must(t, err)
	request, err := http.NewRequestWithContext(t.Context(), http.MethodPost, h.url+"/graphql", strings.NewReader(string(body)))
	must(t, err)
	request.Header.Set("Content-Type", "application/json")
	request.Header.Set("Accept", "text/event-stream")
	request.Header.Set("Cookie", cookie)
	for _, line := range headers {
		if name, value, given := strings.Cut(line, ": "); given {
			request.Header.Set(name, value)
		}
	}
	answer, err := http.DefaultClient.Do(request)
	must(t, err)
	t.Cleanup(func() { _ = answer.Body.Close() })
	return answer, eventsIn(answer.Body)
}

// events are what a subscription is answered with.
type events struct{ *bufio.Scanner }

func eventsIn(body io.Reader) *events { return &events{bufio.NewScanner(body)} }

// next is the data of the next event; it is empty when the stream has ended.
func (e *events) next() string {
	for e.Scan() {
		if data, found := strings.CutPrefix(e.Text(), "data: "); found {
			return data
		}
	}
	return ""
}

// mark is the mark of the next event; empty when the stream has ended.
func (e *events) mark(t *testing.T) string {
	t.Helper()
	data := e.next()
	if data == "" {
		return ""
	}
	return member(t, data, "data.webhookDeliveriesChanged")
}

// signInWithCookie returns the cookie that a browser would keep.
func (h *house) signInWithCookie(t *testing.T, seller seededSeller) string {
	t.Helper()
	body := `{"query":"mutation($i: LoginInput!) { login(input: $i) { user { _id } } }","variables":{"i":{"email":"` +
		seller.AdminEmail + `","password":"` + seller.AdminPassword + `","cookie":true}}}`
	request, err := http.NewRequestWithContext(t.Context(), http.MethodPost, h.url+"/graphql", strings.NewReader(body))
	must(t, err)
	request.Header.Set("Content-Type", "application/json")
	answer, err := http.DefaultClient.Do(request)
	must(t, err)
	must(t, answer.Body.Close())
	cookie, _, _ := strings.Cut(answer.Header.Get("Set-Cookie"), ";")
	if cookie == "" {
		t.Fatal("no cookie")
	}
	return cookie
}

func TestSubscriptions(t *testing.T) {
	t.Parallel()
	h := openHouse(t)
	seller := h.world.Sellers[0]
	hook := h.webhook(t, seller, "Watched")
	cookie := h.signInWithCookie(t, seller)

	t.Run("tell at once and then of each delivery and attempt, also of other processes", func(t *testing.T) {
		answer, marks := h.subscribe(t, cookie, hook.ID)
		if answer.StatusCode != http.StatusOK || answer.Header.Get("Content-Type") != "text/event-stream; charset=utf-8" ||
			answer.Header.Get("X-Accel-Buffering") != "no" || answer.Header.Get("Cache-Control") != "no-store" {
			t.Fatalf("%d %v", answer.StatusCode, answer.Header)
		}
		first := marks.mark(t)
		// Another process's store: nothing that this one knows of.
		another, err := openStore(h.program.Config, h.program.database.application, h.program.watch)
		must(t, err)
		t.Cleanup(func() { _ = another.Close() })
		h.publishScan(t, seller, "Watched")
		second := marks.mark(t)
		list, err := h.do.Deliveries.List(h.actingOn(t, seller), webhook.DeliveryFilter{WebhookID: hook.ID}, domain.Page{Limit: 1})
		must(t, err)
		status := http.StatusOK
		attempt := webhook.Attempt{Number: 1, StartedAt: domain.NewDateTime(time.Now()), Status: &status}
		_, err = another.Attempts().Record(t.Context(), []webhook.Made{{
			Of: list.Items[0], Attempt: attempt,
			Judge: func(d webhook.Delivery) webhook.Verdict { return webhook.RetrySchedule{}.Judge(d, attempt, 0) },
		}})
		must(t, err)
		third := marks.mark(t)
		if first == "" || second == "" || third == "" || first == second || second == third {
			t.Errorf("marks %q, %q and %q", first, second, third)
		}
	})
	t.Run("end when the user signs out, wherever that is", func(t *testing.T) {
		cookie := h.signInWithCookie(t, seller)
		_, marks := h.subscribe(t, cookie, hook.ID)
		if marks.mark(t) == "" {
			t.Fatal("no mark")
		}
		_, text := h.post(t, "/graphql", []byte(`{"query":"mutation { logout }"}`), "Cookie: "+cookie)
		if !strings.Contains(string(text), `"logout":true`) {
			t.Fatalf("%s", text)
		}
		for last := "a mark that was on its way"; last != ""; {
			last = marks.mark(t)
		}
	})
	t.Run("refuse who may not, as any other document does", func(t *testing.T) {
		for name, c := range map[string]struct {
			cookie, webhook, header string
			status                  int
			code                    domain.Code
		}{
			"nobody":                   {"", hook.ID, "", http.StatusOK, domain.CodeUnauthenticated},
			"an unknown webhook":       {cookie, "0123456789abcdef01234567", "", http.StatusOK, domain.CodeNotFound},
			"a page of another origin": {cookie, hook.ID, "Sec-Fetch-Site: cross-site", http.StatusForbidden, domain.CodeCrossOrigin},
			"who does not take events": {cookie, hook.ID, "Accept: application/json", http.StatusBadRequest, domain.CodeInvalidRequest},
		} {
			answer, marks := h.subscribe(t, c.cookie, c.webhook, c.header)
			marks.Scan()
			if answer.StatusCode != c.status || !strings.Contains(marks.Text(), `"code":"`+string(c.code)+`"`) {
				t.Errorf("%s: %d %s", name, answer.StatusCode, marks.Text())
			}
		}
	})
	t.Run("do not keep the server from stopping", func(t *testing.T) {
		_, marks := h.subscribe(t, cookie, hook.ID)
		if marks.mark(t) == "" {
			t.Fatal("no mark")
		}
		must(t, h.program.Close()) // an error would say that requests were cut off
		if marks.mark(t) != "" || marks.Text() != "" {
			t.Errorf("after the end: %q", marks.Text())
		}
	})
}
