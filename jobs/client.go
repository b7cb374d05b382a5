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
	// aroundCall is what the line before a call and the statements around it have besides its ten seconds.
	aroundCall = longestInLine + 2*time.Second
	// completedKept is how long a finished job stays for people to look at; attempts are kept in our own tables.
	completedKept = 10 * time.Minute
)

// Store is the database as the worker needs it.
type Store interface {
	// Load reads everything that the next attempts need; deliveries that are gone are left out.
	Load(ctx context.Context, deliveryIDs []string) ([]webhook.Outgoing, error)
	// Record stores attempts and their verdicts, all or none, and answers each in order.
	Record(ctx context.Context, made []webhook.Made) ([]webhook.Recorded, error)
	// Cancel ends a delivery that nobody wants, unless it has moved on since it was loaded.
	Cancel(ctx context.Context, of webhook.Delivery, at time.Time) (webhook.Recorded, error)
	// Overdue lists deliveries whose wake-up should have come before a time.
	Overdue(ctx context.Context, before time.Time, limit int) ([]webhook.WakeUp, error)
}

// Config is what NewWorkers needs.
type Config struct {
	Pool *pgxpool.Pool
	// Listener is past the pooler to which Pool leads; nil if there is none.
	Listener *pgxpool.Pool
	Store    Store
	// HandOvers is the database as the hand-over of invoices needs it.
	HandOvers HandOvers
	// Mails is the database as the job needs it that mails links, and Mailer sends them; nil sends none.
	Mails    AccountMails
	Mailer   Mailer
	Sender   *Sender
	Schedule webhook.RetrySchedule
	Log      *slog.Logger
	Now      func() time.Time
	// Concurrency is how many first attempts, as many retries, and as many attempts by hand run at the same time.
	Concurrency int
	// Middleware wraps each job.
	Middleware []rivertype.Middleware
	// Trace names what a context belongs to, for what is done later because of it; nil is nothing.
	Trace func(ctx context.Context) string
	// Periodic are the periodic jobs of the program. Each process that delivers has the same.
	Periodic []PeriodicJob
}

// DefaultConcurrency leaves room for calls to hundreds of listeners that hang beside those to all others. A worker that
// waits costs little more than its connection.
const DefaultConcurrency = 1000

// trace is Trace, or nothing.
func (c Config) trace(ctx context.Context) string {
	if c.Trace == nil {
		return ""
	}
	return c.Trace(ctx)
}

// Workers make the attempts of this process.
type Workers struct {
	client *river.Client[pgx.Tx]
	upkeep *upkeep
	stop   context.CancelFunc
	// closing ends the patience with a database that is away.
	closing func()
	done    sync.WaitGroup
}

// NewWorkers prepares the workers; Start starts them.
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
		FetchPollInterval:           200 * time.Millisecond,
		JobTimeout:                  jobTimeout,
		SoftStopTimeout:             jobTimeout,
		MaxAttempts:                 maxRuns,
		RetryPolicy:                 runAgain{now: config.Now},
		ErrorHandler:                failures{config.Log},
		PeriodicJobs:                scheduled(jobs),
		Middleware:                  append(slices.Clone(config.Middleware), &held{pool: config.Pool}),
		CompletedJobRetentionPeriod: completedKept,
		ReindexerIndexNames:         []string{}, // needs the owner of the tables, which the application is not
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
	// crowd is the part of the workers that a queue has whose jobs may wait for each other: what is fetched without being
	// attempted soon would only be set aside.
	const crowd = 5
	return map[string]river.QueueConfig{
		laneQueues[webhook.FirstLane]:  {MaxWorkers: concurrency, FetchPollInterval: 100 * time.Millisecond},
		crowdQueue:                     {MaxWorkers: max(1, concurrency/crowd), FetchPollInterval: 100 * time.Millisecond},
		laneQueues[webhook.RetryLane]:  {MaxWorkers: concurrency},
		laneQueues[webhook.ByHandLane]: {MaxWorkers: concurrency},
		handOverQueue:                  {MaxWorkers: concurrency},
		mailQueue:                      {MaxWorkers: mailWorkers},
		periodicQueue:                  {MaxWorkers: periodicWorkers, FetchPollInterval: periodicPoll},
	}
}

// Start begins to work jobs, and returns. Only Stop ends it.
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

// passCompleted passes the one step of a delivery that only River sees.
func (w *Workers) passCompleted() {
	completed, cancel := w.client.Subscribe(river.EventKindJobCompleted)
	defer cancel()
	for event := range completed {
		if event.Job.Queue != periodicQueue {
			killpoint.At(killpoint.JobCompleted)
		}
	}
}

// Stop fetches nothing more and waits until the attempts that run have ended, or for the context.
func (w *Workers) Stop(ctx context.Context) error {
	w.stop()
	w.closing()
	w.done.Wait()
	err := w.client.Stop(ctx)
	if err != nil && ctx.Err() != nil { // attempts that are cut off here run again, with the same id and bytes
		return errors.Join(err, w.client.StopAndCancel(context.WithoutCancel(ctx)))
	}
	return err
}

// runAgain says when a job that failed for a reason of ours runs again: soon, and at most every half minute.
type runAgain struct{ now func() time.Time }

// NextRetry doubles the wait from one second on.
func (r runAgain) NextRetry(job *rivertype.JobRow) time.Time {
	const longest = 5 // 2^5 seconds
	return r.now().Add(time.Second << min(max(len(job.Errors), 0), longest))
}
