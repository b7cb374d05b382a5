package graph

import (
	"context"
	"net/http"
	"sync"
	"time"

	"github.com/99designs/gqlgen/graphql"

	"ticketgate/domain"
	"ticketgate/domain/share"
	"ticketgate/graph/edge"
)

// StreamBounds are how many subscriptions a process keeps open, in all, for one seller and for one key or user (LIMIT-17); the
// sellers of one organization have seven eighths together (LIMIT-4). Each asks the database once a second. 0 sets no bound.
type StreamBounds struct{ Total, PerSeller, PerCredential int }

const (
	// pingEvery keeps proxies from ending a stream in which nothing happens.
	pingEvery = 15 * time.Second
	// writeWithin is how long a caller may take to read an event: a stream that nobody reads is ended.
	writeWithin = 10 * time.Second
)

// streams counts the subscriptions that are open, in all, by seller and by credential, and ends them with the server.
type streams struct {
	bounds StreamBounds
	ending chan struct{}
	end    sync.Once

	mutex  sync.Mutex
	open   int
	opened map[string]int
}

func newStreams(bounds StreamBounds) *streams {
	return &streams{bounds: bounds, ending: make(chan struct{}), opened: map[string]int{}}
}

// enter counts one more of a caller, or says that there are enough. What it returns ends the count.
func (s *streams) enter(actor *domain.Actor) (leave func(), err error) {
	payer, bounds := share.PayerOf(actor), share.Bounds{Total: s.bounds.Total, PerSeller: s.bounds.PerSeller}
	credential, seller, organization := "credential "+actor.ID, "seller "+string(payer.Seller), "organization "+string(payer.Organization)
	s.mutex.Lock()
	defer s.mutex.Unlock()
	if reached(s.open, s.bounds.Total) || reached(s.opened[seller], s.bounds.PerSeller) ||
		reached(s.opened[credential], s.bounds.PerCredential) ||
		(payer.Organization != "" && reached(s.opened[organization], bounds.PerOrganization())) {
		return nil, domain.RateLimited(pingEvery)
	}
	s.count(1, seller, organization, credential)
	return func() {
		s.mutex.Lock()
		defer s.mutex.Unlock()
		s.count(-1, seller, organization, credential)
	}, nil
}

func reached(open, bound int) bool { return bound > 0 && open >= bound }

// count is called with the mutex held.
func (s *streams) count(change int, names ...string) {
	s.open += change
	for _, name := range names {
		if s.opened[name] += change; s.opened[name] == 0 {
			delete(s.opened, name)
		}
	}
}

// streamTransport takes what postTransport does, and responds to a subscription by server-sent events, which pass proxies as any
// other response does: an event `next` for each response and `complete` at the end, as the protocol graphql-sse names them.
// gqlgen's own sets no deadline, and reads bodies as its POST does.
type streamTransport struct {
	*postTransport
	streams *streams
}

const streamMedia = "text/event-stream"

// Supports reports whether event streams are accepted by their name: a range such as */* means every type, which no client
// asks for that wants to read a stream.
func (*streamTransport) Supports(r *http.Request) bool {
	offer := edge.Accepts(r.Header, streamMedia)
	return offer.Named && offer.Quality > 0
}

// Do streams the responses of a subscription. One that fails at once is answered as any other document.
func (t *streamTransport) Do(w http.ResponseWriter, r *http.Request, exec graphql.GraphExecutor) {
	t.serve(w, r, exec, func(operation *graphql.OperationContext) {
		leave, err := t.streams.enter(domain.ActorOf(r.Context()))
		if err != nil {
			t.presenter.refuse(w, r, err)
			return
		}
		defer leave()
		call := domain.CallOf(r.Context())
		call.Read = nil // a stream reads for as long as it is open
		ctx, cancel := context.WithCancel(domain.WithCall(r.Context(), call))
		defer cancel()
		responses, ctx := exec.DispatchOperation(ctx, operation)
		first := responses(ctx)
		if first == nil || len(first.Errors) > 0 {
			t.presenter.respond(ctx, w, r, first)
			return
		}
		out := openEventStream(w, cancel)
		var pings sync.WaitGroup
		pings.Go(func() { t.streams.keepOpen(ctx, out) })
		for response := first; response != nil; response = responses(ctx) {
			out.write("event: next\ndata: " + string(printed(response, true)) + "\n\n")
		}
		cancel()
		pings.Wait()
		out.write("event: complete\ndata:\n\n")
	})
}

// keepOpen writes something from time to time, until the stream ends by itself or with the server.
func (s *streams) keepOpen(ctx context.Context, out *eventStream) {
	ticker := time.NewTicker(pingEvery)
	defer ticker.Stop()
	for {
		select {
		case <-ctx.Done():
			return
		case <-s.ending:
			out.end()
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
	header.Set("Content-Type", streamMedia+"; charset=utf-8")
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
