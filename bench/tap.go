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

// tap is a proxy between a program and its PostgreSQL that records the executed statements, so that reports state the
// observed statements of a request. It is used only for that: measured programs talk to PostgreSQL directly.
type tap struct {
	port     int
	listener net.Listener

	mu         sync.Mutex
	seen       []statement
	roundTrips int // how often a response was waited for
	// timed is a part of the statements to time. If set, nothing else is recorded.
	timed string
	times []time.Duration
}

// statement is one execution. Its arguments are in the form that pgbench takes.
type statement struct {
	text      string
	arguments []string
}

// openTap listens for connections to the database server of a URL. timed is a part of the statements to time; if empty, all
// are recorded.
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

// pgconnAddress returns the address of a server. A host that is a path is the folder of its socket.
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

// close stops accepting connections. Open ones end with their program.
func (t *tap) close() { _ = t.listener.Close() }

// pass forwards bytes both ways and parses those of the program.
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
	// Reading also forwards, through the TeeReader. The backend never sends anything.
	reader := pgproto3.NewBackend(io.TeeReader(program, server), io.Discard)
	if _, err := reader.ReceiveStartupMessage(); err != nil {
		return
	}
	t.follow(reader, &asked)
}

// clock holds when a timed statement was sent on a connection.
type clock struct{ began atomic.Pointer[time.Time] }

// answers reads the server's messages, and ends the time of a statement when the server is ready for the next.
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
		if began := asked.began.Swap(nil); began != nil {
			t.mu.Lock()
			t.times = append(t.times, time.Since(*began))
			t.mu.Unlock()
		}
	}
}

// follow records what one connection executes, until it ends. Prepared statements and portals have names.
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

// start starts the time of a statement that is timed.
func (c *clock) start(looked bool) {
	if now := time.Now(); looked {
		c.began.Store(&now)
	}
}

// note records a statement. Several connections call it concurrently.
func (t *tap) note(s statement) {
	t.mu.Lock()
	defer t.mu.Unlock()
	if t.timed == "" {
		t.seen = append(t.seen, s)
	}
}

// wait counts one message after which the program waits for a response.
func (t *tap) wait() {
	t.mu.Lock()
	defer t.mu.Unlock()
	t.roundTrips++
}

// take returns the statements executed since the last call, and how often a response was waited for.
func (t *tap) take() (seen []statement, roundTrips int) {
	t.mu.Lock()
	defer t.mu.Unlock()
	seen, roundTrips = t.seen, t.roundTrips
	t.seen, t.roundTrips = nil, 0
	return seen, roundTrips
}

// takeTimes returns the sorted times of the timed statements since the last call.
func (t *tap) takeTimes() []time.Duration {
	t.mu.Lock()
	defer t.mu.Unlock()
	times := t.times
	t.times = nil
	slices.Sort(times)
	return times
}

// arguments returns the arguments as text. Whole numbers may be binary; the repeated statements have no other binary values.
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

// inBinary interprets PostgreSQL's list of formats: empty means text, one applies to all, otherwise there is one for each.
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

// perRequest returns the statements that each of a number of equal requests executed, in order. Statements that the program
// executes apart from requests, such as renewing its lease, are rarer than requests and left out.
func perRequest(seen []statement, requests int) []statement {
	count := map[string]int{}
	for _, s := range seen {
		count[s.text]++
	}
	var each []statement
	for _, s := range seen {
		// Counted at its first occurrence.
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
