package program

import (
	"context"
	"log/slog"
	"net/http"
	"sync"

	"riverqueue.com/riverui"

	"ticketgate/cmd/ticketgate/telemetry"
	"ticketgate/jobs"
)

// jobPages serves River's web pages. They are created by the first request, because they count the jobs every ten
// seconds from then on.
type jobPages struct {
	url     string
	log     *slog.Logger
	prefix  string
	metrics *telemetry.Metrics

	mutex   sync.Mutex
	pages   *riverui.Handler
	release func()
}

// ServeHTTP serves the pages. If they can't be created, it responds with 503, and the next request tries again.
func (j *jobPages) ServeHTTP(w http.ResponseWriter, r *http.Request) {
	pages, err := j.opened(r.Context())
	if err != nil {
		j.log.ErrorContext(r.Context(), "the pages of the job queue are not available", "error", err)
		http.Error(w, "The pages of the job queue are not available; see the log", http.StatusServiceUnavailable)
		return
	}
	pages.ServeHTTP(w, r)
}

// opened returns the pages. It creates them once, with a lifetime that does not depend on ctx.
func (j *jobPages) opened(ctx context.Context) (*riverui.Handler, error) {
	j.mutex.Lock()
	defer j.mutex.Unlock()
	if j.pages != nil {
		return j.pages, nil
	}
	ctx, cancel := context.WithCancel(context.WithoutCancel(ctx))
	client, pool, err := jobs.NewPages(ctx, j.url, j.log)
	if err != nil {
		cancel()
		return nil, err
	}
	release := func() {
		cancel()
		pool.Close()
	}
	pages, err := riverui.NewHandler(&riverui.HandlerOpts{
		Endpoints: riverui.NewEndpoints(client, nil), Logger: j.log, Prefix: j.prefix,
	})
	if err == nil {
		err = pages.Start(ctx)
	}
	if err != nil {
		release()
		return nil, err
	}
	j.pages, j.release = pages, release
	j.metrics.RiverPool(telemetry.PoolJobPages, pool)
	return pages, nil
}

// close closes the connections of the pages.
func (j *jobPages) close() error {
	j.mutex.Lock()
	defer j.mutex.Unlock()
	if j.release != nil {
		j.release()
		j.pages, j.release = nil, nil
	}
	return nil
}
