package program

import (
	"bufio"
	"errors"
	"log/slog"
	"net"
	"net/http"
	"net/netip"
	"os"
	"testing"
	"testing/synctest"
	"time"

	"ticketgate/cmd/systemtest"
)

func TestAResponseLastsWhileItsReaderMoves(t *testing.T) {
	t.Parallel()
	synctest.Test(t, func(t *testing.T) {
		client, server := net.Pipe()
		ended := make(chan error, 1)
		go func() {
			_, err := movingReader{server, 30 * time.Second}.Write(make([]byte, 10))
			ended <- err
		}()
		for range 9 {
			time.Sleep(29 * time.Second) //nolint:forbidigo // the bubble has a clock of its own
			_, err := client.Read(make([]byte, 1))
			systemtest.Must(t, err)
		}
		stalled := time.Now()
		if err := <-ended; !errors.Is(err, os.ErrDeadlineExceeded) || time.Since(stalled) < 30*time.Second || time.Since(stalled) > time.Minute {
			t.Errorf("%v, %v after the last read", err, time.Since(stalled))
		}
	})
}

func TestConnectionsAreBoundedInTotalAndByAddress(t *testing.T) {
	t.Parallel()
	for name, row := range map[string]struct {
		total, perAddress int
		exempt, refused   bool
	}{
		"limited in all":                   {2, 10, false, true},
		"limited by address":               {10, 2, false, true},
		"proxies have no limit by address": {10, 2, true, false},
		"proxies count towards the total":  {2, 2, true, true},
	} {
		t.Run(name, func(t *testing.T) {
			t.Parallel()
			at, err := Listen(t.Context(), "TICKETGATE_LISTEN", "127.0.0.1:0")
			systemtest.Must(t, err)
			defer func() { _ = at.Close() }()
			at.Listener = boundConnections(at.Listener, row.total, row.perAddress, func(netip.Addr) bool { return row.exempt })
			at.Serve(http.HandlerFunc(func(w http.ResponseWriter, _ *http.Request) { w.WriteHeader(http.StatusNoContent) }),
				slog.New(slog.DiscardHandler))
			var open []net.Conn
			ask := func() int {
				t.Helper()
				connection, err := (&net.Dialer{}).DialContext(t.Context(), "tcp", at.bound().String())
				systemtest.Must(t, err)
				open = append(open, connection)
				_, _ = connection.Write([]byte("GET / HTTP/1.1\r\nHost: x\r\n\r\n"))
				answer, err := http.ReadResponse(bufio.NewReader(connection), nil)
				systemtest.Must(t, err)
				_ = answer.Body.Close()
				return answer.StatusCode
			}
			for i := range 2 {
				if status := ask(); status != http.StatusNoContent {
					t.Fatalf("connection %d: %d", i, status)
				}
			}
			if status := ask(); (status == http.StatusServiceUnavailable) != row.refused {
				t.Errorf("connection above the limit: %d", status)
			}
			for _, connection := range open {
				_ = connection.Close()
			}
			systemtest.Eventually(t, "a closed connection is not counted", func() bool { return ask() == http.StatusNoContent })
		})
	}
}
