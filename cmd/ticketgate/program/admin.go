package program

import (
	"context"
	"fmt"
	"net"
	"net/http"
	"net/http/pprof"
	"net/netip"
	"time"

	"ticketgate/cmd/ticketgate/telemetry"
	"ticketgate/jobs"
)

// startInstrumentation enables metrics if an admin address is set, and traces if a collector is set.
func (p *Program) startInstrumentation(ctx context.Context) (err error) {
	if p.admin != nil {
		p.instrumentation.Metrics = telemetry.NewMetrics(Version, p.Log, time.Now)
	}
	if p.Config.OTLPEndpoint == "" {
		return nil
	}
	if p.instrumentation.Traces, err = telemetry.NewTraces(ctx, p.Config.OTLPEndpoint, Version, p.Log); err != nil {
		return fmt.Errorf("%s: %w", settingOTLPEndpoint, err)
	}
	p.onClose(func() error {
		bounded, cancel := context.WithTimeout(context.WithoutCancel(ctx), flushBound)
		defer cancel()
		if err := p.instrumentation.Traces.Stop(bounded); err != nil { // an unreachable collector is not a failure of this program
			p.Log.WarnContext(bounded, "the last spans were not sent", "error", err)
		}
		return nil
	})
	return nil
}

// observeDatabase adds metrics of the connection pools and of the pending deliveries.
func (p *Program) observeDatabase() {
	metrics, readings := p.instrumentation.Metrics, telemetry.Readings{Backlog: p.store.Backlog}
	metrics.Pool(telemetry.PoolRequests, p.store.Stats)
	metrics.Pool(telemetry.PoolLongWork, p.store.LongStats)
	if p.Delivers {
		metrics.Pool(telemetry.PoolUpkeep, p.migrator.Stats)
		metrics.Pool(telemetry.PoolAttempts, p.store.AttemptsStats)
		metrics.RiverPool(telemetry.PoolJobs, p.delivery.pool)
		readings.Jobs = func(ctx context.Context) ([]jobs.Depth, error) { return jobs.Depths(ctx, p.delivery.pool) }
	}
	metrics.Backlog(readings)
}

// jobPagesPath is the path of River's web pages.
const jobPagesPath = "/jobs"

// adminHandler serves metrics, River's web pages and profiles. It has no authentication and therefore must listen only
// on a loopback address.
func (p *Program) adminHandler() http.Handler {
	mux, pages := http.NewServeMux(), &jobPages{
		url: p.database.Session(), log: p.Log, prefix: jobPagesPath, metrics: p.instrumentation.Metrics,
	}
	p.onClose(pages.close)
	mux.Handle(jobPagesPath+"/", pages)
	mux.Handle("GET /metrics", p.instrumentation.Metrics.Handler())
	mux.HandleFunc("GET /debug/pprof/", pprof.Index)
	mux.HandleFunc("GET /debug/pprof/cmdline", pprof.Cmdline)
	mux.HandleFunc("GET /debug/pprof/profile", pprof.Profile)
	mux.HandleFunc("GET /debug/pprof/symbol", pprof.Symbol)
	mux.HandleFunc("GET /debug/pprof/trace", pprof.Trace)
	return fromHere(mux)
}

// fromHere refuses requests that a web page could make through a browser on this machine: requests with a host name
// that resolves to a loopback address, and changes from another origin (OPS-4).
func fromHere(next http.Handler) http.Handler {
	changes := http.NewCrossOriginProtection().Handler(next)
	return http.HandlerFunc(func(w http.ResponseWriter, r *http.Request) {
		if !namesLoopback(r.Host) {
			http.Error(w, "Use the host name localhost or a loopback address", http.StatusForbidden)
			return
		}
		w.Header().Set("X-Content-Type-Options", "nosniff")
		w.Header().Set("Content-Security-Policy", "frame-ancestors 'none'")
		w.Header().Set("Cache-Control", "no-store")
		changes.ServeHTTP(w, r)
	})
}

// namesLoopback reports whether the Host of a request can only mean this machine.
func namesLoopback(host string) bool {
	if name, _, err := net.SplitHostPort(host); err == nil {
		host = name
	}
	if host == "localhost" {
		return true
	}
	address, err := netip.ParseAddr(host)
	return err == nil && address.IsLoopback()
}
