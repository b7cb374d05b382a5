package jobs

import (
	"context"
	"errors"
	"log/slog"
	"slices"
	"sync"
	"time"

	"github.com/jackc/pgx/v5"
	"github.com/jackc/pgx/v5/pgxpool"
	"github.com/riverqueue/river"
	"github.com/riverqueue/river/rivertype"

	"ticketgate/domain/webhook"
	"ticketgate/jobs/killpoint"
)

const (
	// callOverhead is the time that a job may take in addition to the call: the wait for a slot of the listener, and the
	// statements before and after the call.
	callOverhead = maxWait + 2*time.Second
	// fetchPoll is the polling interval of queues, in case a notification was lost with its connection. Polling is most
	// of the load of an idle process.
	fetchPoll = time.Second
	// calmPoll is the polling interval of queues whose jobs may start a few seconds late.
	calmPoll = 5 * time.Second
	// retryPoll is the polling interval for retries. River makes them available up to five seconds early and sends no
	// notification when they are due.
	retryPoll = 500 * time.Millisecond
	// completedKept is how long finished jobs are kept for inspection. Attempts are kept in Ticketgate's own tables.
	completedKept = 10 * time.Minute
)

// Store is the part of the database that deliveries need.
type Store interface {
	// Load reads all data for the next attempts. Deliveries that no longer exist are left out.
	Load(ctx context.Context, deliveryIDs []string) ([]webhook.Outgoing, error)
	// Record stores all attempts and their verdicts, or none. It returns one result per attempt, in the same order.
	Record(ctx context.Context, endedAttempts []webhook.EndedAttempt) ([]webhook.Recorded, error)
	// Cancel cancels an unwanted delivery, unless it has changed since it was loaded.
	Cancel(ctx context.Context, of webhook.Delivery, at time.Time) (webhook.Recorded, error)
	// Overdue lists deliveries that were due before the given time.
	Overdue(ctx context.Context, before time.Time, limit int) ([]webhook.Job, error)
}

// Config has the dependencies and settings of NewWorkers.
type Config struct {
	Pool *pgxpool.Pool
	// Listener connects past the pooler that Pool uses. It is nil if there is no pooler.
	Listener *pgxpool.Pool
	Store    Store
	// HandOvers is the store of invoice hand-overs.
	HandOvers HandOvers
	// Mails is the store of one-time links to be emailed. Mailer sends them. With a nil Mailer none are sent.
	Mails    AccountMails
	Mailer   Mailer
	Sender   *Sender
	Schedule webhook.RetrySchedule
	Log      *slog.Logger
	Now      func() time.Time
	// Concurrency is the number of workers for first attempts. Retries and manual attempts have as many each.
	Concurrency int
	// Middleware wraps each job.
	Middleware []rivertype.Middleware
	// Trace returns the trace of a context, which jobs enqueued from it link to. It may be nil.
	Trace func(ctx context.Context) string
	// Periodic are the program's periodic jobs. They are the same in every process that delivers.
	Periodic []PeriodicJob
}

// DefaultConcurrency leaves room for calls to hundreds of unresponsive listeners at the same time as all others. A
// waiting worker costs little more than its connection.
const DefaultConcurrency = 1000

// trace returns the trace of ctx, or an empty string if Trace is nil.
func (c Config) trace(ctx context.Context) string {
	if c.Trace == nil {
		return ""
	}
	return c.Trace(ctx)
}

// Workers make the delivery attempts of this process.
type Workers struct {
	client *river.Client[pgx.Tx]
	upkeep *upkeep
	stop   context.CancelFunc
	// closing stops the retries of records while the database is unavailable.
	closing func()
	done    sync.WaitGroup
}

// NewWorkers returns workers that do not run until Start is called.
func NewWorkers(config Config) (*Workers, error) {
	if config.Concurrency == 0 {
		config.Concurrency = DefaultConcurrency
	}
	jobTimeout := config.Sender.timeout() + callOverhead
	stuckAfter, closing := jobTimeout+recordTimeout+beforeRescue, make(chan struct{})
	recorder := recorder{maxAge: stuckAfter, closing: closing, log: config.Log}
	worker, known := newDeliverWorker(config, recorder), river.NewWorkers()
	river.AddWorker(known, worker)
	river.AddWorker(known, newHandOverWorker(config, recorder, worker.limiters))
	river.AddWorker(known, &mailLinkWorker{store: config.Mails, mailer: config.Mailer, now: config.Now})
	w := &Workers{
		upkeep: &upkeep{
			pool: config.Pool, store: config.Store, handOvers: config.HandOvers, log: config.Log, now: config.Now,
			stuckAfter: map[string]time.Duration{},
		},
		stop:    func() {},
		closing: sync.OnceFunc(func() { close(closing) }),
	}
	sweep := PeriodicJob{Name: "sweep_deliveries", Every: sweepEvery, Work: w.upkeep.sweep}
	jobs := append(slices.Clone(config.Periodic), sweep)
	periodic := newPeriodicWorker(config.Pool, config.Now, jobs)
	river.AddWorker(known, periodic)
	for _, queue := range queueNames() {
		w.upkeep.stuckAfter[queue] = stuckAfter
	}
	w.upkeep.stuckAfter[periodicQueue] = max(stuckAfter, periodic.longest()+recordTimeout+beforeRescue)
	client, err := river.NewClient(config.driver(), &river.Config{
		Queues:                      queues(config.Concurrency),
		Workers:                     known,
		FetchCooldown:               fetchCooldown,
		FetchPollInterval:           fetchPoll,
		JobTimeout:                  jobTimeout,
		SoftStopTimeout:             jobTimeout,
		MaxAttempts:                 maxRuns,
		RetryPolicy:                 retryPolicy{now: config.Now},
		ErrorHandler:                failures{config.Log},
		PeriodicJobs:                scheduled(jobs),
		Middleware:                  append(slices.Clone(config.Middleware), &ownership{pool: config.Pool}),
		CompletedJobRetentionPeriod: completedKept,
		ReindexerIndexNames:         []string{}, // requires ownership of the tables, which the application's role does not have
		Logger:                      slog.New(quiet{config.Log.Handler()}),
	})
	if err != nil {
		return nil, err
	}
	worker.overflow = newOverflow(config.Pool, client, worker.limiters, config.Log)
	w.client, w.upkeep.client, w.upkeep.overflow = client, client, worker.overflow
	return w, nil
}

func queues(concurrency int) map[string]river.QueueConfig {
	// share is the divisor of a queue's workers for jobs that may delay each other. With more workers, jobs would be
	// fetched only to be set aside.
	const share = 5
	return map[string]river.QueueConfig{
		riverQueues[webhook.FirstQueue]:  {MaxWorkers: concurrency},
		bulkQueue:                        {MaxWorkers: max(1, concurrency/share), FetchPollInterval: calmPoll},
		riverQueues[webhook.RetryQueue]:  {MaxWorkers: concurrency, FetchPollInterval: retryPoll},
		riverQueues[webhook.ManualQueue]: {MaxWorkers: concurrency},
		handOverQueue:                    {MaxWorkers: concurrency},
		mailQueue:                        {MaxWorkers: mailWorkers, FetchPollInterval: calmPoll},
		periodicQueue:                    {MaxWorkers: periodicWorkers, FetchPollInterval: calmPoll},
	}
}

// Start starts the workers and returns. They run until Stop is called, even if ctx is canceled.
func (w *Workers) Start(ctx context.Context) error {
	ctx = context.WithoutCancel(ctx)
	if err := w.client.Start(ctx); err != nil {
		return err
	}
	ctx, w.stop = context.WithCancel(ctx)
	for _, loop := range w.upkeep.loops() {
		w.done.Go(func() { loop.Run(ctx, w.upkeep.log) })
	}
	w.done.Go(func() { w.upkeep.overflow.run(ctx) })
	if killpoint.Armed {
		go w.markCompleted()
	}
	return nil
}

// markCompleted passes the kill point JobCompleted for each completed job. Only River knows when that is.
func (w *Workers) markCompleted() {
	completed, cancel := w.client.Subscribe(river.EventKindJobCompleted)
	defer cancel()
	for event := range completed {
		if event.Job.Queue != periodicQueue {
			killpoint.At(killpoint.JobCompleted)
		}
	}
}

// Stop stops fetching jobs and waits until running attempts have ended, or ctx is done.
func (w *Workers) Stop(ctx context.Context) error {
	w.stop()
	w.closing()
	w.done.Wait()
	err := w.client.Stop(ctx)
	if err != nil && ctx.Err() != nil { // interrupted attempts are repeated with the same id and bytes
		return errors.Join(err, w.client.StopAndCancel(context.WithoutCancel(ctx)))
	}
	return err
}

// retryPolicy is River's retry policy for jobs that failed because of the server.
type retryPolicy struct{ now func() time.Time }

// NextRetry returns the time of the next run. The wait starts at one second and doubles up to 32 seconds.
func (r retryPolicy) NextRetry(job *rivertype.JobRow) time.Time {
	const longest = 5 // 2^5 seconds
	return r.now().Add(time.Second << min(max(len(job.Errors), 0), longest))
}
