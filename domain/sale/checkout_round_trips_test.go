package sale_test

import (
	"context"
	"encoding/binary"
	"io"
	"net"
	"net/url"
	"sync/atomic"
	"testing"

	"ticketgate/db"
	"ticketgate/db/dbtest"
	"ticketgate/domain"
	"ticketgate/domain/listenerurl"
	"ticketgate/domain/optional"
	"ticketgate/domain/webhook"
	"ticketgate/jobs"
)

// TestCompletingTakesFewRoundTrips counts round trips to the database, which limit how many sales a seller can make.
func TestCompletingTakesFewRoundTrips(t *testing.T) {
	s := newShop(t)
	store, counter := s.throughCounter()
	s.checkouts.Store = store.Checkouts()
	_, err := webhook.Webhooks{
		Store: s.Store.Webhooks(), Now: s.checkouts.Now, Policy: listenerurl.Policy{AllowPrivateAddresses: true},
	}.Create(s.withWebhooks(), webhook.NewWebhook{Name: "All", URL: "http://127.0.0.1:8080/", Events: optional.Some(webhook.Selection{
		"checkout.completed": true, "transaction.complete": true, "ticket.created": true,
	})})
	s.Must(err)
	for try := range 2 { // the first one prepares the statements
		checkout := s.open()
		counter.Store(0)
		_, err := s.checkouts.Complete(s.key(seller), checkout.ID)
		s.Must(err)
		if got := counter.Load(); try == 1 && (got < 8 || got > 12) {
			t.Errorf("got %d round trips for four tickets, want at most 12", got)
		}
	}
	if got := s.Count("SELECT count(*) FROM deliveries"); got != 12 {
		t.Errorf("got %d deliveries, want 12", got)
	}
}

// withWebhooks returns a call with a key of a seller that has the webhooks feature.
func (s *shop) withWebhooks() context.Context {
	actor := dbtest.KeyOf(seller)
	actor.Features.Webhooks = true
	return domain.WithActor(s.T.Context(), &actor)
}

// throughCounter returns a store that connects through a relay, and the relay's count of round trips.
func (w *fixture) throughCounter() (*db.Store, *atomic.Int64) {
	w.T.Helper()
	address, err := url.Parse(w.ApplicationURL)
	w.Must(err)
	network, target := "tcp", address.Host
	if folder := address.Query().Get("host"); target == "" {
		network, target = "unix", folder+"/.s.PGSQL."+address.Query().Get("port")
	}
	listener, err := (&net.ListenConfig{}).Listen(w.T.Context(), "tcp", "127.0.0.1:0")
	w.Must(err)
	w.T.Cleanup(func() { _ = listener.Close() })
	counter := new(atomic.Int64)
	go func() {
		for {
			client, err := listener.Accept()
			if err != nil {
				return
			}
			server, err := (&net.Dialer{}).DialContext(w.T.Context(), network, target)
			if err != nil {
				_ = client.Close()
				return
			}
			go func() { _, _ = io.Copy(client, server); _ = client.Close() }()
			go func() { relay(server, client, counter); _ = server.Close() }()
		}
	}()
	address.Host = listener.Addr().String()
	query := address.Query()
	query.Del("host")
	query.Del("port")
	query.Set("sslmode", "disable")
	address.RawQuery = query.Encode()
	queue := jobs.NewEnqueuer()
	store, err := db.Open(db.Config{
		URL: address.String(), PoolSize: 1, Mode: "dev", Sealer: w.Sealer, Now: w.transactions.Now, Enqueue: queue.Enqueue,
	})
	w.Must(err)
	w.T.Cleanup(func() { _ = store.Close() })
	return store, counter
}

// relay forwards a client's messages and counts those that the client waits for: Sync and simple Query.
func relay(server io.Writer, client io.Reader, counter *atomic.Int64) {
	head := make([]byte, 5)
	head = head[:4] // the first message has no type byte
	for {
		if _, err := io.ReadFull(client, head); err != nil {
			return
		}
		if len(head) == 5 && (head[0] == 'S' || head[0] == 'Q') {
			counter.Add(1)
		}
		length := binary.BigEndian.Uint32(head[len(head)-4:])
		if _, err := server.Write(head); err != nil {
			return
		}
		if _, err := io.CopyN(server, client, int64(length)-4); err != nil {
			return
		}
		head = head[:5]
	}
}
