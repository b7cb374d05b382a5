package route

import (
	"bytes"
	"context"
	"errors"
	"io"
	"log/slog"
	"net"
	"net/http"
	"net/http/httputil"
	"slices"
	"time"

	"ticketgate/domain"
	"ticketgate/graph/edge"
)

const (
	// connectionsPerCluster is the number of idle connections to keep per cluster.
	connectionsPerCluster = 256
	// minTurns is how often a request is sent if each cluster refuses it, unless there are more clusters than that. A
	// cluster may be tried twice while the seller moves.
	minTurns = 4
	// continueBound is how long a cluster may take to ask for a body that its sender holds back.
	continueBound = time.Second
)

// Config configures a router.
type Config struct {
	// Clusters are all clusters, starting with the home cluster.
	Clusters []Cluster
	// Token is the system token, which must be the same in all clusters.
	Token string
	// Proxies are the proxies that may set the caller's address.
	Proxies edge.Proxies
	// Bodies bounds the bodies that are kept to repeat a request.
	Bodies *edge.Bodies
	Log    *slog.Logger
}

// Router is an HTTP handler that forwards each request to the cluster of its seller.
type Router struct {
	places  *places
	proxies edge.Proxies
	bodies  *edge.Bodies
	log     *slog.Logger
	forward httputil.ReverseProxy
	to      http.RoundTripper
}

// trip sends one request to one or several clusters.
type trip struct {
	*Router

	body *edge.Forwarded
}

// New returns a router. Its cache works only while Run is running. Otherwise each request asks the clusters.
func New(config Config) *Router {
	transport := &http.Transport{
		MaxIdleConnsPerHost: connectionsPerCluster, MaxIdleConns: 0, IdleConnTimeout: 30 * time.Second,
		DisableCompression: true, ForceAttemptHTTP2: true, ExpectContinueTimeout: continueBound,
		DialContext: (&net.Dialer{Timeout: askBound}).DialContext,
	}
	r := &Router{
		places: newPlaces(config.Clusters, config.Token, &http.Client{Transport: transport}), proxies: config.Proxies,
		bodies: config.Bodies, log: config.Log, to: transport,
	}
	r.forward = httputil.ReverseProxy{
		Rewrite: r.rewrite, ErrorHandler: r.failed, ErrorLog: slog.NewLogLogger(config.Log.Handler(), slog.LevelDebug),
	}
	return r
}

// Run keeps the cache valid until ctx is done.
func (r *Router) Run(ctx context.Context) { r.places.poll(ctx) }

// ServeHTTP forwards a request. The router's own probes are handled here.
func (r *Router) ServeHTTP(w http.ResponseWriter, request *http.Request) {
	switch first, other := edge.Segments(request.URL.Path); {
	case other:
		r.pass(w, request)
	case first == "livez":
		edge.WriteJSON(w, http.StatusOK, map[string]string{"status": "alive"})
	case first == "readyz":
		if silent := r.places.silent(); len(silent) > 0 {
			edge.WriteJSON(w, http.StatusServiceUnavailable, map[string]any{"status": "not ready", "reasons": silent})
			return
		}
		edge.WriteJSON(w, http.StatusOK, map[string]string{"status": "ready"})
	case first == "routez": // only for routers
		http.NotFound(w, request)
	default:
		r.pass(w, request)
	}
}

// pass receives the body of a request and sends the request on.
func (r *Router) pass(w http.ResponseWriter, request *http.Request) {
	call := domain.Call{Address: r.proxies.CallerOf(request).String()}
	request = request.WithContext(domain.WithCall(request.Context(), call))
	body, err := r.bodies.Forward(w, request)
	if err != nil {
		r.failed(w, request, err)
		return
	}
	defer body.Release()
	if body.Stream != nil {
		request.Body = io.NopCloser(body.Stream)
	}
	forward := r.forward
	forward.Transport = trip{r, body}
	forward.ServeHTTP(w, request)
}

// rewrite keeps the query and the Host header, which is compared with the Origin, and sets the caller's address.
func (r *Router) rewrite(p *httputil.ProxyRequest) {
	p.Out.URL.Scheme, p.Out.URL.Host = "http", "cluster" // RoundTrip sets both
	p.Out.URL.RawQuery = p.In.URL.RawQuery
	p.SetXForwarded()
	if address := domain.CallOf(p.In.Context()).Address; address != "" {
		p.Out.Header.Set("X-Forwarded-For", address)
	}
}

// failed responds to a request that was not sent or got no response.
func (r *Router) failed(w http.ResponseWriter, request *http.Request, err error) {
	shown, known := errors.AsType[*domain.Error](err)
	if !known { // for example an upgrade to a protocol without a valid name
		shown = domain.NewError(domain.CodeInvalidRequest, "The request cannot be forwarded")
	}
	edge.WriteError(w, request, slog.New(slog.DiscardHandler), shown)
}

// RoundTrip sends a request to its cluster. It logs why there is no response, unless the caller is the cause.
func (t trip) RoundTrip(request *http.Request) (*http.Response, error) {
	defer t.body.Release()
	response, err := t.respond(request)
	if _, known := errors.AsType[*domain.Error](err); known || err == nil {
		return response, err
	}
	if request.Context().Err() == nil {
		t.log.WarnContext(request.Context(), "a cluster did not respond", "error", err)
	} else if !t.body.Complete() {
		return nil, edge.BrokenOff()
	}
	return nil, domain.Unavailable(err)
}

// respond sends a request to the cluster of its seller. If that cluster refuses it because another one serves the
// seller, the request is sent there.
func (t trip) respond(request *http.Request) (*http.Response, error) {
	asked := questionOf(request)
	if asked.kind == "seller" && changesAccount(request, t.body.Whole) {
		request.Header.Del(sellerHeader)
		asked = question{}
	}
	cluster, cached, err := t.places.find(request.Context(), asked)
	if err != nil {
		return nil, err
	}
	tried, turns := []int{cluster}, max(minTurns, len(t.places.clusters))
	for {
		response, err := t.send(request, cluster)
		if err != nil || t.body.Stream != nil || len(tried) == turns {
			return stripped(response), err
		}
		next, again := t.next(request, response, asked, cached, tried)
		if !again {
			return stripped(response), nil
		}
		_ = response.Body.Close()
		cluster, cached, tried = next, false, append(tried, next)
	}
}

// next returns the cluster that a refused request is to be sent to.
func (r *Router) next(request *http.Request, refused *http.Response, asked question, cached bool, tried []int) (int, bool) {
	last := tried[len(tried)-1]
	if name := refused.Header.Get(edge.ClusterHeader); refused.StatusCode == http.StatusServiceUnavailable && name != "" {
		r.places.forget(asked)
		named := find(r.places.clusters, name)
		return named, named >= 0 && named != last
	}
	if refused.StatusCode != http.StatusUnauthorized && refused.StatusCode != http.StatusNotFound {
		return 0, false
	}
	if isPublic(request) {
		for i := range r.places.clusters {
			if !slices.Contains(tried, i) {
				return i, true
			}
		}
		return 0, false
	}
	if !cached || refused.StatusCode != http.StatusUnauthorized {
		return 0, false
	}
	// The seller's rows may have been removed since the cluster was asked.
	r.places.forget(asked)
	found, _, err := r.places.find(request.Context(), asked)
	return found, err == nil && found != last
}

// send sends a request to a cluster, with a copy of the body if the router keeps it.
func (t trip) send(request *http.Request, cluster int) (*http.Response, error) {
	to := t.places.clusters[cluster].URL
	sent := request.Clone(request.Context())
	sent.URL.Scheme, sent.URL.Host = to.Scheme, to.Host
	if whole := t.body.Whole; t.body.Stream == nil {
		sent.Header.Del("Expect")
		sent.ContentLength, sent.TransferEncoding = int64(len(whole)), nil
		sent.GetBody = func() (io.ReadCloser, error) { return io.NopCloser(bytes.NewReader(whole)), nil }
		sent.Body, _ = sent.GetBody()
		if len(whole) == 0 {
			sent.Body, sent.GetBody = http.NoBody, nil
		}
	}
	return t.to.RoundTrip(sent)
}

// stripped removes headers that are meant for routers from a response.
func stripped(response *http.Response) *http.Response {
	if response != nil {
		response.Header.Del(edge.ClusterHeader)
	}
	return response
}
