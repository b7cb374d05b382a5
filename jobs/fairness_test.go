package jobs_test

import (
	"context"
	"errors"
	"fmt"
	"net/http"
	"strings"
	"testing"
	"time"

	"github.com/jackc/pgx/v5/pgtype"

	"ticketgate/domain"
	"ticketgate/domain/webhook"
	"ticketgate/jobs"
	"ticketgate/jobs/jobstest"
)

// publishMany publishes the given number of events at once, each to every webhook.
func (p *platform) publishMany(events int) {
	p.t.Helper()
	list := make([]domain.Event, events)
	for i := range list {
		list[i] = domain.Event{SellerID: seller, Type: "ticket.created", Data: []byte(`{"ticket":{}}`)}
	}
	_, err := p.store.Webhooks().PublishAll(p.t.Context(), list)
	p.must(err)
}

// hanging starts a listener that responds to no call until letGo is called.
func hanging(t *testing.T) (url string, calls <-chan call, letGo func()) {
	t.Helper()
	wait := make(chan struct{})
	url, calls = listen(t, func(http.ResponseWriter, int) { <-wait })
	open := true
	letGo = func() {
		if open {
			open = false
			close(wait)
		}
	}
	t.Cleanup(letGo) // before the listener closes, which waits for its calls
	return url, calls, letGo
}

// newPatient is an installation whose calls end only when their listener responds, however slow the machine is.
func newPatient(t *testing.T, workers int) *platform {
	t.Helper()
	p := newPlatform(t, "1h")
	p.config.Concurrency, p.config.Sender.Timeout = workers, time.Hour
	patient, err := jobs.NewWorkers(p.config)
	p.must(err)
	p.workers = patient
	return p
}

// Twenty listeners hang with more first attempts than a process has workers. The attempts to the healthy listener are
// made while every call to the others still hangs.
func TestHangingListenersDelayNoOthers(t *testing.T) {
	const hung, events, workers = 20, 40, 100
	p := newPatient(t, workers)
	letGo := make([]func(), hung)
	for i := range hung {
		var url string
		url, _, letGo[i] = hanging(t)
		p.hook(url, "")
	}
	p.publishMany(events)
	p.start()
	p.until("work on all of them", fmt.Sprintf("SELECT count(*) >= %d FROM set_aside", hung*(events-2*2)))

	healthy, calls := listen(t, status(http.StatusNoContent))
	p.hook(healthy, "")
	for range 10 {
		p.publishMany(1)
		receive(t, calls, "the call to the healthy listener")
	}
	if ended := p.count("SELECT count(*) FROM attempts a JOIN webhooks w ON w.id = a.webhook_id WHERE a.url <> '" + healthy + "'"); ended > 0 {
		t.Errorf("%d calls to hanging listeners ended", ended)
	}
	for _, release := range letGo {
		release()
	}
	p.until("delivery of everything", "SELECT count(*) = 0 FROM deliveries WHERE state <> 'delivered'")
	if left := p.count("SELECT count(*) FROM set_aside"); left != 0 {
		t.Errorf("%d are still set aside", left)
	}
	if wrong := p.count("SELECT count(*) FROM deliveries WHERE attempts <> 1"); wrong != 0 {
		t.Errorf("%d were not attempted exactly once", wrong)
	}
}

// A hanging listener gets two first attempts and two other attempts. Once it responds, all others follow.
func TestAHangingListenerGetsFewCallsUntilItResponds(t *testing.T) {
	const events = 300
	p := newPatient(t, jobs.DefaultConcurrency)
	url, calls, letGo := hanging(t)
	p.hook(url, "")
	p.publishMany(events)
	p.start()
	p.until("all others set aside", fmt.Sprintf("SELECT count(*) = %d FROM set_aside", events-4))
	if got := len(calls); got != 4 {
		t.Errorf("%d calls", got)
	}
	letGo()
	p.until("delivery of everything", fmt.Sprintf("SELECT count(*) = %d FROM deliveries WHERE state = 'delivered' AND attempts = 1", events))
}

// Any process makes the attempts that were set aside by a process that no longer runs.
func TestDeliveriesSetAsideOutliveTheirProcess(t *testing.T) {
	p := newPlatform(t, "1h")
	url, calls := listen(t, status(http.StatusOK))
	hook := p.hook(url, "")
	p.publishMany(3)
	p.exec(jobstest.Delete("true"))
	p.exec("INSERT INTO set_aside SELECT $1, id FROM deliveries", hook.ID)
	p.must(p.workers.SweepBefore(t.Context(), time.Now().Add(time.Second)))
	if created := p.count(jobstest.Count("true")); created != 0 {
		t.Errorf("the sweep inserted %d jobs for deliveries that were set aside", created)
	}
	p.start()
	for range 3 {
		receive(t, calls, "a call")
	}
	p.until("delivery of everything", "SELECT count(*) = 0 FROM deliveries WHERE state <> 'delivered'")
}

// Manual retries have a queue of their own. For a hanging listener they wait in their job and are not set aside.
func TestManualRetriesAreNotSetAside(t *testing.T) {
	p := newPatient(t, jobs.DefaultConcurrency)
	url, calls, letGo := hanging(t)
	p.hook(url, "")
	p.publishMany(3)
	p.exec(jobstest.Delete("true"))
	p.exec("UPDATE deliveries SET next_attempt_at = now() + interval '1 h'")
	list, err := p.deliveries().List(p.key(), webhook.DeliveryFilter{}, domain.Page{Limit: 10})
	p.must(err)
	for _, d := range list.Items {
		_, err := p.deliveries().Retry(p.key(), d.ID)
		p.must(err)
	}
	p.start()
	receive(t, calls, "the first retry")
	receive(t, calls, "the second retry")
	p.until("the third retry to wait", "SELECT count(*) = 1 FROM "+jobstest.Jobs+" WHERE metadata ? 'snoozes'")
	letGo()
	p.until("delivery of everything", "SELECT count(*) = 3 FROM deliveries WHERE state = 'delivered' AND attempts = 1")
	if left := p.count("SELECT count(*) FROM set_aside"); left != 0 {
		t.Errorf("%d were set aside", left)
	}
}

// A manual retry overtakes the backlog of a hanging listener. Scheduled attempts follow in their turn if they are
// still due.
func TestAManualRetryOvertakesTheBacklog(t *testing.T) {
	const events = 20
	p := newPatient(t, jobs.DefaultConcurrency)
	url, calls, letGo := hanging(t)
	p.hook(url, "")
	p.publishMany(events)
	p.start()
	const aside = "SELECT count(*) = %d FROM set_aside"
	p.until("all others set aside", fmt.Sprintf(aside, events-4))
	for range 4 {
		receive(t, calls, "a scheduled call")
	}
	var waiting []string
	p.must(p.sql.QueryRowContext(t.Context(), "SELECT array_agg(delivery_id::text) FROM (SELECT delivery_id FROM set_aside LIMIT 2) s").
		Scan(pgtype.NewMap().SQLScanner(&waiting)))
	asked, err := p.deliveries().Retry(p.key(), waiting[0])
	p.must(err)
	many, err := p.deliveries().RetryMany(p.key(), webhook.Retriggering{IDs: waiting[1:]})
	p.must(err)
	if !asked.RetryRequested || !many[0].RetryRequested {
		t.Errorf("requested %+v and %+v", asked, many[0])
	}
	receive(t, calls, "the manual call")
	receive(t, calls, "the manual call of many")
	letGo()
	p.until("delivery of everything", fmt.Sprintf("SELECT count(*) = %d FROM deliveries WHERE state = 'delivered' AND attempts = 1", events))
	if manual := p.count("SELECT count(*) FROM attempts WHERE by_hand"); manual != 2 {
		t.Errorf("%d manual attempts", manual)
	}
}

// A burst for one webhook makes few jobs with many deliveries, each attempted once.
func TestBurstSharesJobs(t *testing.T) {
	p := newPlatform(t, "1h")
	url, calls := listen(t, status(http.StatusOK))
	p.hook(url, "")
	p.hook("http://192.0.2.1", "") // another webhook: jobs of its own
	p.publishMany(60)
	if created := p.count(jobstest.Count("true")); created != 2*3 {
		t.Errorf("%d jobs", created)
	}
	p.exec(jobstest.Delete("args->>'webhook_id' <> (SELECT id FROM webhooks WHERE url = $1)"), url)
	p.start()
	p.until("delivery of everything", "SELECT count(*) = 60 FROM deliveries WHERE state = 'delivered' AND attempts = 1")
	if len(calls) != 60 {
		t.Errorf("%d calls", len(calls))
	}
}

// A job of several deliveries that runs again makes only the missing attempts.
func TestARepeatedJobMakesTheMissingAttempts(t *testing.T) {
	p := newPlatform(t, "1h")
	url, calls := listen(t, status(http.StatusOK))
	p.hook(url, "")
	p.publishMany(5)
	p.exec(`UPDATE deliveries SET state = 'delivered', attempts = 1, next_attempt_at = NULL
		WHERE id IN (SELECT id FROM deliveries ORDER BY id LIMIT 3)`)
	p.start()
	p.until("end of the job", "SELECT state = 'completed' FROM "+jobstest.Jobs)
	if len(calls) != 2 {
		t.Errorf("%d calls", len(calls))
	}
}

// A delivery that can't be read affects no other.
func TestAnUnreadableDeliveryDelaysNoOther(t *testing.T) {
	p := newPlatform(t, "1h")
	url, calls := listen(t, status(http.StatusOK))
	p.hook(url, "")
	p.publishMany(5)
	p.exec("UPDATE events SET head_version = 99 WHERE id = (SELECT min(id::text)::uuid FROM events)")
	p.start()
	for range 4 {
		receive(t, calls, "a call")
	}
	p.until("delivery of the others", "SELECT count(*) = 4 FROM deliveries WHERE state = 'delivered'")
	p.until("another run for the last one", "SELECT attempt > 1 FROM "+jobstest.Jobs)
}

// A delivery whose signing key is sealed with a secret key that this process lacks delays no other.
func TestAnUnreadableKeyDelaysNoOther(t *testing.T) {
	p := newPlatform(t, "1h")
	url, calls := listen(t, status(http.StatusOK))
	p.hook(url, "strange")
	p.hook(url, "known")
	p.publishMany(1)
	p.exec("UPDATE webhooks SET sealed_hmac_key = 'sealed by somebody else, a while ago' WHERE id = (SELECT min(id) FROM webhooks)")
	var ids []string
	p.must(p.sql.QueryRowContext(t.Context(), "SELECT array_agg(id::text ORDER BY webhook_id) FROM deliveries").
		Scan(pgtype.NewMap().SQLScanner(&ids)))
	found, err := p.store.Attempts().Load(t.Context(), ids)
	p.must(err)
	faults := map[string]error{}
	for _, out := range found {
		faults[out.Delivery.ID] = out.Fault
	}
	fault := faults[ids[0]]
	if cause := errors.Unwrap(fault); len(found) != 2 || cause == nil || !strings.Contains(cause.Error(), "TICKETGATE_SECRET_KEY") ||
		!domain.HasCode(fault, domain.CodeUnavailable) || faults[ids[1]] != nil {
		t.Errorf("faults are %v", faults)
	}
	p.start()
	if got := receive(t, calls, "the call with the known key"); got.header.Get("x-service-signature") != webhook.Sign([]byte("known"), []byte(got.body)) {
		t.Errorf("signed as %s", got.header.Get("x-service-signature"))
	}
	p.until("another run for the other one", "SELECT count(*) = 1 FROM "+jobstest.Jobs+" WHERE attempt > 1")
}

// Stop waits for running calls and starts no more. The next process makes the others.
func TestStopLeavesWaitingDeliveriesToTheNextProcess(t *testing.T) {
	p := newPatient(t, jobs.DefaultConcurrency)
	url, calls, letGo := hanging(t)
	p.hook(url, "")
	p.publishMany(50)
	p.start()
	receive(t, calls, "a call")
	p.until("the others to be set aside", "SELECT count(*) = 46 FROM set_aside")
	stopped := make(chan error, 1)
	go func() { stopped <- p.workers.Stop(context.Background()) }()
	letGo()
	p.must(receive(t, stopped, "the end"))
	next, err := jobs.NewWorkers(p.config)
	p.must(err)
	p.workers = next
	p.start()
	p.until("delivery of everything", "SELECT count(*) = 50 FROM deliveries WHERE state = 'delivered'")
}
