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
	// aroundCall is the time of an attempt beyond the call itself: the wait in line and the statements around the
	// call.
	aroundCall = longestInLine + 2*time.Second
	// lookAgain is how often a queue is polled in case a notification was lost with its connection. Polling is most
	// of what an idle process costs.
	lookAgain = time.Second
	// calmPoll is the polling interval of queues whose jobs may start a few seconds late.
	calmPoll = 5 * time.Second
	// retryPoll is the polling interval of retries. River makes them available up to five seconds early, and sends no
	// notification when they are due.
	retryPoll = 500 * time.Millisecond
	// completedKept is how long finished jobs are kept for inspection. Attempts are kept in Ticketgate's own tables.
	completedKept = 10 * time.Minute
)

// Store is the part of the database that the workers of deliveries use.
type Store interface {
	// Load reads all data for the next attempts. Deliveries that no longer exist are left out.
	Load(ctx context.Context, deliveryIDs []string) ([]webhook.Outgoing, error)
	// Record stores all attempts and their verdicts, or none. The results are in the order of made.
	Record(ctx context.Context, made []webhook.Made) ([]webhook.Recorded, error)
	// Cancel cancels a delivery that is no longer wanted, unless it has moved on since it was loaded.
	Cancel(ctx context.Context, of webhook.Delivery, at time.Time) (webhook.Recorded, error)
	// Overdue lists deliveries whose wake-up was due before the given time.
	Overdue(ctx context.Context, before time.Time, limit int) ([]webhook.WakeUp, error)
}

// Config has the dependencies and settings of NewWorkers.
type Config struct {
	Pool *pgxpool.Pool
	// Listener connects past the pooler that Pool uses; nil if there is no pooler.
	Listener *pgxpool.Pool
	Store    Store
	// HandOvers is the store of invoice hand-overs.
	HandOvers HandOvers
	// Mails is the store of one-time links to be emailed. Mailer sends them; with a nil Mailer none are sent.
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
	// Periodic are the program's periodic jobs, the same in every process that delivers.
	Periodic []PeriodicJob
}

// DefaultConcurrency leaves room for calls to hundreds of unresponsive listeners next to all others. A waiting worker
// costs little more than its connection.
const DefaultConcurrency = 1000

// trace calls Trace, if set.
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
	jobTimeout := config.Sender.timeout() + aroundCall
	stuckAfter, closing := jobTimeout+recordTimeout+beforeRescue, make(chan struct{})
	keeper := keeper{longest: stuckAfter, closing: closing, log: config.Log}
	worker, known := newDeliverWorker(config, keeper), river.NewWorkers()
	river.AddWorker(known, worker)
	river.AddWorker(known, newHandOverWorker(config, keeper, worker.gates))
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
		FetchPollInterval:           lookAgain,
		JobTimeout:                  jobTimeout,
		SoftStopTimeout:             jobTimeout,
		MaxAttempts:                 maxRuns,
		RetryPolicy:                 runAgain{now: config.Now},
		ErrorHandler:                failures{config.Log},
		PeriodicJobs:                scheduled(jobs),
		Middleware:                  append(slices.Clone(config.Middleware), &held{pool: config.Pool}),
		CompletedJobRetentionPeriod: completedKept,
		ReindexerIndexNames:         []string{}, // needs the owner of the tables; the application's role is not
		Logger:                      slog.New(quiet{config.Log.Handler()}),
	})
	if err != nil {
		return nil, err
	}
	worker.aside = newAside(config.Pool, client, worker.gates, config.Log)
	w.client, w.upkeep.client, w.upkeep.aside = client, client, worker.aside
	return w, nil
}

func queues(concurrency int) map[string]river.QueueConfig {
	// crowd is the share of a queue's workers, one in crowd, for jobs that may wait for each other. More fetched jobs
	// than are attempted soon would only be set aside.
	const crowd = 5
	return map[string]river.QueueConfig{
		laneQueues[webhook.FirstLane]:  {MaxWorkers: concurrency},
		crowdQueue:                     {MaxWorkers: max(1, concurrency/crowd), FetchPollInterval: calmPoll},
		laneQueues[webhook.RetryLane]:  {MaxWorkers: concurrency, FetchPollInterval: retryPoll},
		laneQueues[webhook.ByHandLane]: {MaxWorkers: concurrency},
		handOverQueue:                  {MaxWorkers: concurrency},
		mailQueue:                      {MaxWorkers: mailWorkers, FetchPollInterval: calmPoll},
		periodicQueue:                  {MaxWorkers: periodicWorkers, FetchPollInterval: calmPoll},
	}
}

// Start starts working jobs and returns. Only Stop ends the work.
func (w *Workers) Start(ctx context.Context) error {
	ctx = context.WithoutCancel(ctx)
	if err := w.client.Start(ctx); err != nil {
		return err
	}
	ctx, w.stop = context.WithCancel(ctx)
	for _, loop := range w.upkeep.loops() {
		w.done.Go(func() { loop.Run(ctx, w.upkeep.log) })
	}
	w.done.Go(func() { w.upkeep.aside.run(ctx) })
	if killpoint.Armed {
		go w.passCompleted()
	}
	return nil
}

// passCompleted marks the step job-completed, which only River sees.
func (w *Workers) passCompleted() {
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
	if err != nil && ctx.Err() != nil { // attempts that were interrupted run again, with the same id and bytes
		return errors.Join(err, w.client.StopAndCancel(context.WithoutCancel(ctx)))
	}
	return err
}

// runAgain schedules the next run of a job that failed because of the server: soon, and at least every 32 seconds.
type runAgain struct{ now func() time.Time }

// NextRetry doubles the wait, starting at one second.
func (r runAgain) NextRetry(job *rivertype.JobRow) time.Time {
	const longest = 5 // 2^5 seconds
	return r.now().Add(time.Second << min(max(len(job.Errors), 0), longest))
}
