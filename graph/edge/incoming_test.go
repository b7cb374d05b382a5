package edge_test

import (
	"context"
	"encoding/json"
	"errors"
	"io"
	"log/slog"
	"net/http"
	"net/http/httptest"
	"strings"
	"testing"
	"testing/synctest"
	"time"

	"ticketgate/domain"
	"ticketgate/domain/ids"
	"ticketgate/graph/edge"
)

// sender sends bodies of 1 MiB within bounds, and holds back the end of each.
type sender struct {
	t      *testing.T
	bodies *edge.Bodies
	sent   []*body
}

// finish ends all bodies.
func (s *sender) finish() {
	for _, sent := range s.sent {
		sent.finish()
	}
}

// body is a body that is being sent.
type body struct {
	// read counts the bytes that the server has read.
	read   int
	finish func()
	result chan error
}

// counted counts the bytes that are read from a body.
func (b *body) counted(from io.Reader) io.Reader {
	return readerFunc(func(into []byte) (int, error) {
		n, err := from.Read(into)
		b.read += n
		return n, err
	})
}

type readerFunc func([]byte) (int, error)

func (f readerFunc) Read(into []byte) (int, error) { return f(into) }

// send starts sending a body of a seller, or of a caller without a credential at an address.
func (s *sender) send(seller, address string, announced bool, limit int64) *body {
	s.t.Helper()
	end, finished := io.Pipe()
	sent := &body{finish: func() { _ = finished.Close(); synctest.Wait() }, result: make(chan error, 1)}
	s.sent = append(s.sent, sent)
	handler := edge.Wrap(http.HandlerFunc(func(_ http.ResponseWriter, r *http.Request) {
		_, err := edge.ReadBody(r, limit)
		sent.result <- err
	}), edge.Options{Log: slog.New(slog.DiscardHandler), Bodies: s.bodies})
	ctx, cancel := context.WithCancel(domain.WithActor(context.Background(), &domain.Actor{SellerID: ids.Seller(seller)}))
	text := strings.Repeat("x", edge.MaxBody)
	request := httptest.NewRequestWithContext(ctx, http.MethodPost, "/", sent.counted(io.MultiReader(strings.NewReader(text), end)))
	request.RemoteAddr = address
	if announced {
		request.ContentLength = min(limit, edge.MaxBody+1)
	}
	go func() {
		defer cancel()
		handler.ServeHTTP(httptest.NewRecorder(), request)
	}()
	synctest.Wait()
	return sent
}

// coming checks that everything received of a body has been read.
func (s *sender) coming(what string, sent *body) {
	s.t.Helper()
	if sent.read < edge.MaxBody || len(sent.result) > 0 {
		s.t.Errorf("%s: %d bytes read, ended: %v", what, sent.read, len(sent.result) > 0)
	}
}

// waiting checks that only the start of a body has been read.
func (s *sender) waiting(what string, sent *body) {
	s.t.Helper()
	if sent.read > 72<<10 || len(sent.result) > 0 {
		s.t.Errorf("%s: %d bytes read, ended: %v", what, sent.read, len(sent.result) > 0)
	}
}

func TestArrivingBodiesAreBounded(t *testing.T) {
	t.Parallel()
	for name, announced := range map[string]bool{"announced": true, "in chunks": false} {
		for of, limit := range map[string]int64{"ordinary": edge.MaxBody, "imports": 16 << 20} {
			t.Run(of+", "+name, func(t *testing.T) {
				t.Parallel()
				synctest.Test(t, func(t *testing.T) {
					s := &sender{t: t, bodies: edge.NewBodies(edge.BodyBounds{
						Large: 1, LargePerSeller: 1, Medium: 2, MediumPerSeller: 1, Arriving: 1, ArrivingPerSeller: 1,
					})}
					defer s.finish()
					first, second := s.send("a", "192.0.2.1:1", announced, limit), s.send("a", "192.0.2.2:1", announced, limit)
					third := s.send("a", "192.0.2.3:1", announced, limit)
					s.coming("a's first", first)
					s.coming("a's second", second)
					s.waiting("a's third", third)
					stranger := s.send("", "192.0.2.1:1", announced, edge.MaxBody)
					s.coming("a stranger's", stranger)
					s.waiting("the same stranger's next", s.send("", "192.0.2.1:2", announced, edge.MaxBody))
					s.coming("another stranger's", s.send("", "192.0.2.2:1", announced, edge.MaxBody))
					s.waiting("a third stranger's", s.send("", "192.0.2.3:1", announced, edge.MaxBody))
					s.coming("b's", s.send("b", "192.0.2.1:1", announced, limit))
					first.finish()
					if err := <-first.result; err != nil {
						t.Errorf("a's first: %v", err)
					}
					s.coming("a's third, after the end of the first", third)
					fourth := s.send("a", "192.0.2.1:1", announced, limit)
					time.Sleep(10 * time.Second) //nolint:forbidigo // the bubble has a clock of its own
					synctest.Wait()
					if err := <-fourth.result; !domain.HasCode(err, domain.CodeRateLimited) {
						t.Errorf("a's fourth after its wait: %v", err)
					}
				})
			})
		}
	}
}

// TestIdempotentRequestHoldsOneSlot reads a body twice, for the digest and for the work. It must wait for one slot
// only.
func TestIdempotentRequestHoldsOneSlot(t *testing.T) {
	t.Parallel()
	synctest.Test(t, func(t *testing.T) {
		bodies := edge.NewBodies(edge.BodyBounds{Large: 1, LargePerSeller: 1, Medium: 1, MediumPerSeller: 1, Arriving: 1, ArrivingPerSeller: 1})
		text, started := strings.Repeat("x", 64<<10+1), time.Now()
		handler := edge.Wrap(http.HandlerFunc(func(_ http.ResponseWriter, r *http.Request) {
			_, err := edge.Once(r, nothingStored{}, func(r *http.Request) (any, error) {
				read, err := edge.ReadBody(r, edge.MaxBody)
				if string(read) != text {
					t.Errorf("read %d bytes", len(read))
				}
				return nil, err
			})
			if err != nil || !time.Now().Equal(started) {
				t.Errorf("%v after %v", err, time.Since(started))
			}
		}), edge.Options{Log: slog.New(slog.DiscardHandler), Bodies: bodies})
		ctx, end := context.WithCancel(domain.WithActor(t.Context(), &domain.Actor{Kind: domain.APIKeyActor, SellerID: "a"}))
		defer end()
		request := httptest.NewRequestWithContext(ctx, http.MethodPost, "/", strings.NewReader(text))
		request.Header.Set("Idempotency-Key", "cart-1")
		handler.ServeHTTP(httptest.NewRecorder(), request)
	})
}

type nothingStored struct{}

func (nothingStored) StoredResponse(context.Context, domain.IdempotentRequest) (json.RawMessage, error) {
	return nil, nil
}

// TestWaitingDoesNotUseUpTheReadDeadline makes a body wait for longer than the time in which the server must receive
// it.
func TestWaitingDoesNotUseUpTheReadDeadline(t *testing.T) {
	t.Parallel()
	bodies := edge.NewBodies(edge.BodyBounds{Large: 1, LargePerSeller: 1, Medium: 1, MediumPerSeller: 1, Arriving: 1, ArrivingPerSeller: 1})
	server := httptest.NewUnstartedServer(edge.Wrap(http.HandlerFunc(func(w http.ResponseWriter, r *http.Request) {
		if _, err := edge.ReadBody(r, edge.MaxBody); err != nil {
			edge.WriteError(w, r, slog.New(slog.DiscardHandler), err)
		}
	}), edge.Options{Log: slog.New(slog.DiscardHandler), Bodies: bodies}))
	server.Config.ReadTimeout = 500 * time.Millisecond
	server.Start()
	t.Cleanup(server.Close)
	answer := make(chan error, 1)
	rest, end := io.Pipe()
	first := io.MultiReader(strings.NewReader(strings.Repeat("x", 80<<10)), rest)
	request, err := http.NewRequestWithContext(t.Context(), http.MethodPost, server.URL, first)
	if err != nil {
		t.Fatal(err)
	}
	leave := bodies.Occupy("address 127.0.0.1")
	go func() {
		response, err := http.DefaultClient.Do(request)
		if err == nil && response.StatusCode != http.StatusOK {
			err = errors.New(response.Status)
		}
		if err == nil {
			err = response.Body.Close()
		}
		answer <- err
	}()
	<-time.After(time.Second)
	leave()
	<-time.After(200 * time.Millisecond)
	_ = end.Close()
	if err := <-answer; err != nil {
		t.Error(err)
	}
}
