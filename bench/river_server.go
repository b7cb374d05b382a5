package main

import (
	"context"
	"encoding/json"
	"errors"
	"fmt"
	"io"
	"net"
	"net/http"
	"os"
	"os/signal"
	"runtime/debug"
	"strconv"
	"strings"
	"syscall"
	"time"

	"github.com/jackc/pgx/v5"
	"github.com/jackc/pgx/v5/pgxpool"
	"github.com/riverqueue/river"

	"ticketgate/db/embedded"
)

const (
	// riverMode is the argument that makes this program run as a minimal River program.
	riverMode = "river"
	// riverListener is the environment variable with the URL that jobs post to.
	riverListener = "BENCH_LISTENER_URL"
	// ofRiver is the name of the River program as a baseline.
	ofRiver = "a minimal River program"
)

// publisher is a minimal River program that publishes events. A call inserts a job for each event in its body, and each
// job makes one POST. It does not record attempts.
type publisher struct {
	pool   *pgxpool.Pool
	client *river.Client[pgx.Tx]
}

// runRiver prints the server's URL, as the product does, and serves until a signal arrives.
func runRiver() error {
	ctx, stop := signal.NotifyContext(context.Background(), syscall.SIGINT, syscall.SIGTERM)
	defer stop()
	debug.SetGCPercent(400) // as in the product
	client, pool, end, err := startRiver(ctx, os.Getenv(bareDatabase), posting(os.Getenv(riverListener)))
	if err != nil {
		return err
	}
	defer end()
	return serveUntil(ctx, publisher{pool, client})
}

// posting returns a function that posts the body of a job to a listener, on keep-alive connections.
func posting(url string) func(context.Context, bareJob) error {
	transport := &http.Transport{MaxIdleConnsPerHost: riverWorkers}
	calls := &http.Client{Transport: transport}
	return func(ctx context.Context, job bareJob) error {
		body := strings.NewReader(job.Body)
		request, err := http.NewRequestWithContext(ctx, http.MethodPost, url, body) //nolint:gosec // our own listener
		if err != nil {
			return err
		}
		answer, err := calls.Do(request) //nolint:gosec // as above
		if err != nil {
			return err
		}
		_, err = io.Copy(io.Discard, answer.Body)
		return errors.Join(err, answer.Body.Close())
	}
}

// serveUntil serves on a free port until ctx is done, and prints the URL.
func serveUntil(ctx context.Context, handler http.Handler) error {
	listener, err := (&net.ListenConfig{}).Listen(ctx, "tcp", "127.0.0.1:0")
	if err != nil {
		return err
	}
	server := &http.Server{Handler: handler, ReadHeaderTimeout: time.Minute}
	context.AfterFunc(ctx, func() { _ = server.Close() })
	if err := json.NewEncoder(os.Stdout).Encode(map[string]string{"url": "http://" + listener.Addr().String()}); err != nil {
		return err
	}
	if err := server.Serve(listener); !errors.Is(err, http.ErrServerClosed) {
		return err
	}
	return nil
}

// ServeHTTP inserts a job for each event of a POST and returns their number. For a GET, it queries the database.
func (p publisher) ServeHTTP(w http.ResponseWriter, r *http.Request) {
	if r.Method == http.MethodGet {
		var item int
		if err := p.pool.QueryRow(r.Context(), "SELECT 1").Scan(&item); err != nil {
			http.Error(w, err.Error(), http.StatusInternalServerError)
		}
		return
	}
	var events []json.RawMessage
	if err := json.NewDecoder(r.Body).Decode(&events); err != nil {
		http.Error(w, err.Error(), http.StatusBadRequest)
		return
	}
	now := time.Now()
	jobs := make([]river.InsertManyParams, len(events))
	for i, event := range events {
		body := fmt.Sprintf(`{"id":%q,"data":%s}`, newBareID(now), event)
		jobs[i] = river.InsertManyParams{Args: bareJob{body}, InsertOpts: &river.InsertOpts{Queue: riverQueue}}
	}
	var err error
	if len(jobs) == 1 {
		_, err = p.client.Insert(r.Context(), jobs[0].Args, jobs[0].InsertOpts)
	} else {
		_, err = p.client.InsertManyFast(r.Context(), jobs)
	}
	if err != nil {
		http.Error(w, err.Error(), http.StatusInternalServerError)
		return
	}
	_, _ = io.WriteString(w, `{"published":`+strconv.Itoa(len(jobs))+"}\n")
}

// riverPublishing starts the River program, which posts to a listener of its own, and returns a load that publishes
// perCall events per call.
func (r *rig) riverPublishing(ctx context.Context, perCall int) (*publishing, error) {
	self, err := os.Executable()
	if err != nil {
		return nil, err
	}
	v := r.newReceiver()
	p, err := r.ready(r.start(ctx, []string{
		bareDatabase + "=" + r.database(embedded.ApplicationRole), riverListener + "=" + v.url,
	}, self, riverMode))
	if err != nil {
		return nil, err
	}
	as := api{p.url, http.Header{}}
	p.settle = settling(as, as.request(http.MethodGet, "/", nil))
	events := make([]any, perCall)
	for i := range events {
		events[i] = transaction()
	}
	request := as.request(http.MethodPost, "/", events)
	return &publishing{p, v, load{
		address: as.address(), connections: connections,
		request: func(int) []byte { return request }, accept: wants(http.StatusOK),
	}, perCall}, nil
}
