package jobs

import (
	"bytes"
	"context"
	"crypto/tls"
	"errors"
	"fmt"
	"io"
	"maps"
	"net"
	"net/http"
	"net/http/httptrace"
	"net/netip"
	"net/textproto"
	"slices"
	"strconv"
	"strings"
	"sync/atomic"
	"syscall"
	"time"

	"ticketgate/domain/listenerurl"
	"ticketgate/domain/webhook"
	"ticketgate/jobs/killpoint"
)

const (
	lookupTimeout  = 5 * time.Second
	connectTimeout = 10 * time.Second
	// A name may have a thousand addresses. All are checked, but only a few are tried.
	maxDialled = 3
	// Common servers close idle connections after five seconds. The limit is lower, because a POST that is sent while
	// the server closes the connection would be lost.
	idleTimeout        = 4 * time.Second
	maxIdle            = 1000
	maxIdlePerListener = 2 * maxLimit // first attempts and retries
	maxHeaderBytes     = 64 << 10
	maxInterim         = 10_000 // 1xx responses before the final one
	streamBuffer       = 64 << 10
	pingAfter          = 3 * time.Second
)

// Resolver resolves a name to addresses; *net.Resolver implements it. Names end with a dot, so that no search list of
// the host is tried first.
type Resolver interface {
	LookupNetIP(ctx context.Context, network, host string) ([]netip.Addr, error)
}

// DialFunc connects to a checked address, never to a name.
type DialFunc func(ctx context.Context, network, address string) (net.Conn, error)

// Outbound is the only HTTP client for calls to addresses that sellers choose. It never follows a redirect, uses no
// proxy and decompresses no body. All methods may be called concurrently.
type Outbound struct {
	policy        listenerurl.Policy
	resolver      Resolver
	dial          DialFunc
	own           func() []netip.AddrPort
	tlsConfig     *tls.Config
	transport     *http.Transport
	fresh         *http.Transport // opens a new connection for each call
	lookupTimeout time.Duration
}

// NewOutbound returns a client. If resolver is nil, Go's own is used; that of the C library accepts addresses in
// unusual notations. If dial is nil, a dialer is used that checks each address again right before connecting.
// ownAddresses returns the public addresses of this server, which the client refuses to call. It may be nil.
func NewOutbound(policy listenerurl.Policy, resolver Resolver, dial DialFunc, ownAddresses func() []netip.AddrPort) *Outbound {
	o := &Outbound{policy: policy, resolver: resolver, dial: dial, own: ownAddresses, lookupTimeout: lookupTimeout}
	if resolver == nil {
		o.resolver = &net.Resolver{PreferGo: true}
	}
	if dial == nil {
		o.dial = (&net.Dialer{Timeout: connectTimeout, Control: o.secondLock}).DialContext
	}
	if ownAddresses == nil {
		o.own = func() []netip.AddrPort { return nil }
	}
	o.tlsConfig = &tls.Config{MinVersion: tls.VersionTLS12, NextProtos: []string{"h2", "http/1.1"}}
	o.transport, o.fresh = o.newTransport(), o.newTransport()
	o.fresh.DisableKeepAlives = true
	return o
}

// newTransport returns the transport for calls to listeners. It uses no proxy, dials only allowed addresses, and
// bounds the memory that a listener can make it use.
func (o *Outbound) newTransport() *http.Transport {
	return &http.Transport{
		Proxy:                  nil, // not from the environment either
		DialContext:            o.connect,
		DialTLSContext:         o.connectTLS,
		DisableCompression:     true,
		ForceAttemptHTTP2:      true,
		MaxIdleConns:           maxIdle,
		MaxIdleConnsPerHost:    maxIdlePerListener,
		IdleConnTimeout:        idleTimeout,
		MaxResponseHeaderBytes: maxHeaderBytes,
		HTTP2: &http.HTTP2Config{
			// Otherwise a listener could make each call hold four megabytes of memory.
			MaxReceiveBufferPerStream:     streamBuffer,
			MaxReceiveBufferPerConnection: 16 * streamBuffer,
			SendPingTimeout:               pingAfter,
			PingTimeout:                   pingAfter,
		},
	}
}

// CloseIdleConnections closes idle connections. Running calls continue.
func (o *Outbound) CloseIdleConnections() { o.transport.CloseIdleConnections() }

// Post makes one POST and returns the response with an unread body, which the caller must close. ctx also bounds the
// reading of the body. The URL is checked again, because it may have been stored under older rules. If a kept
// connection is closed before the response starts, or refuses the call over HTTP/2, the request is sent once more on a
// new connection. All errors are *OutboundError.
func (o *Outbound) Post(ctx context.Context, to string, header http.Header, body []byte) (*http.Response, error) {
	approved, err := listenerurl.Parse(to, o.policy)
	if err != nil {
		return nil, &OutboundError{Kind: webhook.FailureInvalidURL, cause: err}
	}
	var kept keptConnection
	ctx = httptrace.WithClientTrace(httptrace.WithClientTrace(ctx, limitInterim()), kept.trace())
	post := func(by *http.Transport) (*http.Response, error) {
		request, err := http.NewRequestWithContext(ctx, http.MethodPost, "", bytes.NewReader(body))
		if err != nil {
			return nil, err
		}
		request.URL = approved.Target()
		request.Host, request.Header = request.URL.Host, maps.Clone(header)
		request.GetBody = sendNoMore
		// An http.Client would follow redirects.
		return by.RoundTrip(request)
	}
	response, err := post(o.transport)
	if err != nil && kept.closed(err) {
		response, err = post(o.fresh)
	}
	if err != nil {
		return nil, outboundError(err)
	}
	return response, nil
}

// errSentAlready ends a call that net/http would resend. Over HTTP/2 it would resend it hundreds of times in ten
// seconds if the listener keeps refusing.
var errSentAlready = errors.New("the listener refused the call or closed its connection")

// sendNoMore is the request's GetBody, which net/http calls before it resends a request.
func sendNoMore() (io.ReadCloser, error) { return nil, errSentAlready }

// keptConnection records whether a call uses a connection that was used before, and whether its response has started.
type keptConnection struct{ used, answered atomic.Bool }

func (k *keptConnection) trace() *httptrace.ClientTrace {
	return &httptrace.ClientTrace{
		GotConn:              func(got httptrace.GotConnInfo) { k.used.Store(got.Reused) },
		GotFirstResponseByte: func() { k.answered.Store(true) },
	}
}

// closed reports whether a call got no response because the listener closed the kept connection or refused the call on
// it.
func (k *keptConnection) closed(err error) bool {
	return k.used.Load() && !k.answered.Load() && connectionClosed(err)
}

// limitInterim ends a call whose listener sends interim responses indefinitely. Each is below the limit of headers, and
// reading them for ten seconds would occupy a processor.
func limitInterim() *httptrace.ClientTrace {
	count := 0
	return &httptrace.ClientTrace{Got1xxResponse: func(int, textproto.MIMEHeader) error {
		if count++; count > maxInterim {
			return errors.New("too many interim responses")
		}
		return nil
	}}
}

// connectTLS connects and completes the TLS handshake.
func (o *Outbound) connectTLS(ctx context.Context, network, address string) (net.Conn, error) {
	ctx, cancel := context.WithTimeout(ctx, connectTimeout)
	defer cancel()
	conn, err := o.connect(ctx, network, address)
	if err != nil {
		return nil, err
	}
	config := o.tlsConfig.Clone()
	config.ServerName, _, _ = net.SplitHostPort(address)
	secured := tls.Client(conn, config)
	if err := secured.HandshakeContext(ctx); err != nil {
		_ = conn.Close() // the handshake's error is what counts
		if closedEarly(err) {
			return nil, &OutboundError{Kind: webhook.FailureClosedEarly, cause: err}
		}
		return nil, &OutboundError{Kind: webhook.FailureTLS, cause: err}
	}
	return secured, nil
}

// connect resolves, checks and dials. It dials only addresses that were checked, and resolves the name only once.
func (o *Outbound) connect(ctx context.Context, network, address string) (net.Conn, error) {
	ctx, cancel := context.WithTimeout(ctx, connectTimeout)
	defer cancel()
	name, service, err := net.SplitHostPort(address)
	if err != nil {
		return nil, &OutboundError{Kind: webhook.FailureInvalidURL, cause: err}
	}
	port, err := strconv.ParseUint(service, 10, 16)
	if err != nil {
		return nil, &OutboundError{Kind: webhook.FailureInvalidURL, cause: err}
	}
	addresses, err := o.lookup(ctx, name)
	if err != nil {
		return nil, &OutboundError{Kind: webhook.FailureDNS, cause: err}
	}
	for _, addr := range addresses {
		// One internal address refuses the whole name, because a DNS rebinding attack looks like this.
		if err := o.check(netip.AddrPortFrom(addr, uint16(port))); err != nil {
			return nil, &OutboundError{Kind: webhook.FailureRefusedAddress, cause: err}
		}
	}
	killpoint.At(killpoint.NameResolved)
	conn, err := o.dialFirst(ctx, network, dialOrder(addresses), uint16(port))
	if err != nil {
		return nil, err
	}
	killpoint.At(killpoint.Connected)
	return killpoint.Conn(conn), nil
}

// lookup returns at least one address or an error.
func (o *Outbound) lookup(ctx context.Context, name string) ([]netip.Addr, error) {
	if addr, err := netip.ParseAddr(name); err == nil {
		return []netip.Addr{addr.Unmap()}, nil
	}
	if strings.Contains(name, ".") {
		name += "."
	}
	ctx, cancel := context.WithTimeout(ctx, o.lookupTimeout)
	defer cancel()
	addresses, err := o.resolver.LookupNetIP(ctx, "ip", name)
	if err != nil {
		return nil, err
	}
	if len(addresses) == 0 {
		return nil, errors.New("the name has no address")
	}
	for i, addr := range addresses {
		addresses[i] = addr.Unmap()
	}
	return addresses, nil
}

// check applies the address policy and refuses the server's own addresses.
func (o *Outbound) check(to netip.AddrPort) error {
	if err := o.policy.CheckAddress(to.Addr()); err != nil {
		return err
	}
	isOwn := func(own netip.AddrPort) bool {
		return own.Addr().Unmap() == to.Addr().Unmap() && own.Port() == to.Port()
	}
	if slices.ContainsFunc(o.own(), isOwn) {
		return errors.New("the address belongs to this server, which does not call itself")
	}
	return nil
}

// secondLock is the dialer's Control function. It checks the very address that is passed to the kernel.
func (o *Outbound) secondLock(_, address string, _ syscall.RawConn) error {
	to, err := netip.ParseAddrPort(address)
	if err != nil {
		return fmt.Errorf("not an address: %w", err)
	}
	return o.check(to)
}

// dialOrder keeps the resolver's order, but moves the first address of the other IP family to the second place, so that
// a host with broken IPv6 costs only one timeout.
func dialOrder(addresses []netip.Addr) []netip.Addr {
	order := slices.Clone(addresses)
	other := slices.IndexFunc(order, func(a netip.Addr) bool { return a.Is4() != order[0].Is4() })
	if other > 1 {
		order[1], order[other] = order[other], order[1]
	}
	return order[:min(len(order), maxDialled)]
}

// dialFirst tries the addresses in order, each with its share of the remaining time.
func (o *Outbound) dialFirst(ctx context.Context, network string, addresses []netip.Addr, port uint16) (net.Conn, error) {
	var failure error
	for i, addr := range addresses {
		conn, err := o.dialOne(ctx, network, netip.AddrPortFrom(addr, port), len(addresses)-i)
		if err == nil {
			return conn, nil
		}
		failure = err
	}
	return nil, &OutboundError{Kind: webhook.FailureConnect, cause: failure}
}

func (o *Outbound) dialOne(ctx context.Context, network string, to netip.AddrPort, left int) (net.Conn, error) {
	if deadline, ok := ctx.Deadline(); ok {
		var cancel context.CancelFunc
		ctx, cancel = context.WithTimeout(ctx, time.Until(deadline)/time.Duration(left))
		defer cancel()
	}
	return o.dial(ctx, network, to.String())
}
