package db_test

import (
	"context"
	"database/sql"
	"sync"
	"sync/atomic"
	"testing"
	"time"

	_ "github.com/jackc/pgx/v5/stdlib" // reads and prepares rows without the store
	"go.uber.org/goleak"

	"ticketgate/db"
	"ticketgate/db/dbtest"
	"ticketgate/domain"
	"ticketgate/domain/apikey"
	"ticketgate/domain/ids"
	"ticketgate/domain/moment"
	"ticketgate/domain/optional"
	"ticketgate/domain/secrets"
	"ticketgate/domain/tenant"
)

const (
	keySeller       = ids.Seller("0000000000000000000000b1")
	keyOrganization = ids.Org("0000000000000000000000a1")
)

// processes is a database with one seller, and the stores on it that play server processes.
type processes struct {
	t        testing.TB
	database *dbtest.Database
	sql      *sql.DB // the application's, without a store
}

// process is one of these server processes, as the transports use it.
type process struct {
	*db.Store
	keys apikey.Keys
	auth *apikey.Authenticator
}

func newProcesses(tb testing.TB) *processes {
	tb.Helper()
	p := &processes{t: tb, database: dbtest.New(tb)}
	pool, err := sql.Open("pgx", p.database.ApplicationURL)
	if err != nil {
		tb.Fatal(err)
	}
	tb.Cleanup(func() { _ = pool.Close() })
	p.sql = pool
	p.exec("INSERT INTO organizations VALUES ($1, 'One', now())", string(keyOrganization))
	p.exec(`INSERT INTO sellers (id, organization_id, name, country, webhooks, siren, created_at, updated_at)
		VALUES ($1, $2, 'Seller', 'FR', true, false, now(), now())`, string(keySeller), string(keyOrganization))
	return p
}

func (p *processes) exec(query string, args ...any) {
	p.t.Helper()
	if _, err := p.sql.ExecContext(context.Background(), query, args...); err != nil {
		p.t.Fatalf("%s: %v", query, err)
	}
}

func (p *processes) count(query string, args ...any) (count int) {
	p.t.Helper()
	if err := p.sql.QueryRowContext(context.Background(), query, args...).Scan(&count); err != nil {
		p.t.Fatalf("%s: %v", query, err)
	}
	return count
}

// stopped opens a process that does not renew its lease.
func (p *processes) stopped() process {
	p.t.Helper()
	store, err := db.Open(db.Config{URL: p.database.ApplicationURL, Sealer: p.database.Sealer, Now: time.Now})
	if err != nil {
		p.t.Fatal(err)
	}
	p.t.Cleanup(func() { _ = store.Close() })
	return process{
		store,
		apikey.Keys{Store: store.APIKeys(), Now: time.Now},
		&apikey.Authenticator{Store: store.Credentials(), Now: time.Now, SessionIdle: 30 * time.Minute},
	}
}

// running opens a process that holds its lease.
func (p *processes) running() process {
	p.t.Helper()
	opened := p.stopped()
	opened.Credentials().Start(context.Background())
	p.t.Cleanup(func() { opened.Credentials().Stop(context.Background()) })
	p.eventually("a lease is held", opened.Lease().Valid)
	return opened
}

func (p *processes) eventually(what string, holds func() bool) {
	p.t.Helper()
	ticker := time.NewTicker(2 * time.Millisecond)
	defer ticker.Stop()
	deadline := time.After(10 * time.Second)
	for !holds() {
		select {
		case <-ticker.C:
		case <-deadline:
			p.t.Fatalf("never: %s", what)
		}
	}
}

func platform() context.Context {
	return domain.WithActor(context.Background(), &domain.Actor{Kind: domain.SystemActor, SellerID: keySeller})
}

func (p *processes) newKey(on process, permissions ...domain.Permission) apikey.Key {
	p.t.Helper()
	key, err := on.keys.Create(platform(), apikey.NewKey{Name: "k", Permissions: optional.Some(permissions)})
	if err != nil {
		p.t.Fatal(err)
	}
	return key
}

func (p *processes) update(on process, key apikey.Key, change apikey.Change) {
	p.t.Helper()
	if _, err := on.keys.Update(platform(), key.ID, change); err != nil {
		p.t.Fatal(err)
	}
}

func (on process) check(secret string) (*domain.Actor, error) {
	return on.auth.Authenticate(context.Background(), apikey.Credentials{Bearer: []string{"Bearer " + secret}})
}

func accepted(err error) bool { return !domain.HasCode(err, domain.CodeUnauthenticated) }

func TestCheckNeedsNoQueryWhileLeaseIsHeld(t *testing.T) {
	t.Parallel()
	p := newProcesses(t)
	item := p.running()
	key, other := p.newKey(item, "events:list"), p.newKey(item)
	if _, err := item.check(key.Secret); err != nil {
		t.Fatal(err)
	}
	_ = item.Close() // closes the pool; the lease has a connection of its own
	for range 100 {
		if actor, err := item.check(key.Secret); err != nil || !actor.Permissions.Has("events:list") {
			t.Fatalf("a check read the database: %v", err)
		}
	}
	if _, err := item.check(other.Secret); err == nil || !accepted(err) {
		t.Errorf("a key that is not cached: %v", err)
	}
}

// A change on one process holds on the other as soon as it returns (AUTH-5).
func TestAChangeTakesEffectOnEveryProcess(t *testing.T) {
	t.Parallel()
	p := newProcesses(t)
	item, two := p.running(), p.running()
	permitted := func(key apikey.Key) bool {
		actor, err := two.check(key.Secret)
		return err == nil && actor.Permissions.Has("events:list") && actor.Features.Webhooks
	}
	for name, change := range map[string]func(apikey.Key){
		"deactivation": func(key apikey.Key) { p.update(item, key, apikey.Change{Active: optional.Some(false)}) },
		"expiry": func(key apikey.Key) {
			now := apikey.Expiry{DateTime: moment.New(time.Now())}
			p.update(item, key, apikey.Change{ExpiresAt: optional.Some(now)})
		},
		"fewer permissions": func(key apikey.Key) {
			p.update(item, key, apikey.Change{Permissions: optional.Some([]domain.Permission{})})
		},
		"rotation": func(key apikey.Key) {
			if _, err := item.keys.Rotate(platform(), apikey.Rotation{ID: key.ID}); err != nil {
				t.Fatal(err)
			}
		},
	} {
		for round := range 20 {
			key := p.newKey(item, "events:list")
			if !permitted(key) {
				t.Fatalf("%s: a new key does not work on the other process", name)
			}
			change(key)
			if permitted(key) {
				t.Fatalf("%s: the other process still accepts, round %d", name, round)
			}
			if !two.Lease().Valid() {
				p.eventually("the other process holds a lease again", two.Lease().Valid)
			}
		}
	}
}

func TestChangeWaitsForStoppedProcess(t *testing.T) {
	t.Parallel()
	p := newProcesses(t)
	item, paused := p.running(), p.stopped()
	key := p.newKey(item)
	if err := paused.Lease().RenewOnce(t.Context()); err != nil {
		t.Fatal(err)
	}
	if _, err := paused.check(key.Secret); err != nil || !paused.Lease().Valid() {
		t.Fatalf("the process has cached nothing: %v", err)
	}
	p.update(item, key, apikey.Change{Active: optional.Some(false)})
	if paused.Lease().Valid() {
		t.Error("the change returned while another process trusts its cache")
	}
	if _, err := paused.check(key.Secret); accepted(err) {
		t.Errorf("accepted after the change returned: %v", err)
	}
	if rows := p.count("SELECT count(*) FROM leases WHERE process_id = $1", paused.Lease().ProcessID()); rows != 0 {
		t.Error("the next change would wait again")
	}
	p.update(item, key, apikey.Change{Active: optional.Some(true)})
	if err := paused.Lease().RenewOnce(t.Context()); err != nil || !paused.Lease().Valid() {
		t.Errorf("the process does not recover: %v", err)
	}
}

func TestTheChangingProcessClearsItsCacheAtOnce(t *testing.T) {
	t.Parallel()
	p := newProcesses(t)
	item := p.stopped() // it learns of its own change only from the change itself
	still := time.Now()
	item.Lease().SetLeaseClock(func() time.Time { return still })
	key := p.newKey(item)
	if err := item.Lease().RenewOnce(t.Context()); err != nil {
		t.Fatal(err)
	}
	if _, err := item.check(key.Secret); err != nil {
		t.Fatal(err)
	}
	p.update(item, key, apikey.Change{Active: optional.Some(false)})
	if _, err := item.check(key.Secret); accepted(err) || !item.Lease().Valid() {
		t.Errorf("accepted after the change returned: %v", err)
	}
}

func TestLeaseCountsFromBeforeItsRenewal(t *testing.T) {
	t.Parallel()
	p := newProcesses(t)
	slow := p.stopped()
	started, calls := time.Now(), 0
	slow.Lease().SetLeaseClock(func() time.Time { // the first renewal learns the epoch, the second is granted
		calls++
		return started.Add(time.Duration(calls) * db.LeaseLength / 2)
	})
	last := started.Add(db.LeaseLength) // when the second was sent
	if err := slow.Lease().RenewOnce(t.Context()); err != nil {
		t.Fatal(err)
	}
	for at, want := range map[time.Time]bool{
		last: true, last.Add(db.LeaseLength - 1): true, last.Add(db.LeaseLength): false,
	} {
		slow.Lease().SetLeaseClock(func() time.Time { return at })
		if got := slow.Lease().Valid(); got != want {
			t.Errorf("%v after the renewal was sent: valid is %v", at.Sub(last), got)
		}
	}
}

// A connection that breaks again and again costs only speed.
func TestChangesHoldWhileConnectionsAreCut(t *testing.T) {
	t.Parallel()
	p := newProcesses(t)
	item, two := p.running(), p.running()
	for round := range 5 {
		key := p.newKey(item)
		if _, err := two.check(key.Secret); err != nil {
			t.Fatal(err)
		}
		if cut := p.count(`SELECT count(pg_terminate_backend(pid)) FROM pg_stat_activity
			WHERE datname = current_database() AND application_name = $1`, db.LeaseName); cut == 0 {
			t.Fatal("no connection to break")
		}
		p.update(item, key, apikey.Change{Active: optional.Some(false)})
		if _, err := two.check(key.Secret); accepted(err) {
			t.Fatalf("accepted after the change returned, round %d: %v", round, err)
		}
		p.eventually("both hold a lease again", func() bool { return item.Lease().Valid() && two.Lease().Valid() })
	}
}

// The same holds within one process: no call that starts after the change returned is accepted.
func TestNoCallAfterTheResponseIsAccepted(t *testing.T) {
	t.Parallel()
	p := newProcesses(t)
	all := []process{p.running(), p.running()}
	for round := range 5 {
		key := p.newKey(all[0])
		var answered, late, calls atomic.Int64
		stop := make(chan struct{})
		var clients sync.WaitGroup
		for i := range 16 {
			clients.Go(func() {
				for {
					select {
					case <-stop:
						return
					default:
					}
					after := answered.Load()
					_, err := all[i%2].check(key.Secret)
					calls.Add(1)
					if accepted(err) {
						late.Add(after)
					}
				}
			})
		}
		p.eventually("all call", func() bool { return calls.Load() > 1000 })
		p.update(all[round%2], key, apikey.Change{Active: optional.Some(false)})
		answered.Store(1)
		seen := calls.Load()
		p.eventually("all have called again", func() bool { return calls.Load() > seen+500 })
		close(stop)
		clients.Wait()
		if late.Load() != 0 {
			t.Fatalf("round %d: %d calls of %d were accepted after the change returned", round, late.Load(), calls.Load())
		}
	}
}

func TestEndedSessionIsRefusedEverywhere(t *testing.T) {
	t.Parallel()
	p := newProcesses(t)
	item, two := p.running(), p.running()
	secret := secrets.New(secrets.Session)
	digest := secrets.DigestOf(secret)
	p.exec("INSERT INTO users VALUES ('u', 'e', 'e', 'U', 'h', now(), now())")
	now := time.Now()
	p.exec("INSERT INTO sessions VALUES ('x', $1, 'u', $2, $2, $3, '', '')", digest[:], now, now.Add(time.Hour))
	if actor, err := two.check(secret); err != nil || actor.SessionID != "x" {
		t.Fatalf("%+v, %v", actor, err)
	}
	err := item.Tenants().InTx(t.Context(), func(tx tenant.Tx) error { return tx.EndSession(t.Context(), "x") })
	if err != nil {
		t.Fatal(err)
	}
	if _, err := two.check(secret); accepted(err) {
		t.Errorf("accepted after the change returned: %v", err)
	}
}

func TestLastUseIsWrittenOncePerMinute(t *testing.T) {
	t.Parallel()
	p := newProcesses(t)
	item, two := p.stopped(), p.stopped()
	key := p.newKey(item)
	use := func(on process) {
		if _, err := on.check(key.Secret); err != nil {
			t.Fatal(err)
		}
		on.Credentials().FlushUses(t.Context())
	}
	use(item)
	first, err := item.keys.Get(platform(), key.ID)
	if err != nil || first.LastUsedAt == nil || time.Since(first.LastUsedAt.Time) > time.Minute {
		t.Fatalf("last used: %v, %v", first.LastUsedAt, err)
	}
	use(two)
	if second, err := item.keys.Get(platform(), key.ID); err != nil || *second.LastUsedAt != *first.LastUsedAt {
		t.Errorf("written twice in a minute: %v, %v", second.LastUsedAt, err)
	}
	p.exec("UPDATE api_key_uses SET last_used_at = last_used_at - interval '1 minute'")
	use(p.stopped())
	if third, err := item.keys.Get(platform(), key.ID); err != nil || third.LastUsedAt.Before(first.LastUsedAt.Time) {
		t.Errorf("not written after a minute: %v, %v", third.LastUsedAt, err)
	}
}

func TestAProcessIsListedWhileItRuns(t *testing.T) {
	p := newProcesses(t)
	opened := p.stopped()
	if err := opened.Ping(t.Context()); err != nil {
		t.Fatal(err)
	}
	before := goleak.IgnoreCurrent()
	live := func() int {
		return p.count("SELECT count(*) FROM live_processes WHERE process_id = $1", opened.Lease().ProcessID())
	}
	opened.Credentials().Start(t.Context())
	p.eventually("the process is on the list", func() bool { return live() == 1 })
	opened.Credentials().Stop(t.Context())
	if live() != 0 || opened.Lease().Valid() {
		t.Error("a stopped process is still on the list")
	}
	goleak.VerifyNone(t, before)
}
