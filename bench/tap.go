package main

import (
	"context"
	"encoding/binary"
	"fmt"
	"io"
	"net"
	"slices"
	"strconv"
	"strings"
	"sync"
	"sync/atomic"
	"time"

	"github.com/jackc/pgx/v5"
	"github.com/jackc/pgx/v5/pgproto3"
)

// tap is a proxy between a program and PostgreSQL that records the executed statements, so that reports show the real
// statements of a request. Measured programs do not use it, but connect to PostgreSQL directly.
type tap struct {
	port     int
	listener net.Listener

	mu         sync.Mutex
	seen       []statement
	roundTrips int // how often the program waited for a response
	// timed is a part of the statements to measure. If it is set, nothing else is recorded.
	timed string
	times []time.Duration
}

// statement is one execution of a statement, with the arguments in the form that pgbench needs.
type statement struct {
	text      string
	arguments []string
}

// openTap listens for connections to the database server of a URL. timed is a part of the statements to measure. If it
// is empty, all statements are recorded instead.
func openTap(ctx context.Context, url, timed string) (*tap, error) {
	config, err := pgx.ParseConfig(url)
	if err != nil {
		return nil, err
	}
	listener, err := (&net.ListenConfig{}).Listen(ctx, "tcp", "127.0.0.1:0")
	if err != nil {
		return nil, err
	}
	address, _ := listener.Addr().(*net.TCPAddr)
	t := &tap{listener: listener, port: address.Port, timed: timed}
	network, server := pgconnAddress(config)
	go func() {
		for {
			conn, err := listener.Accept()
			if err != nil {
				return
			}
			go t.pass(ctx, conn, network, server)
		}
	}()
	return t, nil
}

// pgconnAddress returns the network address of a server. A host that starts with a slash is the folder of its socket.
func pgconnAddress(config *pgx.ConnConfig) (network, address string) {
	port := strconv.Itoa(int(config.Port))
	if len(config.Host) > 0 && config.Host[0] == '/' {
		return "unix", config.Host + "/.s.PGSQL." + port
	}
	return "tcp", net.JoinHostPort(config.Host, port)
}

// url returns the URL of a database through the tap.
func (t *tap) url(role, database string) string {
	return fmt.Sprintf("postgres://%s@127.0.0.1:%d/%s?sslmode=disable", role, t.port, database)
}

// close stops accepting connections. Open connections end with their program.
func (t *tap) close() { _ = t.listener.Close() }

// pass forwards the bytes of one connection in both directions, and parses what the program sends.
func (t *tap) pass(ctx context.Context, program net.Conn, network, address string) {
	defer program.Close() //nolint:errcheck // only closing matters
	server, err := (&net.Dialer{}).DialContext(ctx, network, address)
	if err != nil {
		return
	}
	defer server.Close() //nolint:errcheck // only closing matters
	var asked clock
	go func() {
		t.answers(io.TeeReader(server, program), &asked)
		_ = program.Close()
	}()
	// Reading also forwards, through the TeeReader. Nothing is written to the Backend.
	reader := pgproto3.NewBackend(io.TeeReader(program, server), io.Discard)
	if _, err := reader.ReceiveStartupMessage(); err != nil {
		return
	}
	t.follow(reader, &asked)
}

// clock has the time at which a measured statement was sent on a connection.
type clock struct{ began atomic.Pointer[time.Time] }

// answers reads the server's messages. It stops the clock when the server is ready for the next statement.
func (t *tap) answers(server io.Reader, asked *clock) {
	if t.timed == "" {
		_, _ = io.Copy(io.Discard, server)
		return
	}
	reader := pgproto3.NewFrontend(server, io.Discard)
	for {
		message, err := reader.Receive()
		if err != nil {
			return
		}
		if _, ready := message.(*pgproto3.ReadyForQuery); !ready {
			continue
		}
		if start := asked.began.Swap(nil); start != nil {
			t.mu.Lock()
			t.times = append(t.times, time.Since(*start))
			t.mu.Unlock()
		}
	}
}

// follow records the statements that a connection executes, until it ends. Prepared statements and portals are looked
// up by name.
func (t *tap) follow(reader *pgproto3.Backend, asked *clock) {
	prepared, portals := map[string]string{}, map[string]statement{}
	for {
		message, err := reader.Receive()
		if err != nil {
			return
		}
		switch m := message.(type) {
		case *pgproto3.Parse:
			prepared[m.Name] = m.Query
		case *pgproto3.Bind:
			if t.timed != "" {
				asked.start(strings.Contains(prepared[m.PreparedStatement], t.timed))
				continue
			}
			portals[m.DestinationPortal] = statement{prepared[m.PreparedStatement], arguments(m)}
		case *pgproto3.Execute:
			t.note(portals[m.Portal])
		case *pgproto3.Query:
			t.note(statement{text: m.String})
			t.wait()
		case *pgproto3.Sync:
			t.wait()
		default:
		}
	}
}

// start starts the clock if the statement is to be measured.
func (c *clock) start(looked bool) {
	if now := time.Now(); looked {
		c.began.Store(&now)
	}
}

// note records a statement. It may be called concurrently.
func (t *tap) note(s statement) {
	t.mu.Lock()
	defer t.mu.Unlock()
	if t.timed == "" {
		t.seen = append(t.seen, s)
	}
}

// wait counts a message after which the program waits for a response.
func (t *tap) wait() {
	t.mu.Lock()
	defer t.mu.Unlock()
	t.roundTrips++
}

// take returns the statements executed since the last call, and how often the program waited for a response.
func (t *tap) take() (seen []statement, roundTrips int) {
	t.mu.Lock()
	defer t.mu.Unlock()
	seen, roundTrips = t.seen, t.roundTrips
	t.seen, t.roundTrips = nil, 0
	return seen, roundTrips
}

// takeTimes returns the sorted times of the measured statements since the last call.
func (t *tap) takeTimes() []time.Duration {
	t.mu.Lock()
	defer t.mu.Unlock()
	times := t.times
	t.times = nil
	slices.Sort(times)
	return times
}

// arguments returns arguments as text. Of binary values, it supports only whole numbers, since the repeated statements
// have no others.
func arguments(m *pgproto3.Bind) []string {
	list := make([]string, len(m.Parameters))
	for i, value := range m.Parameters {
		list[i] = string(value)
		if !inBinary(m.ParameterFormatCodes, i) {
			continue
		}
		switch len(value) {
		case 2:
			list[i] = strconv.Itoa(int(int16(binary.BigEndian.Uint16(value)))) //nolint:gosec // two's complement is intended
		case 4:
			list[i] = strconv.Itoa(int(int32(binary.BigEndian.Uint32(value)))) //nolint:gosec // two's complement is intended
		case 8:
			list[i] = strconv.FormatInt(int64(binary.BigEndian.Uint64(value)), 10) //nolint:gosec // two's complement is intended
		}
	}
	return list
}

// inBinary reports whether argument i is binary. In PostgreSQL's list of formats, an empty list means text, and a
// single format applies to all arguments.
func inBinary(codes []int16, i int) bool {
	switch len(codes) {
	case 0:
		return false
	case 1:
		return codes[0] == pgx.BinaryFormatCode
	default:
		return codes[i] == pgx.BinaryFormatCode
	}
}

// perRequest returns the statements that each of a number of equal requests executed, in order. It leaves out
// statements that the program executes independent of requests, such as renewing its lease. They are rarer than
// requests.
func perRequest(seen []statement, requests int) []statement {
	count := map[string]int{}
	for _, s := range seen {
		count[s.text]++
	}
	var each []statement
	for _, s := range seen {
		// Each text is counted at its first occurrence.
		already := slices.ContainsFunc(each, func(e statement) bool { return e.text == s.text })
		if already {
			continue
		}
		for range (count[s.text] + requests/2) / requests {
			each = append(each, s)
		}
	}
	return each
}
