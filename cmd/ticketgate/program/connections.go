package program

import (
	"errors"
	"net"
	"net/netip"
	"os"
	"sync"
	"time"

	"ticketgate/domain"
)

// connections limits the open connections of a listener, in total and by address (LIMIT-19). A connection above a limit
// gets a 503 and is closed at once.
type connections struct {
	net.Listener
	total, perAddress int
	// exempt reports whether an address has no limit of its own, like trusted proxies.
	exempt func(netip.Addr) bool

	mutex  sync.Mutex
	open   int
	opened map[string]int
}

func boundConnections(inner net.Listener, total, perAddress int, exempt func(netip.Addr) bool) *connections {
	return &connections{Listener: inner, total: total, perAddress: perAddress, exempt: exempt, opened: map[string]int{}}
}

// Accept returns the next connection that is within the limits.
func (c *connections) Accept() (net.Conn, error) {
	for {
		accepted, err := c.Listener.Accept()
		if err != nil {
			return nil, err
		}
		from := c.from(accepted)
		if c.enter(from) {
			return &countedConnection{Conn: accepted, leave: sync.OnceFunc(func() { c.leave(from) })}, nil
		}
		go refuseConnection(accepted)
	}
}

// from returns the key by which a connection is counted, or an empty string if its address has no limit.
func (c *connections) from(accepted net.Conn) string {
	address, err := netip.ParseAddrPort(accepted.RemoteAddr().String())
	if err != nil || c.exempt(address.Addr().Unmap()) {
		return ""
	}
	return domain.Call{Address: address.Addr().Unmap().String()}.Network()
}

func (c *connections) enter(from string) bool {
	c.mutex.Lock()
	defer c.mutex.Unlock()
	if c.open >= c.total || (from != "" && c.opened[from] >= c.perAddress) {
		return false
	}
	c.open++
	c.opened[from]++
	return true
}

func (c *connections) leave(from string) {
	c.mutex.Lock()
	defer c.mutex.Unlock()
	c.open--
	if c.opened[from]--; c.opened[from] == 0 {
		delete(c.opened, from)
	}
}

// refuseConnection sends a response to the request that is probably on its way. It takes at most a second.
func refuseConnection(refused net.Conn) {
	_ = refused.SetDeadline(time.Now().Add(time.Second))
	_, _ = refused.Write([]byte("HTTP/1.1 503 Service Unavailable\r\nRetry-After: 1\r\nContent-Length: 0\r\nConnection: close\r\n\r\n"))
	if half, ok := refused.(interface{ CloseWrite() error }); ok {
		_ = half.CloseWrite()
		_, _ = refused.Read(make([]byte, 4096)) //nolint:mnd // closing with unread bytes would discard the response
	}
	_ = refused.Close()
}

// movingReaders is a listener whose connections are closed if their reader takes nothing for one to two pauses.
type movingReaders struct {
	net.Listener
	pause time.Duration
}

// Accept returns the next connection.
func (m movingReaders) Accept() (net.Conn, error) {
	accepted, err := m.Listener.Accept()
	if err != nil {
		return nil, err
	}
	return movingReader{accepted, m.pause}, nil
}

type movingReader struct {
	net.Conn
	pause time.Duration
}

// Write writes everything, unless the reader takes nothing for a pause. A second attempt shows whether it took something:
// a waiting one is continued only when a third of the system's buffer, which can have megabytes, is free.
func (m movingReader) Write(text []byte) (written int, err error) {
	const attempts = 2
	for idle := 0; idle < attempts && written < len(text); idle++ {
		var n int
		_ = m.SetWriteDeadline(time.Now().Add(m.pause / attempts)) // fails only if the connection is closed, as does Write
		n, err = m.Conn.Write(text[written:])
		if written += n; n > 0 {
			idle = -1
		}
		if err != nil && !errors.Is(err, os.ErrDeadlineExceeded) {
			break
		}
	}
	return written, err
}

// countedConnection is a connection that counts until it is closed.
type countedConnection struct {
	net.Conn
	leave func()
}

// Close closes the connection and ends its count.
func (c *countedConnection) Close() error {
	c.leave()
	return c.Conn.Close()
}
