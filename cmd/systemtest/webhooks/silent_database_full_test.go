//go:build full

package webhooks

import (
	"fmt"
	"io"
	"net"
	"net/http"
	"net/url"
	"sync"
	"testing"
	"time"

	"ticketgate/cmd/systemtest"
)

// heardWithin is how soon after all connections have gone silent deliveries must continue.
const heardWithin = 30 * time.Second

// All database connections of a process go silent, three times: they stay open, but no more bytes arrive. The process
// notices, opens new ones and loses nothing.
func TestAProcessRecoversFromSilentConnections(t *testing.T) {
	t.Parallel()
	database, data := systemtest.Seeded(t)
	direct := systemtest.OnDatabase(database, "TICKETGATE_RETRY_SCHEDULE=100ms,1s,1s,1s,1s,1s")
	line := newLine(t, database.ApplicationURL)
	working := systemtest.Serve(t, append(direct, "TICKETGATE_DATABASE_URL="+line.url(database.ApplicationURL)))
	publishing := systemtest.Serve(t, direct, "--no-workers")
	l := openLedger(t, direct, database.ApplicationURL, data.Sellers[0])
	l.subscribe(t, publishing)
	steady := publishSteadily(t, l, "steady", publishing)
	for round := range 3 {
		l.awaitCalls(t, "before the silence", 100)
		line.silence()
		started := time.Now()
		probe := marks(fmt.Sprintf("silent-%d", round), 1)
		if !l.publish(publishing, probe) {
			t.Fatal("the process with good connections does not publish")
		}
		l.awaitCall(t, probe[0], started.Add(heardWithin))
		t.Logf("round %d: deliveries continued after %v", round, time.Since(started))
		for deadline := started.Add(heardWithin); ; {
			status, _ := systemtest.Request(t, http.MethodGet, working.URL+"/api/webhooks", "", "Authorization: Bearer "+l.seller.APIKey)
			if status == http.StatusOK {
				break
			}
			if time.Now().After(deadline) {
				t.Fatalf("round %d: requests return %d", round, status)
			}
		}
	}
	steady()
	l.delivered(t, time.Now().Add(systemtest.DeliveredWithin))
	l.check(t)
	if code := working.Stop(); code != 0 {
		t.Errorf("exit code %d", code)
	}
}

// line is a proxy between a process and its database.
type line struct {
	listener        net.Listener
	network, target string

	mutex sync.Mutex
	mute  chan struct{} // closed: the connections made so far pass no more bytes
}

func newLine(t *testing.T, database string) *line {
	t.Helper()
	address, err := url.Parse(database)
	systemtest.Must(t, err)
	l := &line{network: "tcp", target: address.Host, mute: make(chan struct{})}
	if folder := address.Query().Get("host"); folder != "" {
		l.network, l.target = "unix", folder+"/.s.PGSQL."+address.Query().Get("port")
	}
	l.listener, err = (&net.ListenConfig{}).Listen(t.Context(), "tcp", "127.0.0.1:0")
	systemtest.Must(t, err)
	t.Cleanup(func() { _ = l.listener.Close() })
	go l.accept()
	return l
}

// url returns the database's URL through the line.
func (l *line) url(database string) string {
	address, err := url.Parse(database)
	if err != nil {
		return database
	}
	address.Host, address.RawQuery = l.listener.Addr().String(), "sslmode=disable"
	return address.String()
}

// silence stops all bytes on the existing connections.
func (l *line) silence() {
	l.mutex.Lock()
	defer l.mutex.Unlock()
	close(l.mute)
	l.mute = make(chan struct{})
}

func (l *line) accept() {
	for {
		near, err := l.listener.Accept()
		if err != nil {
			return
		}
		far, err := (&net.Dialer{}).Dial(l.network, l.target)
		if err != nil {
			_ = near.Close()
			continue
		}
		l.mutex.Lock()
		mute := l.mute
		l.mutex.Unlock()
		go pass(near, far, mute)
		go pass(far, near, mute)
	}
}

// pass copies one direction. When muted it continues to read, so that neither side notices.
func pass(from, to net.Conn, mute <-chan struct{}) {
	defer from.Close()
	buffer := make([]byte, 32<<10)
	for {
		count, err := from.Read(buffer)
		select {
		case <-mute:
			_, _ = io.Copy(io.Discard, from)
			return
		default:
		}
		if count > 0 {
			if _, failed := to.Write(buffer[:count]); failed != nil {
				return
			}
		}
		if err != nil {
			_ = to.Close()
			return
		}
	}
}
