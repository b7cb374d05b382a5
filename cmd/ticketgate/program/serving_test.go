package program

import (
	"bufio"
	"fmt"
	"log/slog"
	"net"
	"net/http"
	"strings"
	"testing"
	"time"

	"ticketgate/cmd/systemtest"
)

// TestTheResponseArrivesIfTheBodyIsNotRead writes a whole request before it reads, as many clients do. The response of
// a handler that doesn't read the body must still arrive.
func TestTheResponseArrivesIfTheBodyIsNotRead(t *testing.T) {
	t.Parallel()
	at, err := Listen(t.Context(), "TICKETGATE_LISTEN", "127.0.0.1:0")
	systemtest.Must(t, err)
	defer func() { _ = at.Close() }()
	at.Serve(http.HandlerFunc(func(w http.ResponseWriter, _ *http.Request) {
		w.WriteHeader(http.StatusRequestEntityTooLarge)
		_, _ = w.Write([]byte("too large"))
	}), slog.New(slog.DiscardHandler))
	const size = 20 << 20
	whole := strings.Repeat(" ", size)
	for name, request := range map[string]string{
		"announced":   fmt.Sprintf("Content-Length: %d\r\n\r\n%s", size, whole),
		"in one part": fmt.Sprintf("Transfer-Encoding: chunked\r\n\r\n%x\r\n%s\r\n0\r\n\r\n", size, whole),
	} {
		connection, err := (&net.Dialer{}).DialContext(t.Context(), "tcp", at.bound().String())
		systemtest.Must(t, err)
		systemtest.Must(t, connection.SetDeadline(time.Now().Add(time.Minute)))
		if _, err := connection.Write([]byte("POST /api/keys HTTP/1.1\r\nHost: x\r\n" + request)); err != nil {
			t.Fatalf("%s: not sent completely: %v", name, err)
		}
		answer, err := http.ReadResponse(bufio.NewReader(connection), nil)
		if err != nil {
			t.Fatalf("%s: no response: %v", name, err)
		}
		if answer.StatusCode != http.StatusRequestEntityTooLarge {
			t.Errorf("%s: %s", name, answer.Status)
		}
		_ = answer.Body.Close()
		_ = connection.Close()
	}
}
