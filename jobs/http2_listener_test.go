package jobs

import (
	"bytes"
	"crypto/tls"
	"io"
	"net"
	"net/http"
	"sync/atomic"
	"testing"
	"time"

	"golang.org/x/net/http2"
	"golang.org/x/net/http2/hpack"

	"ticketgate/domain/webhook"
)

// http2Listener speaks HTTP/2 frames. behave handles each call by its number, counted over all connections.
type http2Listener struct {
	calls  atomic.Int32
	behave func(frames *http2.Framer, stream uint32, number int32)
}

// serve starts the listener and returns a sender that calls it.
func (l *http2Listener) serve(t *testing.T) *Sender {
	t.Helper()
	a := newAuthority(t)
	listener, err := tls.Listen("tcp", "127.0.0.1:0", &tls.Config{
		Certificates: []tls.Certificate{a.leaf("hook.acme-tickets.com", -time.Hour, time.Hour, a.cert)}, NextProtos: []string{"h2"},
	})
	if err != nil {
		t.Fatal(err)
	}
	t.Cleanup(func() { listener.Close() })
	go func() {
		for {
			conn, err := listener.Accept()
			if err != nil {
				return
			}
			go l.answer(conn)
		}
	}()
	sender := newSender(t)
	sender.Timeout = 5 * time.Second
	a.trustedBy(sender.Outbound)
	sender.Outbound.resolver = answering("127.0.0.1")
	sender.Outbound.dial = (&recordingDial{to: listener.Addr().String()}).dial
	return sender
}

func (l *http2Listener) answer(conn net.Conn) {
	defer conn.Close()
	if _, err := io.ReadFull(conn, make([]byte, len(http2.ClientPreface))); err != nil {
		return
	}
	frames := http2.NewFramer(conn, conn)
	frames.WriteSettings()
	for {
		frame, err := frames.ReadFrame()
		if err != nil {
			return
		}
		switch f := frame.(type) {
		case *http2.SettingsFrame:
			if !f.IsAck() {
				frames.WriteSettingsAck()
			}
		case *http2.PingFrame:
			if !f.IsAck() {
				frames.WritePing(true, f.Data)
			}
		case *http2.DataFrame:
			if f.StreamEnded() {
				l.behave(frames, f.StreamID, l.calls.Add(1))
			}
		}
	}
}

func sayOK(frames *http2.Framer, stream uint32) {
	var head bytes.Buffer
	hpack.NewEncoder(&head).WriteField(hpack.HeaderField{Name: ":status", Value: "200"})
	frames.WriteHeaders(http2.HeadersFrameParam{StreamID: stream, BlockFragment: head.Bytes(), EndHeaders: true, EndStream: true})
}

// net/http would resend these requests indefinitely. Here each is sent once, or twice if the first was on a kept
// connection.
func TestRefusingHTTP2ListenerIsCalledOnce(t *testing.T) {
	for name, refuse := range map[string]func(frames *http2.Framer, stream uint32){
		"refuses the stream":     func(f *http2.Framer, stream uint32) { f.WriteRSTStream(stream, http2.ErrCodeRefusedStream) },
		"finds a protocol error": func(f *http2.Framer, stream uint32) { f.WriteRSTStream(stream, http2.ErrCodeProtocol) },
		"sends GOAWAY":           func(f *http2.Framer, _ uint32) { f.WriteGoAway(0, http2.ErrCodeNo, nil) },
	} {
		t.Run(name, func(t *testing.T) {
			listener := &http2Listener{behave: func(f *http2.Framer, stream uint32, _ int32) { refuse(f, stream) }}
			result := listener.serve(t).Send(t.Context(), Request{URL: "https://hook.acme-tickets.com/", Body: []byte("{}")})
			if got := listener.calls.Load(); result.Failure != webhook.FailureClosedEarly || got != 1 {
				t.Errorf("%d calls on a new connection ended as %+v", got, result)
			}
			listener = &http2Listener{behave: func(f *http2.Framer, stream uint32, number int32) {
				if number == 1 {
					sayOK(f, stream)
				} else {
					refuse(f, stream)
				}
			}}
			sender := listener.serve(t)
			for _, want := range []struct {
				status  int
				failure webhook.Failure
				calls   int32
			}{{http.StatusOK, "", 1}, {0, webhook.FailureClosedEarly, 3}} {
				result := sender.Send(t.Context(), Request{URL: "https://hook.acme-tickets.com/", Body: []byte("{}")})
				if got := listener.calls.Load(); result.Status != want.status || result.Failure != want.failure || got != want.calls {
					t.Errorf("after %d calls ended as %+v", got, result)
				}
			}
		})
	}
}

func TestAClosedHTTP2ConnectionCostsNoAttempt(t *testing.T) {
	listener := &http2Listener{behave: func(f *http2.Framer, stream uint32, number int32) {
		if number == 2 {
			f.WriteGoAway(1, http2.ErrCodeNo, nil)
		} else {
			sayOK(f, stream)
		}
	}}
	sender := listener.serve(t)
	for range 2 {
		if result := sender.Send(t.Context(), Request{URL: "https://hook.acme-tickets.com/", Body: []byte("{}")}); !result.Delivered() {
			t.Errorf("ended as %+v", result)
		}
	}
	if got := listener.calls.Load(); got != 3 {
		t.Errorf("%d calls", got)
	}
}
