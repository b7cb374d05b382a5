package webhooks

import (
	"net/http"
	"testing"
	"time"

	"ticketgate/cmd/systemtest"
)

func TestKillAfterCommitLosesNoDelivery(t *testing.T) {
	t.Parallel()
	database, data := systemtest.Seeded(t)
	settings := systemtest.OnDatabase(database)
	listener, calls := systemtest.NewListener(t, func(int) int { return http.StatusOK })
	first := systemtest.Serve(t, settings, "--no-workers")
	seller := systemtest.Subscribed(t, first.URL, listener, data.Sellers[0])
	systemtest.Publish(t, first.URL, seller)
	first.Kill()
	if len(calls) > 0 {
		t.Fatal("the event was delivered without workers")
	}

	systemtest.Start(t, settings, "work")
	systemtest.CheckBody(t, systemtest.Await(t, calls, systemtest.DeliveredWithin), seller)
}

func TestKillDuringAnAttemptDeliversTheSameBytes(t *testing.T) {
	t.Parallel()
	database, data := systemtest.Seeded(t)
	settings := systemtest.OnDatabase(database)
	hang := make(chan struct{})
	listener, calls := systemtest.NewListener(t, func(call int) int {
		if call == 1 {
			<-hang
		}
		return http.StatusOK
	})
	t.Cleanup(func() { close(hang) }) // before the listener closes, which waits for its calls
	first := systemtest.Serve(t, settings)
	seller := systemtest.Subscribed(t, first.URL, listener, data.Sellers[0])
	systemtest.Publish(t, first.URL, seller)
	before := systemtest.Await(t, calls, time.Minute)
	first.Kill()

	restarted := systemtest.Serve(t, settings)
	after := systemtest.Await(t, calls, systemtest.DeliveredWithin)
	systemtest.CheckBody(t, before, seller)
	if after.Body != before.Body {
		t.Errorf("the body changed:\n%s\n%s", before.Body, after.Body)
	}
	if a, b := before.Header.Get("X-Service-Signature"), after.Header.Get("X-Service-Signature"); a == "" || a != b {
		t.Errorf("signatures: %q and %q", a, b)
	}
	if restarted.Stop() != 0 {
		t.Error("the restarted server did not stop with exit code 0")
	}
}
