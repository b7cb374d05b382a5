package route

import (
	"bytes"
	"context"
	"errors"
	"io"
	"log/slog"
	"net/http"
	"net/http/httputil"
	"net/netip"
	"slices"
	"strings"
	"time"

	"ticketgate/domain"
	"ticketgate/graph/edge"
)

const (
	// repeatable is the size of the largest body that is kept to repeat the request. Larger bodies are streamed and can
	// be sent only once.
	repeatable = 1 << 20
	// connectionsPerCluster is the number of idle connections to keep per cluster.
	connectionsPerCluster = 256
	// minTurns is how often a request is sent if each cluster refuses it, unless there are more clusters than that. A
	// cluster may be tried twice while the seller moves.
	minTurns = 4
)

// Config configures a router.
type Config struct {
	// Clusters are all clusters, starting with the home cluster.
	Clusters []Cluster
	// Token is the system token, which must be the same in all clusters.
	Token string
	// Proxies are the proxies that may set the caller's address.
	Proxies edge.Proxies
	Log     *slog.Logger
}

// Router is an HTTP handler that forwards each request to the cluster of its seller.
type Router struct {
	places  *places
	proxies edge.Proxies
	log     *slog.Logger
	forward *httputil.ReverseProxy
	to      http.RoundTripper
}

// New returns a router. Its cache works only while Run is running; otherwise each request asks the clusters.
func New(config Config) *Router {
	transport := &http.Transport{
		MaxIdleConnsPerHost: connectionsPerCluster, MaxIdleConns: 0, IdleConnTimeout: 30 * time.Second,
		DisableCompression: true, ForceAttemptHTTP2: true,
	}
	r := &Router{
		places: newPlaces(config.Clusters, config.Token, &http.Client{Transport: transport}), proxies: config.Proxies, log: config.Log,
		to: transport,
	}
	r.forward = &httputil.ReverseProxy{Rewrite: r.rewrite, Transport: r, ErrorHandler: r.failed, ErrorLog: slog.NewLogLogger(
		config.Log.Handler(), slog.LevelDebug)}
	return r
}

// Run keeps the cache valid until ctx is done.
func (r *Router) Run(ctx context.Context) { r.places.poll(ctx) }

// ServeHTTP forwards a request. The router's own probes are handled here.
func (r *Router) ServeHTTP(w http.ResponseWriter, request *http.Request) {
	switch request.URL.Path {
	case "/livez":
		edge.WriteJSON(w, http.StatusOK, map[string]string{"status": "alive"})
	case "/readyz":
		if silent := r.places.silent(); len(silent) > 0 {
			edge.WriteJSON(w, http.StatusServiceUnavailable, map[string]any{"status": "not ready", "reasons": silent})
			return
		}
		edge.WriteJSON(w, http.StatusOK, map[string]string{"status": "ready"})
	case "/routez": // only for routers
		http.NotFound(w, request)
	default:
		r.forward.ServeHTTP(w, request)
	}
}

// rewrite keeps the Host header, which is compared with the Origin, and the caller's address that a trusted proxy has
// set.
func (r *Router) rewrite(p *httputil.ProxyRequest) {
	p.Out.URL.Scheme, p.Out.URL.Host = "http", "cluster" // RoundTrip sets both
	peer, err := netip.ParseAddrPort(p.In.RemoteAddr)
	if err == nil && r.proxies.Contain(peer.Addr().Unmap()) {
		p.Out.Header["X-Forwarded-For"] = p.In.Header["X-Forwarded-For"]
	}
	p.SetXForwarded()
}

func (r *Router) failed(w http.ResponseWriter, request *http.Request, err error) {
	if !errors.Is(err, context.Canceled) {
		r.log.WarnContext(request.Context(), "a cluster did not respond", "error", err)
	}
	edge.WriteError(w, request, slog.New(slog.DiscardHandler), domain.Unavailable(err))
}

// RoundTrip sends a request to the cluster of its seller. If that cluster refuses it because another one serves the
// seller, the request is sent there.
func (r *Router) RoundTrip(request *http.Request) (*http.Response, error) {
	body, whole, err := r.bodyOf(request)
	if err != nil {
		return nil, err
	}
	asked := questionOf(request)
	if whole && asked.kind == "seller" && changesAccount(request, body) {
		request.Header.Del(sellerHeader)
		asked = question{}
	}
	cluster, cached, err := r.places.find(request.Context(), asked)
	if err != nil {
		return nil, err
	}
	tried, turns := []int{cluster}, max(minTurns, len(r.places.clusters))
	for {
		response, err := r.send(request, cluster, body, whole)
		if err != nil || !whole || len(tried) == turns {
			return r.stripped(response), err
		}
		next, again := r.next(request, response, asked, cached, tried)
		if !again {
			return r.stripped(response), nil
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

// send sends a request to a cluster, with a copy of the body if the body was read.
func (r *Router) send(request *http.Request, cluster int, body []byte, whole bool) (*http.Response, error) {
	to := r.places.clusters[cluster].URL
	sent := request.Clone(request.Context())
	sent.URL.Scheme, sent.URL.Host = to.Scheme, to.Host
	if whole {
		sent.Body, sent.ContentLength = http.NoBody, int64(len(body))
		if len(body) > 0 {
			sent.Body = io.NopCloser(bytes.NewReader(body))
			sent.TransferEncoding = nil
		}
	}
	return r.to.RoundTrip(sent)
}

// bodyOf reads the body if it is small enough to keep. A larger body remains complete in the request.
func (r *Router) bodyOf(request *http.Request) (body []byte, whole bool, err error) {
	if request.Body == nil || request.Body == http.NoBody || strings.EqualFold(request.Header.Get("Connection"), "upgrade") {
		return nil, true, nil
	}
	if request.ContentLength > repeatable {
		return nil, false, nil
	}
	body, err = io.ReadAll(io.LimitReader(request.Body, repeatable+1))
	if err != nil {
		return nil, false, err
	}
	if len(body) <= repeatable {
		return body, true, nil
	}
	request.Body = struct {
		io.Reader
		io.Closer
	}{io.MultiReader(bytes.NewReader(body), request.Body), request.Body}
	return nil, false, nil
}

// stripped removes headers that are meant for routers from a response.
func (r *Router) stripped(response *http.Response) *http.Response {
	if response != nil {
		response.Header.Del(edge.ClusterHeader)
	}
	return response
}
