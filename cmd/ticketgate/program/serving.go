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

// The bounds of a connection: a client that is slower, or sends more, is cut off.
const (
	readHeaderTimeout = 5 * time.Second
	readTimeout       = 15 * time.Second
	writeTimeout      = 30 * time.Second
	idleTimeout       = 60 * time.Second
	// net/http reads 4 KiB more than it is told: a head has 16 KiB (hardening H3).
	maxHeaderBytes = 12 << 10
)

// HTTPServer is one address and the HTTP server on it.
type HTTPServer struct {
	Listener net.Listener
	server   *http.Server
}

// Listen takes an address; the error names the setting it came from.
func Listen(ctx context.Context, setting, address string) (*HTTPServer, error) {
	listener, err := (&net.ListenConfig{}).Listen(ctx, "tcp", address)
	if err != nil {
		return nil, fmt.Errorf("%s: %w", setting, err)
	}
	return &HTTPServer{Listener: listener}, nil
}

// Serve answers with the handler until drain or close.
func (s *HTTPServer) Serve(handler http.Handler, log *slog.Logger) {
	s.server = &http.Server{
		Handler:           taken(handler),
		ReadHeaderTimeout: readHeaderTimeout,
		ReadTimeout:       readTimeout,
		WriteTimeout:      writeTimeout,
		IdleTimeout:       idleTimeout,
		MaxHeaderBytes:    maxHeaderBytes,
		ErrorLog:          slog.NewLogLogger(log.Handler(), slog.LevelDebug),
	}
	go func() {
		if err := s.server.Serve(s.Listener); !errors.Is(err, http.ErrServerClosed) {
			log.Error("HTTP server ended", "error", err)
		}
	}()
}

// What is still taken of a body that nobody wanted to read, and for how long.
const (
	maxUnwanted  = 32 << 20 // twice what an import may have
	unwantedTime = 2 * time.Second
)

// taken reads on, within bounds, what a handler has refused to read: a client that sends everything before it reads would
// find the connection closed, and never see why. The answer waits in the server's buffer until then. A client that asks
// first, with Expect, is not told to send.
func taken(handler http.Handler) http.Handler {
	return http.HandlerFunc(func(w http.ResponseWriter, r *http.Request) {
		body := r.Body // handlers put their own in its place
		handler.ServeHTTP(w, r)
		if r.ContentLength == 0 || r.Header.Get("Expect") != "" {
			return
		}
		_ = http.NewResponseController(w).SetReadDeadline(time.Now().Add(unwantedTime)) // the next request sets its own
		_, _ = io.CopyN(io.Discard, body, maxUnwanted)
	})
}

// drain takes no new connection and lets the requests that run come to their end; what takes longer is cut off.
func (s *HTTPServer) drain(ctx context.Context) error {
	if err := s.server.Shutdown(ctx); err != nil {
		return errors.Join(fmt.Errorf("requests were cut off: %w", err), s.server.Close())
	}
	return nil
}

// Close gives the address back.
func (s *HTTPServer) Close() error {
	if s.server != nil {
		return s.server.Close()
	}
	return s.Listener.Close()
}

// URL is the address as a client on this machine calls it.
func (s *HTTPServer) URL() string {
	address := s.bound()
	if address.Addr().IsUnspecified() {
		address = netip.AddrPortFrom(netip.AddrFrom4([4]byte{127, 0, 0, 1}), address.Port())
	}
	return "http://" + address.String()
}

// Reach says who can call: the URL, or that anybody can who reaches this machine.
func (s *HTTPServer) Reach() string {
	if s.bound().Addr().IsUnspecified() {
		return "every address of this machine, " + s.URL() + " among them"
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

// addresses are all that lead to this server: when it listens on every address, those of every interface.
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
