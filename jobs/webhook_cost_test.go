package jobs

import (
	"bytes"
	"io"
	"net"
	"runtime"
	"strings"
	"sync"
	"testing"
	"time"

	"ticketgate/domain/webhook"
)

// A response makes the process allocate at most two megabytes per call in total, however large it is.
func TestLargeResponsesUseLittleMemory(t *testing.T) {
	const calls, most = 20, 2 << 20
	chunk := bytes.Repeat([]byte("x"), 64<<10)
	for name, first := range map[string]string{
		"body":        "HTTP/1.1 200 OK\r\n\r\n",
		"head":        "HTTP/1.1 200 OK\r\nA: ",
		"status line": "HTTP/1.1 200 ",
	} {
		t.Run(name, func(t *testing.T) {
			url, _ := peer(t, func(c *net.TCPConn) {
				readRequest(c)
				io.WriteString(c, first)
				for { // without allocating: the listener runs in the same process
					if _, err := c.Write(chunk); err != nil {
						return
					}
				}
			})
			sender := newSender(t)
			sender.Timeout = 2 * time.Second
			var before, after runtime.MemStats
			runtime.ReadMemStats(&before)
			var all sync.WaitGroup
			for range calls {
				all.Go(func() { sender.Send(t.Context(), Request{URL: url, Body: []byte("{}")}) })
			}
			all.Wait()
			runtime.ReadMemStats(&after)
			if cost := (after.TotalAlloc - before.TotalAlloc) / calls; cost > most {
				t.Errorf("%d bytes a call", cost)
			}
		})
	}
}

// A key of any bytes signs, and no byte of it gets into a header.
func TestAnyKeyBytesSign(t *testing.T) {
	for _, key := range []string{
		"k", "\r\nX-Injected: 1", "\x00", "a\x00b", "\n", "clé 🎫", strings.Repeat("é", 2048), "\xff\xfe", " ",
	} {
		head := make(chan string, 1)
		url, _ := peer(t, func(c *net.TCPConn) {
			var text bytes.Buffer
			buffer := make([]byte, 64<<10)
			for !strings.HasSuffix(text.String(), "}") {
				n, err := c.Read(buffer)
				if err != nil {
					break
				}
				text.Write(buffer[:n])
			}
			head <- text.String()
			io.WriteString(c, "HTTP/1.1 204 No Content\r\nConnection: close\r\n\r\n")
		})
		if result := newSender(t).Send(t.Context(), Request{URL: url, Key: []byte(key), Body: []byte("{}")}); !result.Delivered() {
			t.Fatalf("%q ended as %+v", key, result)
		}
		sent := <-head
		signature := "\r\nX-Service-Signature: " + webhook.Sign([]byte(key), []byte("{}")) + "\r\n"
		if !strings.Contains(sent, signature) || strings.Count(sent, "\r\n") != 7 || strings.Contains(sent, "Injected") {
			t.Errorf("with the key %q it sent %q", key, sent)
		}
	}
}
