package operations

import (
	"bufio"
	"fmt"
	"io"
	"net"
	"net/http"
	"strings"
	"syscall"
	"testing"

	"ticketgate/cmd/systemtest"
	"ticketgate/dashboard"
	"ticketgate/db/dbtest"
)

func TestARunningRequestIsFinishedBeforeTheServerStops(t *testing.T) {
	t.Parallel()
	s := systemtest.Serve(t, systemtest.OnDatabase(dbtest.New(t)))
	conn, err := (&net.Dialer{}).DialContext(t.Context(), "tcp", strings.TrimPrefix(s.URL, "http://"))
	if err != nil {
		t.Fatal(err)
	}
	defer conn.Close()
	const body = `{"query": "{ permissions }"}`
	fmt.Fprintf(conn, "POST /graphql HTTP/1.1\r\nHost: x\r\nContent-Type: application/json\r\nExpect: 100-continue\r\n"+
		"Content-Length: %d\r\n\r\n", len(body))
	answers := bufio.NewReader(conn)
	for line := ""; line != "\r\n"; { // the server requests the body once it handles the request
		if line, err = answers.ReadString('\n'); err != nil {
			t.Fatal(err)
		}
	}
	stopped := make(chan int, 1)
	go func() { stopped <- s.Stop() }()
	systemtest.Eventually(t, "no new connection is accepted", func() bool {
		probe, err := (&net.Dialer{}).DialContext(t.Context(), "tcp", strings.TrimPrefix(s.URL, "http://"))
		if err == nil {
			_ = probe.Close()
		}
		return err != nil
	})
	if _, err := io.WriteString(conn, body); err != nil {
		t.Fatal(err)
	}
	answer, err := http.ReadResponse(answers, nil)
	if err != nil {
		t.Fatal(err)
	}
	defer answer.Body.Close()
	text, err := io.ReadAll(answer.Body)
	if err != nil || answer.StatusCode != http.StatusOK || !strings.Contains(string(text), "accessLists:create") {
		t.Errorf("got %d %s, %v", answer.StatusCode, text, err)
	}
	if code := <-stopped; code != 0 {
		t.Errorf("exit code %d", code)
	}
}

func TestAChunkedRequestEndsItsConnection(t *testing.T) {
	t.Parallel()
	s := systemtest.Serve(t, systemtest.OnDatabase(dbtest.New(t)), "--no-workers")
	conn, err := (&net.Dialer{}).DialContext(t.Context(), "tcp", strings.TrimPrefix(s.URL, "http://"))
	if err != nil {
		t.Fatal(err)
	}
	defer conn.Close()
	// By its Content-Length, the body ends after the second request; by its chunks, before it.
	const hidden = "GET /livez HTTP/1.1\r\nHost: x\r\n\r\n"
	fmt.Fprintf(conn, "POST /api/keys HTTP/1.1\r\nHost: x\r\nContent-Length: %d\r\nTransfer-Encoding: chunked\r\n\r\n0\r\n\r\n%s",
		len("0\r\n\r\n"+hidden), hidden)
	answers, err := io.ReadAll(conn)
	if err != nil || strings.Count(string(answers), "HTTP/1.1 ") != 1 || strings.Contains(string(answers), "alive") {
		t.Errorf("got %q, %v", answers, err)
	}
}

func TestProbesPagesAndUnknownPaths(t *testing.T) {
	t.Parallel()
	s := systemtest.Serve(t, systemtest.OnDatabase(dbtest.New(t)))
	page, kind := http.StatusOK, "<title>Ticketgate</title>"
	if !dashboard.New().Built() {
		page, kind = http.StatusNotFound, `"code":"NOT_FOUND"` // the pages are not built
	}
	for _, row := range []struct {
		method, path, accept string
		status               int
		contains             string
	}{
		{http.MethodGet, "/docs", "*/*", page, kind},
		{http.MethodGet, "/login", "", page, kind},
		{http.MethodGet, "/events/a%252Fb", "*/*", page, kind},
		{http.MethodGet, "/login", "application/json", http.StatusNotFound, `"code":"NOT_FOUND"`},
		{http.MethodPost, "/login", "*/*", http.StatusNotFound, `"code":"NOT_FOUND"`},
		{http.MethodGet, "/nothing", "*/*", http.StatusNotFound, `"code":"NOT_FOUND"`},
		{http.MethodGet, "/api/docs", "*/*", http.StatusNotFound, `"code":"NOT_FOUND"`},
		{http.MethodGet, "/livez", "", http.StatusOK, `{"status":"alive"}`},
		{http.MethodGet, "/readyz", "", http.StatusOK, `{"status":"ready"}`},
		{http.MethodPost, "/readyz", "", http.StatusMethodNotAllowed, ""},
		{http.MethodGet, "/", "text/html,*/*", http.StatusOK, "<title>Ticketgate</title>"},
		{http.MethodGet, "/sellers/x", "text/html", http.StatusOK, "<title>Ticketgate</title>"},
		{http.MethodGet, "/assets/none.js", "*/*", http.StatusNotFound, `"code":"NOT_FOUND"`},
		{http.MethodGet, "/", "application/json", http.StatusNotFound, `"code":"NOT_FOUND"`},
		{http.MethodPost, "/", "text/html", http.StatusNotFound, `"code":"NOT_FOUND"`},
		{http.MethodGet, "/api/nothing", "text/html", http.StatusNotFound, `"code":"NOT_FOUND"`},
		{http.MethodGet, "//api//keys/", "", http.StatusUnauthorized, `"code":"UNAUTHENTICATED"`},
		{http.MethodGet, "/graphql", "", http.StatusMethodNotAllowed, `"code":"METHOD_NOT_ALLOWED"`},
		{http.MethodGet, "/api/openapi.json", "", http.StatusOK, `"openapi":"3.1`},
	} {
		var header []string
		if row.accept != "" {
			header = append(header, "Accept: "+row.accept)
		}
		status, body := systemtest.Request(t, row.method, s.URL+row.path, "", header...)
		if status != row.status || !strings.Contains(body, row.contains) {
			t.Errorf("%s %s: got %d %.200s", row.method, row.path, status, body)
		}
	}
}

func TestPublicOperationsAreRateLimited(t *testing.T) {
	t.Parallel()
	database, data := systemtest.Seeded(t)
	settings := systemtest.OnDatabase(database, "TICKETGATE_PUBLIC_RATE=1", "TICKETGATE_PUBLIC_BURST=3")
	s := systemtest.Serve(t, settings, "--no-workers")
	key := data.Sellers[0].APIKey
	ask := func(header ...string) string {
		_, body := systemtest.Request(t, http.MethodPost, s.URL+"/graphql", `{"query": "{ permissions }"}`, header...)
		return body
	}
	limited := 0
	for range 6 {
		if strings.Contains(ask(), `"RATE_LIMITED"`) {
			limited++
		}
	}
	if limited < 2 || limited > 3 {
		t.Errorf("%d of 6 calls of one address were refused, want 3", limited)
	}
	if body := ask("Authorization: Bearer " + key); !strings.Contains(body, "accessLists:create") {
		t.Errorf("a key shares the address's allowance: %s", body)
	}
}

func TestRequestsAreServedDuringTheGraceTimeAfterSIGTERM(t *testing.T) {
	t.Parallel()
	s := systemtest.Serve(t, systemtest.OnDatabase(dbtest.New(t), "TICKETGATE_SHUTDOWN_GRACE=5m"), "--no-workers")
	before, err := systemtest.Call(t.Context(), http.DefaultClient, http.MethodGet, s.URL+"/livez", "")
	systemtest.Must(t, err)
	if _ = before.Body.Close(); before.Close {
		t.Error("the connection accepts only one request")
	}
	s.Signal(syscall.SIGTERM)
	systemtest.Eventually(t, "readiness turns false", func() bool {
		status, body := systemtest.Request(t, http.MethodGet, s.URL+"/readyz", "")
		return status == http.StatusServiceUnavailable && strings.Contains(body, "stopping")
	})
	kept, err := systemtest.Call(t.Context(), http.DefaultClient, http.MethodGet, s.URL+"/livez", "")
	systemtest.Must(t, err)
	if _ = kept.Body.Close(); kept.StatusCode != http.StatusOK || !kept.Close {
		t.Errorf("connection in the grace time: %s, closed: %v", kept.Status, kept.Close)
	}
	fresh := &http.Client{Transport: &http.Transport{DisableKeepAlives: true}} // a load balancer that has not noticed yet
	status, body, err := systemtest.TryRequest(t.Context(), fresh, http.MethodPost, s.URL+"/graphql", `{"query": "{ permissions }"}`)
	if err != nil || status != http.StatusOK || !strings.Contains(body, "accessLists:create") {
		t.Errorf("request in the grace time: %d %.200s, %v", status, body, err)
	}
	s.Signal(syscall.SIGTERM)
	<-s.Ended // at once: the test does not wait five minutes
	if code := s.Cmd.ProcessState.ExitCode(); code != systemtest.CodeInterrupted {
		t.Errorf("exit code %d after the second signal", code)
	}
}

func TestGraceEnds(t *testing.T) {
	t.Parallel()
	s := systemtest.Serve(t, systemtest.OnDatabase(dbtest.New(t), "TICKETGATE_SHUTDOWN_GRACE=10ms"), "--no-workers")
	if code := s.Stop(); code != 0 || !strings.Contains(s.Stderr.String(), "still serving requests") {
		t.Errorf("exit code %d, log %s", code, s.Stderr)
	}
}
