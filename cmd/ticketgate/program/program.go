// Package program is the running server as a value with Run and Close. It is the only place that knows every package, and holds
// no rule of the product itself:
//
//   - config.go is the one table of settings; config_values.go reads each, config_load.go all of them together.
//   - database.go finds or starts the database, secrets.go the keys that were not set.
//   - wire.go joins the areas to the store, program.go starts and stops everything.
//   - serving.go, routing.go, probes.go and limiter.go are its HTTP side.
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

// Version is the product's, set by the linker (`make build`).
var Version = "unknown"

// How long a graceful stop waits: for requests, for attempts, for what is left to be written.
const (
	drainBound   = 20 * time.Second
	workersBound = 10 * time.Second
	flushBound   = 5 * time.Second
)

// Program is the running server. Run starts all of it and returns, Close stops it gracefully.
type Program struct {
	Config *Config
	Log    *slog.Logger
	// Serves and Delivers say which halves run in this process: the API, and the workers.
	Serves, Delivers bool

	database *Database
	store    *db.Store
	migrator *db.Migrator
	serving  *HTTPServer
	admin    *HTTPServer
	delivery *delivery
	watch    telemetry.Watch
	idle     giveBack
	stopping atomic.Bool
	// closing undoes what was started, last first.
	closing []func() error
}

// Run starts everything and returns when it is ready. When a part can't be started it stops the others and returns why.
func (p *Program) Run(ctx context.Context) error {
	for _, start := range []func(context.Context) error{
		p.listen, p.startWatch, p.openDatabase, p.openStore, p.startDelivery, p.serve,
	} {
		if err := start(ctx); err != nil {
			return errors.Join(err, p.Close())
		}
	}
	return nil
}

// URL is where the API is served.
func (p *Program) URL() string { return p.serving.URL() }

// AdminURL is where metrics, profiles and the job queue's pages are served; it is empty if they are not.
func (p *Program) AdminURL() string {
	if p.admin == nil {
		return ""
	}
	return p.admin.URL()
}

// Store is the database of the running program.
func (p *Program) Store() *db.Store { return p.store }

// Operations are the operations of every area on the store.
func (p *Program) Operations() *graph.Resolver { return newOperations(p.Config, p.store) }

// Watch is what counts and traces; its zero value does neither.
func (p *Program) Watch() telemetry.Watch { return p.watch }

// Failed is closed, or receives, when the program can't go on: its private PostgreSQL has ended.
func (p *Program) Failed() <-chan struct{} { return p.database.failed() }

// Failure returns why the private PostgreSQL has ended.
func (p *Program) Failure() error { return p.database.server.Err() }

// Close stops in the order in which nothing is lost: no new work, requests to their end, attempts to their end, what
// is left to be written, and then the database.
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

// listen takes the addresses first: one that is in use ends the program before anything else was started.
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
	p.serving.Listener = boundConnections(
		p.serving.Listener, p.Config.HTTPConnections, p.Config.ConnectionsPerAddress, p.Config.TrustedProxies.Contain)
	p.onClose(p.serving.Close)
	return nil
}

// openDatabase starts the private server if there is to be one, and brings the schema up to date.
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
		return fmt.Errorf("bring the database schema up to date: %w", err)
	}
	return nil
}

// openStore opens the connections for requests and takes the process's lease.
func (p *Program) openStore(ctx context.Context) (err error) {
	if p.store, err = OpenStore(p.Config, p.database.Application, p.watch); err != nil {
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

// startDelivery starts the workers, and with them the periodic jobs.
func (p *Program) startDelivery(ctx context.Context) (err error) {
	if !p.Delivers {
		return nil
	}
	if p.migrator, err = p.database.Migrator(); err != nil {
		return err
	}
	p.onClose(p.migrator.Close)
	p.delivery, err = newDelivery(ctx, p.Config, p.database, p.store, p.migrator, p.Log, p.ownAddresses, p.watch)
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

// serve answers from here on.
func (p *Program) serve(ctx context.Context) error {
	if p.admin != nil {
		p.watchDatabase()
		p.admin.Serve(p.adminHandler(), p.Log)
		p.Log.InfoContext(ctx, "admin listener", "url", p.admin.URL())
	}
	p.repeat(ctx, jobs.Loop{Name: "count lists", Every: foldEvery, Work: untilDone(choreBound, p.store.FoldListCounts)})
	if p.serving == nil {
		return nil
	}
	p.repeat(ctx, jobs.Loop{Name: "give memory back", Every: idleEvery, Work: p.idle.once})
	doors := newDoors(p.Config, p.store, p.Log, p.ownAddresses, p.watch) //nolint:contextcheck // each request brings its own
	p.serving.Serve(p.handler(doors), p.Log)
	p.onClose(func() error {
		p.grace(ctx)
		doors.graph.EndStreams()
		bounded, cancel := context.WithTimeout(context.WithoutCancel(ctx), drainBound)
		defer cancel()
		return p.serving.drain(bounded)
	})
	return nil
}

// grace serves on for a while after readiness has turned false, so that a load balancer sends requests elsewhere before the
// listener closes (LIMIT-13). A program that can't go on does not wait, and a second signal ends the process meanwhile.
func (p *Program) grace(ctx context.Context) {
	wait := p.Config.Grace()
	if wait == 0 {
		return
	}
	p.Log.InfoContext(ctx, "not ready any more; requests are still served", "for", wait)
	timer := time.NewTimer(wait)
	defer timer.Stop()
	select {
	case <-timer.C:
	case <-p.Failed():
	}
}

// ownAddresses are what the API listens on: webhooks do not call the service itself.
func (p *Program) ownAddresses() []netip.AddrPort {
	if p.serving == nil {
		return nil
	}
	return p.serving.addresses()
}
