package jobs_test

import (
	"context"
	"database/sql"
	"io"
	"log/slog"
	"net/http"
	"net/http/httptest"
	"strings"
	"testing"
	"time"

	"ticketgate/db"
	"ticketgate/db/dbtest"
	"ticketgate/domain"
	"ticketgate/domain/ecmajson"
	"ticketgate/domain/ids"
	"ticketgate/domain/listenerurl"
	"ticketgate/domain/optional"
	"ticketgate/domain/webhook"
	"ticketgate/jobs"
)

const seller ids.Seller = "111111111111111111111111"

// patience bounds every wait for an asynchronous event.
const patience = time.Minute

// platform is a running installation with one seller.
type platform struct {
	t        *testing.T
	store    *db.Store
	sql      *sql.DB
	workers  *jobs.Workers
	config   jobs.Config
	attempts chan map[string]any // the log lines of attempts
}

// newPlatform creates the installation. start starts its workers.
func newPlatform(t *testing.T, schedule string) *platform {
	t.Helper()
	return newPlatformIn(t, "dev", schedule)
}

// newPlatformIn is newPlatform with a mode.
func newPlatformIn(t *testing.T, mode, schedule string) *platform {
	t.Helper()
	database := dbtest.New(t)
	p := &platform{t: t, attempts: make(chan map[string]any, 100_000)}
	log := slog.New(attemptLines{p.attempts})
	queue := jobs.NewEnqueuer()
	store, err := db.Open(db.Config{
		URL: database.ApplicationURL, Mode: mode, Sealer: database.Sealer, Now: time.Now, Enqueue: queue.Enqueue,
		EnqueueMail: queue.EnqueueMail,
	})
	p.store = store
	p.must(err)
	t.Cleanup(func() { _ = p.store.Close() })
	p.sql, err = sql.Open("pgx", database.ApplicationURL)
	p.must(err)
	t.Cleanup(func() { _ = p.sql.Close() })
	pool, err := jobs.NewPool(t.Context(), database.ApplicationURL, nil)
	p.must(err)
	t.Cleanup(pool.Close)
	waits, err := webhook.ParseRetrySchedule(schedule)
	p.must(err)
	p.config = jobs.Config{
		Pool: pool, Store: p.store.Attempts(), HandOvers: p.store.HandOvers(), Schedule: waits, Log: log, Now: time.Now,
		Sender: &jobs.Sender{
			Outbound: jobs.NewOutbound(listenerurl.Policy{AllowPrivateAddresses: true}, nil, nil, nil), Version: "test",
			Timeout: 5 * time.Second,
		},
	}
	p.workers, err = jobs.NewWorkers(p.config)
	p.must(err)
	p.exec(`INSERT INTO organizations VALUES ('o', 'O', now())`)
	p.exec(`INSERT INTO sellers (id, organization_id, name, country, webhooks, siren, created_at, updated_at)
		VALUES ($1, 'o', 'S', 'FR', true, false, now(), now())`, string(seller))
	return p
}

// key returns the context of a call with a key of the seller.
func (p *platform) key() context.Context {
	return domain.WithActor(p.t.Context(), &domain.Actor{
		Kind: domain.APIKeyActor, ID: "k", SellerID: seller, FullSellerAccess: true, Features: domain.Features{Webhooks: true},
	})
}

func (p *platform) start() {
	p.t.Helper()
	p.must(p.workers.Start(p.t.Context()))
	p.t.Cleanup(func() { // bounded: a failed test may have left calls that hang
		ctx, cancel := context.WithTimeout(context.Background(), time.Second)
		defer cancel()
		_ = p.workers.Stop(ctx)
	})
}

func (p *platform) must(err error) {
	p.t.Helper()
	if err != nil {
		p.t.Fatal(err)
	}
}

func (p *platform) exec(statement string, args ...any) {
	p.t.Helper()
	_, err := p.sql.ExecContext(p.t.Context(), statement, args...)
	p.must(err)
}

func (p *platform) webhooks() webhook.Webhooks {
	return webhook.Webhooks{
		Store: p.store.Webhooks(), Now: time.Now, Policy: listenerurl.Policy{AllowPrivateAddresses: true},
	}
}

func (p *platform) deliveries() webhook.Deliveries {
	return webhook.Deliveries{Store: p.store.Webhooks(), Now: time.Now}
}

// hook creates a webhook subscribed to every type.
func (p *platform) hook(url, key string) webhook.Webhook {
	p.t.Helper()
	all := webhook.Selection{}
	for _, kind := range domain.EventKinds() {
		all[kind.Type] = true
	}
	created, err := p.webhooks().Create(p.key(), webhook.NewWebhook{
		Name: "h", URL: url, Events: optional.Some(all), HMACKey: optional.Some(key),
	})
	p.must(err)
	return created
}

func (p *platform) publish(kind domain.EventType, data string) {
	p.t.Helper()
	canonical, err := ecmajson.Canonical([]byte(data))
	p.must(err)
	p.must(p.store.Webhooks().InTx(p.t.Context(), func(tx webhook.Tx) error {
		_, err := tx.Publish(p.t.Context(), domain.Event{SellerID: seller, Type: kind, Data: canonical})
		return err
	}))
}

// only returns the only delivery.
func (p *platform) only() webhook.DeliveryDetail {
	p.t.Helper()
	list, err := p.deliveries().List(p.key(), webhook.DeliveryFilter{}, domain.Page{Limit: 10})
	p.must(err)
	if len(list.Items) != 1 {
		p.t.Fatalf("%d deliveries", len(list.Items))
	}
	detail, err := p.deliveries().Get(p.key(), list.Items[0].ID)
	p.must(err)
	return detail
}

// attempt waits for the log line of the next attempt.
func (p *platform) attempt() map[string]any {
	p.t.Helper()
	return receive(p.t, p.attempts, "an attempt")
}

// until waits for a state of the database that no event signals.
func (p *platform) until(what, query string) {
	p.t.Helper()
	ctx, cancel := context.WithTimeout(p.t.Context(), patience)
	defer cancel()
	tick := time.NewTicker(20 * time.Millisecond)
	defer tick.Stop()
	for {
		var reached bool
		p.must(p.sql.QueryRowContext(p.t.Context(), query).Scan(&reached))
		if reached {
			return
		}
		select {
		case <-ctx.Done():
			p.t.Fatalf("no %s", what)
		case <-tick.C:
		}
	}
}

func receive[T any](t *testing.T, from <-chan T, what string) (received T) {
	t.Helper()
	select {
	case received = <-from:
	case <-time.After(patience):
		t.Fatalf("waited in vain for %s", what)
	}
	return received
}

// call is a request that a listener received.
type call struct {
	header http.Header
	body   string
}

// listen starts a listener that calls answer for every request.
func listen(t *testing.T, answer func(w http.ResponseWriter, number int)) (url string, calls <-chan call) {
	t.Helper()
	received := make(chan call, 100_000)
	number := make(chan int, 1)
	number <- 1
	server := httptest.NewServer(http.HandlerFunc(func(w http.ResponseWriter, r *http.Request) {
		body, _ := io.ReadAll(r.Body)
		n := <-number
		number <- n + 1
		received <- call{r.Header, string(body)}
		answer(w, n)
	}))
	t.Cleanup(server.Close)
	return server.URL, received
}

func status(code int) func(http.ResponseWriter, int) {
	return func(w http.ResponseWriter, _ int) { w.WriteHeader(code) }
}

// attemptLines is a log handler that sends the lines of attempts to the test.
type attemptLines struct{ to chan<- map[string]any }

func (attemptLines) Enabled(context.Context, slog.Level) bool { return true }
func (l attemptLines) WithAttrs([]slog.Attr) slog.Handler     { return l }
func (l attemptLines) WithGroup(string) slog.Handler          { return l }

func (l attemptLines) Handle(_ context.Context, record slog.Record) error {
	if !strings.HasSuffix(record.Message, " attempt") {
		return nil
	}
	fields := map[string]any{}
	record.Attrs(func(a slog.Attr) bool {
		fields[a.Key] = a.Value.Any()
		return true
	})
	l.to <- fields
	return nil
}
