package edge_test

import (
	"io"
	"net/http"
	"net/http/httptest"
	"strings"
	"testing"
	"time"

	"ticketgate/graph/edge"
)

// TestDeadlineOfABodyEndsWithIt works on a request for longer than its body may take to arrive. The server must not
// mistake the body's deadline for a disconnected client (LIMIT-1).
func TestDeadlineOfABodyEndsWithIt(t *testing.T) {
	t.Parallel()
	const bound = 400 * time.Millisecond
	server := httptest.NewUnstartedServer(http.HandlerFunc(func(w http.ResponseWriter, r *http.Request) {
		body := edge.NewWhole(w, r)
		if _, err := io.Copy(io.Discard, body); err != nil {
			t.Error(err)
		}
		select {
		case <-r.Context().Done():
			w.WriteHeader(http.StatusServiceUnavailable)
		case <-time.After(2 * bound):
		}
	}))
	server.Config.ReadTimeout = bound
	server.Start()
	defer server.Close()
	response, err := server.Client().Post(server.URL, "application/json", strings.NewReader("{}"))
	if err != nil {
		t.Fatal(err)
	}
	defer response.Body.Close()
	if response.StatusCode != http.StatusOK {
		t.Errorf("the work ended early: %d", response.StatusCode)
	}
}
