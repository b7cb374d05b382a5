package webhooks

import (
	"context"
	"fmt"
	"net/http"
	"strings"
	"sync"
	"syscall"
	"testing"
	"time"

	"ticketgate/cmd/systemtest"
)

// Every process is replaced under load, behind the HAProxy of docs/scaling.md. No request fails, and everything is delivered.
func TestRollingRestartFailsNoRequest(t *testing.T) {
	t.Parallel()
	// HAProxy checks more often than in the example, because each restart takes the grace time.
	testRollingRestart(t, 2, 1, 1, "TICKETGATE_SHUTDOWN_GRACE=2s", "inter 1s", "inter 250ms")
}

// testRollingRestart replaces a number of serving and of delivering processes, several times.
func testRollingRestart(t *testing.T, answering, delivering, rounds int, grace string, changes ...string) {
	t.Helper()
	l := newLedger(t, grace, "TICKETGATE_RETRY_SCHEDULE=100ms,1s,1s,1s,1s,1s")
	f := startFleet(t, l, answering, delivering, changes...)
	l.subscribe(t, f.front)
	c := startCallers(t, l, f.front)
	l.awaitCalls(t, "before the restarts", 20)
	for round := range rounds {
		for i := range f.answering {
			before := c.counted()
			f.replace(t, &f.answering[i], func() *systemtest.Process { return f.serve(t, i) })
			t.Logf("round %d: process %d replaced, during %d requests", round, i, c.counted()-before)
		}
		for i := range f.delivering {
			f.replace(t, &f.delivering[i], func() *systemtest.Process { return systemtest.Start(t, f.settings, "work") })
		}
		l.awaitCalls(t, "after the restarts", 20)
	}
	c.stop()
	for i, process := range f.answering {
		if !strings.Contains(process.Stderr.String(), "route=/graphql") {
			t.Errorf("process %d served no request after it was replaced", i)
		}
	}
	l.delivered(t, time.Now().Add(systemtest.DeliveredWithin))
	t.Logf("%d requests, %d deliveries", c.counted(), l.check(t))
	c.check(t)
}

// fleet is an installation of several processes behind an HAProxy.
type fleet struct {
	settings              []string
	ports                 []string
	answering, delivering []*systemtest.Process
	front                 *systemtest.Process // represents all serving processes: it has the URL of HAProxy, and no process
}

func startFleet(t *testing.T, l *ledger, answering, delivering int, changes ...string) *fleet {
	t.Helper()
	f := &fleet{settings: append(l.settings, "TICKETGATE_TRUSTED_PROXIES=loopback")}
	servers := make([]string, answering)
	for i := range answering {
		f.ports = append(f.ports, systemtest.FreePort(t))
		f.answering = append(f.answering, f.serve(t, i))
		servers[i] = fmt.Sprintf("server number%d 127.0.0.1:%s\n", i, f.ports[i])
	}
	for range delivering {
		f.delivering = append(f.delivering, systemtest.Start(t, f.settings, "work"))
	}
	address := "127.0.0.1:" + systemtest.FreePort(t)
	systemtest.StartHAProxy(t, "backend ticketgate", address, append(changes,
		":443 ssl crt /etc/haproxy/tickets.pem", address,
		"server one 10.0.0.11:8080\n", "", "server two 10.0.0.12:8080\n", strings.Join(servers, "    "))...)
	f.front = &systemtest.Process{T: t, URL: "http://" + address}
	return f
}

func (f *fleet) serve(t *testing.T, i int) *systemtest.Process {
	t.Helper()
	return systemtest.Serve(t, append(f.settings, "TICKETGATE_LISTEN=127.0.0.1:"+f.ports[i]), "--no-workers")
}

// replace stops a process gracefully and starts its successor, as docs/scaling.md describes.
func (f *fleet) replace(t *testing.T, process **systemtest.Process, start func() *systemtest.Process) {
	t.Helper()
	(*process).Signal(syscall.SIGTERM)
	select {
	case <-(*process).Ended:
	case <-time.After(time.Minute):
		t.Fatal("the process did not stop")
	}
	if code := (*process).Cmd.ProcessState.ExitCode(); code != 0 {
		t.Errorf("exit code %d", code)
	}
	*process = start()
}

// callers send requests until they are stopped, each on its own keep-alive connection.
type callers struct {
	list   string // the access list that they fill
	url    string
	key    string
	cancel context.CancelFunc
	ended  sync.WaitGroup

	mutex   sync.Mutex
	count   int
	entries map[string]bool // by the code of each created entry
	failed  []string
}

func startCallers(t *testing.T, l *ledger, at *systemtest.Process) *callers {
	t.Helper()
	c := &callers{url: at.URL, key: systemtest.AsKey(l.seller.APIKey), entries: map[string]bool{}}
	_, text := systemtest.Request(t, http.MethodPost, c.url+"/api/access-lists", `{"name": "Rolling"}`, c.key)
	c.list = c.url + "/api/access-lists/" + systemtest.Field(t, text, "_id") + "/entries"
	ctx, cancel := context.WithCancel(t.Context())
	c.cancel = cancel
	for number := range 2 {
		c.start(ctx, func(client *http.Client, i int) string {
			code := fmt.Sprintf("card-%d-%05d", number, i)
			failure := c.call(client, http.MethodPost, c.list, `{"externalCode": "`+code+`"}`, http.StatusCreated)
			if failure == "" {
				c.note(func() { c.entries[code] = true })
			}
			return failure
		})
		c.start(ctx, func(client *http.Client, _ int) string {
			return c.call(client, http.MethodGet, c.list, "", http.StatusOK)
		})
		c.start(ctx, func(client *http.Client, _ int) string {
			return c.call(client, http.MethodPost, c.url+"/graphql", `{"query": "{ accessLists { nodes { _id name } totalCount } }"}`, http.StatusOK)
		})
		c.start(ctx, func(_ *http.Client, i int) string {
			if taken, answer := l.tryPublish(at, []string{fmt.Sprintf("rolling-%d-%05d", number, i)}); !taken {
				return "publish: " + answer
			}
			return ""
		})
	}
	t.Cleanup(c.stop)
	return c
}

// start starts a caller that calls again and again. call returns why a call failed, or "".
func (c *callers) start(ctx context.Context, call func(client *http.Client, i int) string) {
	client := &http.Client{Transport: &http.Transport{MaxIdleConns: 1}, Timeout: 20 * time.Second}
	c.ended.Go(func() {
		defer client.CloseIdleConnections()
		for i := 0; ctx.Err() == nil; i++ {
			failure := call(client, i)
			c.note(func() {
				if c.count++; failure != "" {
					c.failed = append(c.failed, time.Now().Format("15:04:05.000 ")+failure)
				}
			})
			<-time.After(publishEvery)
		}
	})
}

// call returns what is wrong with a call's response, or "".
func (c *callers) call(client *http.Client, method, url, body string, want int) string {
	status, answer, err := systemtest.TryRequest(context.Background(), client, method, url, body, c.key)
	if err != nil || status != want || strings.Contains(answer, `"errors"`) {
		return fmt.Sprintf("%s %s: %d %.200s, %v", method, strings.TrimPrefix(url, c.url), status, answer, err)
	}
	return ""
}

func (c *callers) note(what func()) {
	c.mutex.Lock()
	defer c.mutex.Unlock()
	what()
}

func (c *callers) counted() (count int) {
	c.note(func() { count = c.count })
	return count
}

func (c *callers) stop() {
	c.cancel()
	c.ended.Wait()
}

// check fails the test for each failed call, and unless exactly the confirmed entries exist.
func (c *callers) check(t *testing.T) {
	t.Helper()
	for _, failure := range c.failed {
		t.Error(failure)
	}
	_, text := systemtest.Request(t, http.MethodGet, c.list+"?top=1", "", c.key)
	if want := fmt.Sprintf(`"total":%d`, len(c.entries)); len(c.entries) == 0 || !strings.Contains(text, want) {
		t.Errorf("want %s in %s", want, text)
	}
}
