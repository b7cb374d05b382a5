package graph_test

import (
	"bufio"
	"context"
	"io"
	"net/http"
	"net/http/httptest"
	"os"
	"strconv"
	"strings"
	"testing"
	"time"

	"ticketgate/domain"
)

// subscribe opens the shop's subscription as a caller.
func (s *server) subscribe(t *testing.T, caller string) *http.Response {
	t.Helper()
	response, err := s.Client().Do(s.subscription(t, caller, `subscription{ticks}`))
	if err != nil {
		t.Fatal(err)
	}
	t.Cleanup(func() { _ = response.Body.Close() })
	return response
}

// subscription returns the request that opens a subscription.
func (s *server) subscription(t *testing.T, caller, query string) *http.Request {
	t.Helper()
	request, err := http.NewRequestWithContext(t.Context(), http.MethodPost, s.URL, strings.NewReader(`{"query":"`+query+`"}`))
	if err != nil {
		t.Fatal(err)
	}
	request.Header.Set("Content-Type", "application/json")
	request.Header.Set("Accept", "text/event-stream")
	request.Header.Set("X-Caller", caller)
	return request
}

func TestSubscriptionStreamsEvents(t *testing.T) {
	s := serve(t, domain.UserActor)
	go func() {
		for _, tick := range []string{"1", "2", "fails"} {
			s.ticks <- tick
		}
		close(s.ticks)
	}()
	response := s.subscribe(t, "a")
	text, err := io.ReadAll(response.Body)
	const cost = `,"extensions":{"cost":{"requested":0,"limit":20000}}}`
	want := ""
	for _, tick := range []string{"0", "1", "2"} {
		want += "event: next\ndata: {\"data\":{\"ticks\":\"" + tick + "\"}" + cost + "\n\n"
	}
	want += `event: next
data: {"errors":[{"message":"no","path":["ticks",0],"extensions":{"code":"FORBIDDEN","count":3}}],"data":{"ticks":null}` + cost + "\n\n"
	want += "event: complete\ndata:\n\n"
	if err != nil || string(text) != want || response.StatusCode != http.StatusOK {
		t.Errorf("%d, %v: %s", response.StatusCode, err, text)
	}
}

func TestASubscriptionNeedsAClientThatReadsStreams(t *testing.T) {
	s := serve(t, domain.UserActor)
	for accept, want := range map[string]int{
		"TEXT/Event-Stream":                               http.StatusOK,
		"application/json, text/event-stream; q=0.1":      http.StatusOK,
		"text/event-stream;q=0, application/json":         http.StatusBadRequest,
		"application/json, text/event-streams, */*, text": http.StatusBadRequest,
	} {
		request := s.subscription(t, "a", `subscription{ticks}`)
		request.Header.Set("Accept", accept)
		response, err := s.Client().Do(request)
		if err != nil {
			t.Fatal(err)
		}
		if _ = response.Body.Close(); response.StatusCode != want {
			t.Errorf("%q: %d", accept, response.StatusCode)
		}
	}
}

func TestSubscriptionsOfACallerAreBounded(t *testing.T) {
	s := serve(t, domain.UserActor)
	var open []*http.Response
	more := func(caller string) int {
		t.Helper()
		response := s.subscribe(t, caller)
		open = append(open, response)
		return response.StatusCode
	}
	for i := range 20 {
		if status := more("a"); status != http.StatusOK {
			t.Fatalf("subscription %d: %d", i, status)
		}
	}
	if status := more("a"); status != http.StatusTooManyRequests || open[20].Header.Get("Retry-After") != "15" {
		t.Errorf("the 21st: %d, %v", status, open[20].Header)
	}
	if status := more("b"); status != http.StatusOK {
		t.Errorf("the first of another caller: %d", status)
	}

	t.Run("limits all callers of a seller together", func(t *testing.T) {
		for i := range 45 {
			request := s.subscription(t, strconv.Itoa(i%3), `subscription{ticks}`)
			request.Header.Set("X-Seller-Id", "loud")
			response, err := s.Client().Do(request)
			if err != nil {
				t.Fatal(err)
			}
			t.Cleanup(func() { _ = response.Body.Close() })
			if want := map[bool]int{true: http.StatusOK, false: http.StatusTooManyRequests}[i < 40]; response.StatusCode != want {
				t.Errorf("subscription %d of the seller: %d", i, response.StatusCode)
			}
		}
	})

	t.Run("ends all subscriptions with the server", func(t *testing.T) {
		s.endpoint.EndStreams()
		s.endpoint.EndStreams() // a second call has no effect
		for i, response := range open {
			if i == 20 {
				continue
			}
			lines := bufio.NewScanner(response.Body)
			for more := true; more; {
				more = lines.Scan() && lines.Text() != "event: complete"
			}
			if lines.Text() != "event: complete" {
				t.Errorf("subscription %d ends with %q, %v", i, lines.Text(), lines.Err())
			}
		}
	})
}

// unread is a response to a caller who reads nothing: writes block until their deadline.
type unread struct {
	*httptest.ResponseRecorder
	until time.Time
}

func (u *unread) SetReadDeadline(time.Time) error { return nil }

func (u *unread) SetWriteDeadline(at time.Time) error {
	u.until = at
	return nil
}

func (u *unread) Write([]byte) (int, error) { return 0, os.ErrDeadlineExceeded }

func TestAnUnreadSubscriptionEnds(t *testing.T) {
	s := serve(t, domain.UserActor)
	ctx, cancel := context.WithTimeout(t.Context(), time.Minute)
	defer cancel()
	body := strings.NewReader(`{"query":"subscription{ticks}"}`)
	request := httptest.NewRequestWithContext(domain.WithActor(ctx, &domain.Actor{Kind: domain.UserActor}), http.MethodPost, "/", body)
	request.Header.Set("Content-Type", "application/json")
	request.Header.Set("Accept", "text/event-stream")
	answer, started := &unread{ResponseRecorder: httptest.NewRecorder()}, time.Now()
	s.endpoint.ServeHTTP(answer, request)
	if ctx.Err() != nil {
		t.Error("the stream ended only with the request")
	}
	if bound := answer.until.Sub(started); bound <= 0 || bound > time.Minute {
		t.Errorf("an event has %v", bound)
	}
}

func TestSubscriptionNeedsEvents(t *testing.T) {
	s := serve(t, domain.UserActor)
	refused(t, s.ask(t, `subscription{ticks}`), http.StatusBadRequest, domain.CodeInvalidRequest)
}

// GraphQL's rule of a single root field must hold after aliases, fragments and variables have been resolved.
func TestSubscriptionHasOneField(t *testing.T) {
	s := serve(t, domain.UserActor)
	close(s.ticks) // each stream ends after its first event
	for name, row := range map[string]struct{ query, message string }{
		"twice under aliases":   {`subscription{a:ticks b:ticks}`, "not 2"},
		"once more in a spread": {`subscription{ticks ...f} fragment f on Subscription{again:ticks}`, "not 2"},
		"skipped":               {`subscription{ticks @skip(if:true)}`, "not 0"},
		"not included":          {`subscription($v:Boolean=false){...@include(if:$v){ticks}}`, "not 0"},
		"two names":             {`subscription{ticks __typename}`, "only one top level field"},
	} {
		got := s.do(t, s.subscription(t, "a", row.query))
		refused(t, got, http.StatusUnprocessableEntity, domain.CodeInvalidRequest)
		if !strings.Contains(got.text, row.message) || len(got.Errors) == 0 || len(got.Errors[0].Locations) != 1 {
			t.Errorf("%s: %s", name, got.text)
		}
	}
	if s.log.Len() > 0 {
		t.Errorf("logged %s", s.log.String())
	}
	for _, query := range []string{
		`subscription{ticks ticks}`, `subscription{a:ticks b:ticks @skip(if:true)}`, `subscription{...@include(if:true){ticks}}`,
	} {
		response, err := s.Client().Do(s.subscription(t, "a", query))
		if err != nil {
			t.Fatal(err)
		}
		if err := response.Body.Close(); err != nil || response.StatusCode != http.StatusOK {
			t.Errorf("%s: %d, %v", query, response.StatusCode, err)
		}
	}
}

func TestSubscriptionsOfAnOrganizationAreBounded(t *testing.T) {
	s := serve(t, domain.UserActor)
	more := func(organization string, seller int) int {
		t.Helper()
		request := s.subscription(t, strconv.Itoa(seller), `subscription{ticks}`)
		request.Header.Set("X-Seller-Id", strconv.Itoa(seller))
		request.Header.Set("X-Organization", organization)
		response, err := s.Client().Do(request)
		if err != nil {
			t.Fatal(err)
		}
		t.Cleanup(func() { _ = response.Body.Close() })
		return response.StatusCode
	}
	const bound = 87 // seven eighths of 100
	for i := range bound {
		if status := more("a", i/20); status != http.StatusOK {
			t.Fatalf("subscription %d of the organization: %d", i, status)
		}
	}
	if status := more("a", 99); status != http.StatusTooManyRequests {
		t.Errorf("one more of a seller that has none: %d", status)
	}
	if status := more("b", 100); status != http.StatusOK {
		t.Errorf("the first of another organization: %d", status)
	}
}
