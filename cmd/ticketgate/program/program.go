// Package program is the server as a value with Run and Close. It is the only package that imports all others, and
// contains no rules of the product:
//
// - config.go is the table of settings. config_values.go parses single values, config_load.go all of them.
// - database.go finds or starts the database. secrets.go generates keys that are not set.
// - wire.go joins the areas to the store. program.go starts and stops everything.
// - serving.go, routing.go, probes.go and limiter.go are the HTTP side.
package program

import (
	"context"
	"errors"
	"fmt"
	"log/slog"
	"net/netip"
	"slices"
	"sync/atomic"
	"time"

	"ticketgate/cmd/ticketgate/telemetry"
	"ticketgate/db"
	"ticketgate/graph"
	"ticketgate/jobs"
)

// Version is the version of Ticketgate, which the linker sets (`make build`).
var Version = "unknown"

// Time limits of a graceful stop: for requests, for attempts, and for pending writes.
const (
	drainBound   = 20 * time.Second
	workersBound = 10 * time.Second
	flushBound   = 5 * time.Second
)

// Program is the running server. Run starts it and returns, Close stops it gracefully.
type Program struct {
	Config *Config
	Log    *slog.Logger
	// Serves and Delivers select what runs in this process: the API, and the workers.
	Serves, Delivers bool

	database        *Database
	store           *db.Store
	migrator        *db.Migrator
	serving         *HTTPServer
	admin           *HTTPServer
	delivery        *delivery
	instrumentation telemetry.Instrumentation
	idle            giveBack
	stopping        atomic.Bool
	// closing holds a stop function for each started part. They are called in reverse order.
	closing []func() error
}

// Run starts everything and returns when the server is ready. If a part fails to start, Run stops the others and returns the
// error.
func (p *Program) Run(ctx context.Context) error {
	for _, start := range []func(context.Context) error{
		p.listen, p.startInstrumentation, p.openDatabase, p.openStore, p.startDelivery, p.serve,
	} {
		if err := start(ctx); err != nil {
			return errors.Join(err, p.Close())
		}
	}
	return nil
}

// URL returns the URL of the API.
func (p *Program) URL() string { return p.serving.URL() }

// AdminURL returns the URL of metrics, profiles and River's web pages, or an empty string if they are not served.
func (p *Program) AdminURL() string {
	if p.admin == nil {
		return ""
	}
	return p.admin.URL()
}

// Store returns the store of the running program.
func (p *Program) Store() *db.Store { return p.store }

// Operations returns the operations of all areas on the store.
func (p *Program) Operations() *graph.Resolver { return newOperations(p.Config, p.store) }

// Instrumentation returns the instrumentation of the program. If it is the zero value, nothing is recorded.
func (p *Program) Instrumentation() telemetry.Instrumentation { return p.instrumentation }

// Failed returns a channel that is closed when the private PostgreSQL stops by itself. The program then can't continue.
func (p *Program) Failed() <-chan struct{} { return p.database.failed() }

// Failure returns the reason why the private PostgreSQL stopped.
func (p *Program) Failure() error { return p.database.server.Err() }

// Close stops everything without losing work. It refuses new work, finishes requests, then attempts, then pending
// writes, and closes the database last.
func (p *Program) Close() error {
	p.stopping.Store(true)
	var failures []error
	for _, stop := range slices.Backward(p.closing) {
		failures = append(failures, stop())
	}
	p.closing = nil
	return errors.Join(failures...)
}

func (p *Program) onClose(stop func() error) { p.closing = append(p.closing, stop) }

// listen binds the addresses. This comes first, so that the program ends before anything else starts if an address is
// in use.
func (p *Program) listen(ctx context.Context) (err error) {
	if p.Config.AdminListen != "" {
		if p.admin, err = Listen(ctx, settingAdminListen, p.Config.AdminListen); err != nil {
			return err
		}
		p.onClose(p.admin.Close)
	}
	if !p.Serves {
		return nil
	}
	if p.serving, err = Listen(ctx, SettingListen, p.Config.Listen); err != nil {
		return err
	}
	p.serving.Bound(p.Config)
	p.onClose(p.serving.Close)
	return nil
}

// openDatabase opens the database, starting a private server if necessary, and migrates the schema.
func (p *Program) openDatabase(ctx context.Context) (err error) {
	if err := p.Config.MakeSecrets(); err != nil {
		return err
	}
	if p.database, err = openDatabase(ctx, p.Config, p.Log); err != nil {
		return err
	}
	p.onClose(p.database.Close)
	if p.database.server == nil {
		if err := p.database.suitable(ctx); err != nil {
			return err
		}
	}
	if err := p.database.migrate(ctx); err != nil {
		return fmt.Errorf("migrate the database schema: %w", err)
	}
	return nil
}

// openStore opens the connections for requests and takes the process's lease.
func (p *Program) openStore(ctx context.Context) (err error) {
	if p.store, err = OpenStore(p.Config, p.database.Application, p.instrumentation); err != nil {
		return err
	}
	p.onClose(p.store.Close)
	if err := p.suitable(ctx); err != nil {
		return err
	}
	credentials := p.store.Credentials()
	credentials.Start(ctx)
	p.onClose(func() error {
		bounded, cancel := context.WithTimeout(context.WithoutCancel(ctx), flushBound)
		defer cancel()
		credentials.Stop(bounded)
		return nil
	})
	return nil
}

// startDelivery starts the workers and the periodic jobs.
func (p *Program) startDelivery(ctx context.Context) (err error) {
	if !p.Delivers {
		return nil
	}
	if p.migrator, err = p.database.Migrator(); err != nil {
		return err
	}
	p.onClose(p.migrator.Close)
	p.delivery, err = newDelivery(ctx, p.Config, p.database, p.store, p.migrator, p.Log, p.ownAddresses, p.instrumentation)
	if err != nil {
		return err
	}
	p.onClose(p.delivery.close)
	if err := p.delivery.workers.Start(ctx); err != nil {
		return err
	}
	p.onClose(func() error {
		bounded, cancel := context.WithTimeout(context.WithoutCancel(ctx), workersBound)
		defer cancel()
		return p.delivery.workers.Stop(bounded)
	})
	return nil
}

// serve starts serving requests.
func (p *Program) serve(ctx context.Context) error {
	if p.admin != nil {
		p.observeDatabase()
		p.admin.Serve(p.adminHandler(), p.Log)
		p.Log.InfoContext(ctx, "admin listener", "url", p.admin.URL())
	}
	p.repeat(ctx, jobs.Loop{Name: "count lists", Every: foldEvery, Work: untilDone(backgroundBound, p.store.FoldListCounts)})
	if p.serving == nil {
		return nil
	}
	p.repeat(ctx, jobs.Loop{Name: "give memory back", Every: idleEvery, Work: p.idle.once})
	handlers := newHandlers(p.Config, p.store, p.Log, p.ownAddresses, p.instrumentation) //nolint:contextcheck // each request has its own
	p.serving.Serve(p.handler(handlers), p.Log)
	p.onClose(func() error {
		p.grace(ctx)
		handlers.graph.EndStreams()
		return p.serving.Drain(ctx)
	})
	return nil
}

// grace serves requests for a while after readiness has turned false, so that a load balancer sends requests elsewhere
// before the listener closes (LIMIT-13). It does not wait if the program can't continue. A second signal ends the
// process.
func (p *Program) grace(ctx context.Context) {
	wait := p.Config.Grace()
	if wait == 0 {
		return
	}
	p.Log.InfoContext(ctx, "no longer ready; still serving requests", "for", wait)
	timer := time.NewTimer(wait)
	defer timer.Stop()
	select {
	case <-timer.C:
	case <-p.Failed():
	}
}

// ownAddresses returns the addresses of the API's listener, which webhooks must not call.
func (p *Program) ownAddresses() []netip.AddrPort {
	if p.serving == nil {
		return nil
	}
	return p.serving.addresses()
}
