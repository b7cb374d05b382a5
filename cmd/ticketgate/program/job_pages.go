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

// jobPages serves River's own pages. They are created at the first request, because from then on they count the jobs every
// ten seconds.
type jobPages struct {
	url     string
	log     *slog.Logger
	prefix  string
	metrics *telemetry.Metrics

	mutex   sync.Mutex
	pages   *riverui.Handler
	release func()
}

// ServeHTTP serves the pages, or 503 if they can't be created. The next request tries again.
func (j *jobPages) ServeHTTP(w http.ResponseWriter, r *http.Request) {
	pages, err := j.opened(r.Context())
	if err != nil {
		j.log.ErrorContext(r.Context(), "the pages of the job queue are not available", "error", err)
		http.Error(w, "The pages of the job queue are not available; see the log", http.StatusServiceUnavailable)
		return
	}
	pages.ServeHTTP(w, r)
}

// opened creates the pages once. They outlive the request that created them.
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

// close releases the connections, if there are any.
func (j *jobPages) close() error {
	j.mutex.Lock()
	defer j.mutex.Unlock()
	if j.release != nil {
		j.release()
		j.pages, j.release = nil, nil
	}
	return nil
}
