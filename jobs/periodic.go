package jobs

import (
	"context"
	"fmt"
	"time"

	"github.com/jackc/pgx/v5/pgxpool"
	"github.com/riverqueue/river"
	"github.com/riverqueue/river/rivertype"
)

const (
	// periodicQueue is the queue of periodic jobs. Processes of older versions ignore it.
	periodicQueue   = "periodic"
	periodicWorkers = 4
	// periodicTimeout is the default time limit of a run.
	periodicTimeout = 10 * time.Second
	// periodicRetry is the pause after a failed run. The job is discarded after periodicRuns runs. The next period
	// inserts a new one.
	periodicRetry = time.Minute
	periodicRuns  = 60
)

// PeriodicJob is work that runs once per period in one of the processes. Periods follow the UTC clock (JOB-1).
type PeriodicJob struct {
	// Name identifies the job in the database: letters, digits and underscores.
	Name  string
	Every time.Duration
	// Timeout bounds a run. The default is 10 seconds.
	Timeout time.Duration
	Work    func(context.Context) error
}

// periodicArgs identifies a periodic job by name. All periodic jobs have one kind, so that a new one needs only a name.
type periodicArgs struct {
	Name string `json:"name"`
}

const periodicKind = "periodic"

// Kind names the job in the database.
func (periodicArgs) Kind() string { return periodicKind }

// InsertOpts allows at most one pending or running job of each name.
func (periodicArgs) InsertOpts() river.InsertOpts {
	return river.InsertOpts{Queue: periodicQueue, MaxAttempts: periodicRuns, UniqueOpts: river.UniqueOpts{
		ByArgs: true,
		ByState: []rivertype.JobState{
			rivertype.JobStateAvailable, rivertype.JobStatePending, rivertype.JobStateRunning, rivertype.JobStateRetryable,
			rivertype.JobStateScheduled,
		},
	}}
}

// periods is a schedule that follows the clock, so that all leaders agree on it.
type periods time.Duration

// Next returns the start of the next period.
func (p periods) Next(now time.Time) time.Time {
	return now.Truncate(time.Duration(p)).Add(time.Duration(p))
}

// scheduled returns the jobs for River's leader, which inserts each at the start of its period and all when it becomes
// leader.
func scheduled(jobs []PeriodicJob) []*river.PeriodicJob {
	list := make([]*river.PeriodicJob, len(jobs))
	for i, job := range jobs {
		insert := func() (river.JobArgs, *river.InsertOpts) { return periodicArgs{Name: job.Name}, nil }
		list[i] = river.NewPeriodicJob(periods(job.Every), insert, &river.PeriodicJobOpts{ID: job.Name, RunOnStart: true})
	}
	return list
}

// periodicWorker runs periodic jobs. The table periodic_runs records the period of each job's last run, so that a
// change of leader neither skips nor repeats a period. River's uniqueness by period can't ensure that: it ends when
// River removes the completed job.
type periodicWorker struct {
	river.WorkerDefaults[periodicArgs]

	pool *pgxpool.Pool
	jobs map[string]PeriodicJob
	now  func() time.Time
}

func newPeriodicWorker(pool *pgxpool.Pool, now func() time.Time, jobs []PeriodicJob) *periodicWorker {
	w := &periodicWorker{pool: pool, jobs: make(map[string]PeriodicJob, len(jobs)), now: now}
	for _, job := range jobs {
		w.jobs[job.Name] = job
	}
	return w
}

// Work runs the job unless it has already run in this period.
func (w *periodicWorker) Work(ctx context.Context, job *river.Job[periodicArgs]) error {
	periodic, known := w.jobs[job.Args.Name]
	if !known { // a process of another version may have it
		return fmt.Errorf("this version has no periodic job %q", job.Args.Name)
	}
	period := w.period(job.ScheduledAt, periodic.Every)
	if done, err := w.hasRun(ctx, periodic.Name, period); err != nil || done {
		return err
	}
	if err := periodic.Work(ctx); err != nil {
		return fmt.Errorf("%s: %w", periodic.Name, err)
	}
	return w.noteRun(ctx, periodic.Name, period)
}

// period returns the start of the period to which a run belongs. The leader's clock may be ahead of this process's.
func (w *periodicWorker) period(scheduledAt time.Time, every time.Duration) time.Time {
	latest := w.now()
	if scheduledAt.After(latest) {
		latest = scheduledAt
	}
	return latest.UTC().Truncate(every)
}

// hasRun reports whether a job has run in exactly this period. Later periods, recorded by a process whose clock was
// wrong, are ignored.
func (w *periodicWorker) hasRun(ctx context.Context, name string, period time.Time) (done bool, err error) {
	const query = "SELECT EXISTS (SELECT FROM periodic_runs WHERE name = $1 AND period = $2)"
	err = w.pool.QueryRow(ctx, query, name, period).Scan(&done)
	return done, err
}

func (w *periodicWorker) noteRun(ctx context.Context, name string, period time.Time) error {
	_, err := w.pool.Exec(ctx, `INSERT INTO periodic_runs (name, period, ended_at) VALUES ($1, $2, now())
		ON CONFLICT (name) DO UPDATE SET period = excluded.period, ended_at = excluded.ended_at`, name, period)
	return err
}

// Timeout returns the time limit of a run.
func (w *periodicWorker) Timeout(job *river.Job[periodicArgs]) time.Duration {
	return w.jobs[job.Args.Name].timeout()
}

// NextRetry returns the time of the next run of a failed job.
func (w *periodicWorker) NextRetry(*river.Job[periodicArgs]) time.Time {
	return w.now().Add(periodicRetry)
}

func (j PeriodicJob) timeout() time.Duration {
	if j.Timeout == 0 {
		return periodicTimeout
	}
	return j.Timeout
}

// longest returns the largest time limit of all periodic jobs.
func (w *periodicWorker) longest() time.Duration {
	longest := periodicTimeout
	for _, job := range w.jobs {
		longest = max(longest, job.timeout())
	}
	return longest
}
