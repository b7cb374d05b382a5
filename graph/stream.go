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

// StreamBounds are the maximum numbers of open subscriptions in a process: in all, per seller, and per key or user
// (LIMIT-17). The sellers of one organization together get seven eighths (LIMIT-4). Each subscription queries the
// database once a second. 0 means unlimited.
type StreamBounds struct{ Total, PerSeller, PerCredential int }

const (
	// pingEvery keeps proxies from closing an idle stream.
	pingEvery = 15 * time.Second
	// writeWithin is the time within which a caller must read an event. A stream without a reader is closed.
	writeWithin = 10 * time.Second
)

// streams counts the open subscriptions in all, by seller and by credential, and ends them with the server.
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

// enter counts a subscription of a caller, or returns an error if a limit is reached. leave ends the count.
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

// count must be called with the mutex held.
func (s *streams) count(change int, names ...string) {
	s.open += change
	for _, name := range names {
		if s.opened[name] += change; s.opened[name] == 0 {
			delete(s.opened, name)
		}
	}
}

// streamTransport accepts the same requests as postTransport, and sends the responses of a subscription as server-sent
// events, which work with all proxies. Following the protocol graphql-sse, each response is an event `next`, and the
// stream ends with `complete`. gqlgen's own transport sets no deadline, and reads bodies as its POST transport does.
type streamTransport struct {
	*postTransport
	streams *streams
}

const streamMedia = "text/event-stream"

// Supports reports whether event streams are accepted by name. A range such as */* also includes them, but does not ask
// for a stream.
func (*streamTransport) Supports(r *http.Request) bool {
	offer := edge.Accepts(r.Header, streamMedia)
	return offer.Named && offer.Quality > 0
}

// Do streams the responses of a subscription. If the first one fails, it is sent as an ordinary response.
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

// keepOpen sends comments periodically until the stream or the server ends.
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

// eventStream is an open response with several writers.
type eventStream struct {
	mutex      sync.Mutex
	w          http.ResponseWriter
	controller *http.ResponseController
	end        context.CancelFunc
}

// openEventStream sends the header and removes the deadlines of an ordinary request. A disconnected caller ends the
// request's context, and each event has its own deadline.
func openEventStream(w http.ResponseWriter, end context.CancelFunc) *eventStream {
	out := &eventStream{w: w, controller: http.NewResponseController(w), end: end}
	_ = out.controller.SetReadDeadline(time.Time{}) // without a connection, there is no deadline
	header := w.Header()
	header.Set("Content-Type", streamMedia+"; charset=utf-8")
	header.Set("X-Accel-Buffering", "no") // otherwise nginx buffers events
	w.WriteHeader(http.StatusOK)
	return out
}

// write sends an event immediately. It ends the stream if the caller does not read it.
func (s *eventStream) write(event string) {
	s.mutex.Lock()
	defer s.mutex.Unlock()
	_ = s.controller.SetWriteDeadline(time.Now().Add(writeWithin))
	if _, err := s.w.Write([]byte(event)); err != nil || s.controller.Flush() != nil {
		s.end()
	}
}
