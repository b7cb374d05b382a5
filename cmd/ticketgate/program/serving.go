package program

import (
	"context"
	"errors"
	"fmt"
	"io"
	"log/slog"
	"net"
	"net/http"
	"net/netip"
	"time"
)

// Limits of a connection. Clients that are slower or send more are disconnected.
const (
	readHeaderTimeout = 5 * time.Second
	readTimeout       = 15 * time.Second
	writeTimeout      = 30 * time.Second
	idleTimeout       = 60 * time.Second
	// net/http reads 4 KiB more than configured, so a request head has at most 16 KiB.
	maxHeaderBytes = 12 << 10
)

// HTTPServer is an HTTP server on one address.
type HTTPServer struct {
	Listener net.Listener
	server   *http.Server
}

// Listen binds an address. An error names the setting.
func Listen(ctx context.Context, setting, address string) (*HTTPServer, error) {
	listener, err := (&net.ListenConfig{}).Listen(ctx, "tcp", address)
	if err != nil {
		return nil, fmt.Errorf("%s: %w", setting, err)
	}
	return &HTTPServer{Listener: listener}, nil
}

// Bound limits the number of open connections by the settings.
func (s *HTTPServer) Bound(config *Config) {
	s.Listener = boundConnections(s.Listener, config.HTTPConnections, config.ConnectionsPerAddress, config.TrustedProxies.Contain)
}

// Serve serves requests with the handler until Drain or Close is called.
func (s *HTTPServer) Serve(handler http.Handler, log *slog.Logger) {
	s.start(handler, log, readTimeout, writeTimeout)
}

// Forward is like Serve, for a handler that limits the time for bodies itself. A response has no deadline as long as its
// reader takes something.
func (s *HTTPServer) Forward(handler http.Handler, log *slog.Logger) {
	s.Listener = movingReaders{s.Listener, writeTimeout}
	s.start(handler, log, 0, 0)
}

func (s *HTTPServer) start(handler http.Handler, log *slog.Logger, reads, writes time.Duration) {
	s.server = &http.Server{
		Handler:           lastIfChunked(drainBody(handler)),
		ReadHeaderTimeout: readHeaderTimeout,
		ReadTimeout:       reads,
		WriteTimeout:      writes,
		IdleTimeout:       idleTimeout,
		MaxHeaderBytes:    maxHeaderBytes,
		ErrorLog:          slog.NewLogLogger(log.Handler(), slog.LevelDebug),
	}
	go func() {
		if err := s.server.Serve(s.Listener); !errors.Is(err, http.ErrServerClosed) {
			log.Error("HTTP server failed", "error", err)
		}
	}()
}

// maxUnwanted is the amount of an unread body that is still received, and unwantedTime the time for it.
const (
	maxUnwanted  = 32 << 20 // twice the size of an import
	unwantedTime = 2 * time.Second
)

// drainBody reads the rest of a body that a handler did not read, within limits. Otherwise a client that sends
// everything before it reads would find the connection closed, and never see the response, which stays in the server's
// buffer until then. If the client has sent Expect, nothing is read, because it has not been told to continue.
func drainBody(handler http.Handler) http.Handler {
	return http.HandlerFunc(func(w http.ResponseWriter, r *http.Request) {
		body := r.Body // handlers may replace it
		handler.ServeHTTP(w, r)
		if r.ContentLength == 0 || r.Header.Get("Expect") != "" {
			return
		}
		_ = http.NewResponseController(w).SetReadDeadline(time.Now().Add(unwantedTime)) // the next request sets its own
		_, _ = io.CopyN(io.Discard, body, maxUnwanted)
	})
}

// lastIfChunked makes a chunked request the last on its connection. If a proxy in front read its length differently, it
// would take the rest of the body for a second request.
func lastIfChunked(handler http.Handler) http.Handler {
	return http.HandlerFunc(func(w http.ResponseWriter, r *http.Request) {
		if len(r.TransferEncoding) > 0 {
			w.Header().Set("Connection", "close")
		}
		handler.ServeHTTP(w, r)
	})
}

// Drain accepts no new connections and waits for running requests, even if ctx is done. Requests that are still running
// after drainBound are cut off.
func (s *HTTPServer) Drain(ctx context.Context) error {
	ctx, cancel := context.WithTimeout(context.WithoutCancel(ctx), drainBound)
	defer cancel()
	if err := s.server.Shutdown(ctx); err != nil {
		return errors.Join(fmt.Errorf("requests were cut off: %w", err), s.server.Close())
	}
	return nil
}

// Close stops the server and releases the address.
func (s *HTTPServer) Close() error {
	if s.server != nil {
		return s.server.Close()
	}
	return s.Listener.Close()
}

// URL returns the URL of the server for clients on this machine.
func (s *HTTPServer) URL() string {
	address := s.bound()
	if address.Addr().IsUnspecified() {
		address = netip.AddrPortFrom(netip.AddrFrom4([4]byte{127, 0, 0, 1}), address.Port())
	}
	return "http://" + address.String()
}

// Reach describes the addresses at which the server can be reached.
func (s *HTTPServer) Reach() string {
	if s.bound().Addr().IsUnspecified() {
		return "all addresses of this machine, for example " + s.URL()
	}
	return s.URL()
}

func (s *HTTPServer) bound() netip.AddrPort {
	address, err := netip.ParseAddrPort(s.Listener.Addr().String())
	if err != nil {
		return netip.AddrPort{}
	}
	return netip.AddrPortFrom(address.Addr().Unmap(), address.Port())
}

// addresses returns all addresses of the server. If it listens on all interfaces, these are the addresses of each.
func (s *HTTPServer) addresses() []netip.AddrPort {
	bound := s.bound()
	if !bound.Addr().IsUnspecified() {
		return []netip.AddrPort{bound}
	}
	interfaces, err := net.InterfaceAddrs()
	if err != nil {
		return nil
	}
	var list []netip.AddrPort
	for _, address := range interfaces {
		if prefix, err := netip.ParsePrefix(address.String()); err == nil {
			list = append(list, netip.AddrPortFrom(prefix.Addr(), bound.Port()))
		}
	}
	return list
}
