package operations

import (
	"context"
	"fmt"
	"math/rand/v2"
	"net/http"
	"sync"
	"sync/atomic"
	"syscall"
	"testing"
	"time"

	"ticketgate/cmd/systemtest"
	"ticketgate/cmd/ticketgate/demo"
)

// A key is deactivated on one process while 64 clients use it on two, one of which is paused meanwhile. Every request that
// starts after the response is refused.
func TestDeactivatedKeyIsRefusedOnEveryProcess(t *testing.T) {
	testRevocation(t, 5)
}

func testRevocation(t *testing.T, rounds int) {
	t.Helper()
	database, data := systemtest.Seeded(t)
	settings := systemtest.OnDatabase(database, "TICKETGATE_FAILED_CREDENTIAL_RATE=0") // all clients have one address
	answering, paused := systemtest.Serve(t, settings, "--no-workers"), systemtest.Serve(t, settings, "--no-workers")
	sellers := data.Sellers // in turn: a seller has at most 100 keys
	for round := range rounds {
		accepted, refused := revokeOnce(t, answering, paused, sellers[round%len(sellers)])
		if accepted > 0 {
			t.Fatalf("round %d: %d requests that started after the response were accepted (%d were refused)", round, accepted, refused)
		}
	}
}

// revocation is one round of the test: the clients, and the time of the response to the deactivation.
type revocation struct {
	answered          atomic.Pointer[time.Time]
	accepted, refused atomic.Int64
	before            atomic.Int64    // accepted before the response: the key was in use
	after             [2]atomic.Int64 // refused after the response, by process
	trouble           atomic.Pointer[string]
}

func revokeOnce(t *testing.T, answering, paused *systemtest.Process, seller demo.Seller) (accepted, refused int64) {
	t.Helper()
	asPlatform := []string{"Authorization: Bearer " + systemtest.SystemToken, "x-seller-id: " + string(seller.SellerID)}
	status, body := systemtest.Request(t, http.MethodPost, answering.URL+"/api/keys", `{"name": "Round"}`, asPlatform...)
	if status != http.StatusCreated {
		t.Fatalf("create key: %d %s", status, body)
	}
	id, secret := systemtest.Field(t, body, "_id"), systemtest.Field(t, body, "key")

	var round revocation
	ctx, cancel := context.WithCancel(t.Context())
	var clients sync.WaitGroup
	defer clients.Wait()
	defer cancel()
	transport := &http.Transport{MaxIdleConnsPerHost: 64}
	defer transport.CloseIdleConnections()
	for i := range 64 {
		process, url := i%2, [...]string{answering.URL, paused.URL}[i%2]
		clients.Go(func() { round.use(ctx, &http.Client{Transport: transport}, process, url, secret) })
	}
	systemtest.Eventually(t, "the key is in use on both", func() bool { return round.before.Load() > 200 })

	paused.Signal(syscall.SIGSTOP)
	resumed := make(chan struct{})
	go func() { // sometimes before the response, sometimes after it
		<-time.After(rand.N(1600 * time.Millisecond))
		paused.Signal(syscall.SIGCONT)
		close(resumed)
	}()
	status, body = systemtest.Request(t, http.MethodPut, answering.URL+"/api/keys/"+id, `{"active": false}`, asPlatform...)
	now := time.Now()
	round.answered.Store(&now)
	<-resumed
	if status != http.StatusOK {
		t.Fatalf("deactivate: %d %s", status, body)
	}
	systemtest.Eventually(t, "both refuse", func() bool { return round.after[0].Load() > 100 && round.after[1].Load() > 100 })
	if reason := round.trouble.Load(); reason != nil {
		t.Fatal(*reason)
	}
	return round.accepted.Load(), round.refused.Load()
}

// use calls with the key until the context ends.
func (r *revocation) use(ctx context.Context, client *http.Client, process int, url, secret string) {
	for ctx.Err() == nil {
		late := r.answered.Load() != nil // checked before the request starts
		status, body, err := systemtest.TryRequest(ctx, client, http.MethodGet, url+"/api/keys/info", "", "Authorization: Bearer "+secret)
		switch {
		case ctx.Err() != nil:
			return
		case err != nil || (status != http.StatusOK && status != http.StatusUnauthorized):
			text := fmt.Sprintf("status %d %s, %v", status, body, err)
			r.trouble.Store(&text)
			return
		case late && status == http.StatusOK:
			r.accepted.Add(1)
		case late:
			r.refused.Add(1)
			r.after[process].Add(1)
		case status == http.StatusOK:
			r.before.Add(1)
		}
	}
}
