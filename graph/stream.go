package graph

import (
	"context"
	"net/http"
	"sync"
	"time"

	"github.com/99designs/gqlgen/graphql"
	"github.com/99designs/gqlgen/graphql/executor"

	"ticketgate/domain"
	"ticketgate/graph/edge"
)

// The bounds of subscriptions in a process: each asks the database once a second.
const (
	maxStreams          = 500
	maxStreamsOfACaller = 20
)

const (
	// pingEvery keeps proxies from ending a stream in which nothing happens.
	pingEvery = 15 * time.Second
	// writeWithin is how long a caller may take to read an event: a stream that nobody reads is ended.
	writeWithin = 10 * time.Second
)

// streams counts the subscriptions that are open, in all and by caller, and ends them with the server.
type streams struct {
	ending chan struct{}
	end    sync.Once

	mutex  sync.Mutex
	open   int
	opened map[string]int
}

func newStreams() *streams {
	return &streams{ending: make(chan struct{}), opened: map[string]int{}}
}

// enter counts one more of a caller, or says that there are enough.
func (s *streams) enter(caller string) error {
	s.mutex.Lock()
	defer s.mutex.Unlock()
	if s.open >= maxStreams || s.opened[caller] >= maxStreamsOfACaller {
		return domain.RateLimited(pingEvery)
	}
	s.open, s.opened[caller] = s.open+1, s.opened[caller]+1
	return nil
}

func (s *streams) leave(caller string) {
	s.mutex.Lock()
	defer s.mutex.Unlock()
	s.open--
	if s.opened[caller]--; s.opened[caller] == 0 {
		delete(s.opened, caller)
	}
}

// acceptsStream reports whether text/event-stream is accepted by its name: a range such as */* means every type, which no
// client asks for that wants to read a stream.
func acceptsStream(header http.Header) bool {
	offer := edge.Accepts(header, "text/event-stream")
	return offer.Named && offer.Quality > 0
}

// EndStreams ends the subscriptions, so that a server that stops need not wait for them; their clients go to another one.
func (e *Endpoint) EndStreams() { e.streams.end.Do(func() { close(e.streams.ending) }) }

// stream answers a subscription by server-sent events, which pass proxies as any other answer does: an event `next` for
// each response, and `complete` when it has ended, as the protocol graphql-sse names them. A subscription that fails at
// once is answered as any other document.
func (e *Endpoint) stream(
	w http.ResponseWriter, r *http.Request, exec *executor.Executor, operation *graphql.OperationContext,
) {
	if !acceptsStream(r.Header) {
		e.Refuse(w, r, domain.NewError(domain.CodeInvalidRequest, "A subscription needs the header Accept: text/event-stream"))
		return
	}
	caller := domain.ActorOf(r.Context()).ID
	if err := e.streams.enter(caller); err != nil {
		e.Refuse(w, r, err)
		return
	}
	defer e.streams.leave(caller)
	ctx, cancel := context.WithCancel(r.Context())
	defer cancel()
	responses, ctx := exec.DispatchOperation(ctx, operation)
	first := responses(ctx)
	if first == nil || len(first.Errors) > 0 {
		e.answer(ctx, w, r, first)
		return
	}
	out := openEventStream(w, cancel)
	var pings sync.WaitGroup
	pings.Go(func() { e.keepOpen(ctx, cancel, out) })
	for response := first; response != nil; response = responses(ctx) {
		out.write("event: next\ndata: " + string(printed(response, true)) + "\n\n")
	}
	cancel()
	pings.Wait()
	out.write("event: complete\ndata:\n\n")
}

// keepOpen writes something from time to time, until the stream ends by itself or with the server.
func (e *Endpoint) keepOpen(ctx context.Context, cancel context.CancelFunc, out *eventStream) {
	ticker := time.NewTicker(pingEvery)
	defer ticker.Stop()
	for {
		select {
		case <-ctx.Done():
			return
		case <-e.streams.ending:
			cancel()
			return
		case <-ticker.C:
			out.write(": still here\n\n")
		}
	}
}

// eventStream is an answer that goes on, written by more than one.
type eventStream struct {
	mutex      sync.Mutex
	w          http.ResponseWriter
	controller *http.ResponseController
	end        context.CancelFunc
}

// openEventStream writes the head. The bounds of an ordinary request don't hold any more: a caller who has gone away ends
// the request's context, and each event has a bound of its own.
func openEventStream(w http.ResponseWriter, end context.CancelFunc) *eventStream {
	out := &eventStream{w: w, controller: http.NewResponseController(w), end: end}
	_ = out.controller.SetReadDeadline(time.Time{}) // where there is no connection, there is no deadline either
	header := w.Header()
	header.Set("Content-Type", "text/event-stream; charset=utf-8")
	header.Set("X-Accel-Buffering", "no") // nginx would gather events
	w.WriteHeader(http.StatusOK)
	return out
}

// write sends an event at once, and ends the stream of a caller who does not take it.
func (s *eventStream) write(event string) {
	s.mutex.Lock()
	defer s.mutex.Unlock()
	_ = s.controller.SetWriteDeadline(time.Now().Add(writeWithin))
	if _, err := s.w.Write([]byte(event)); err != nil || s.controller.Flush() != nil {
		s.end()
	}
}
