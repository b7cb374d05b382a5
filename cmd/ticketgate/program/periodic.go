package program

import (
	"context"
	"log/slog"
	"time"

	"ticketgate/db"
	"ticketgate/domain/sale"
	"ticketgate/domain/webhook"
	"ticketgate/graph"
	"ticketgate/jobs"
)

const (
	// removalBound is how long a job may take that removes what need not be kept any longer.
	removalBound = 5 * time.Minute
	// choreBound is how long work without haste goes on at a time, cancelBound how long the deliveries of deleted webhooks are
	// canceled.
	choreBound = 500 * time.Millisecond
	// foldEvery is how often deltas are added to the counts of lists: until then each total adds them up.
	foldEvery   = time.Second
	cancelBound = 5 * time.Second
)

// periodicJobs are what one of the processes does once a minute or once an hour. Their names are in the database.
func periodicJobs(
	do *graph.Resolver, store *db.Store, migrator *db.Migrator, config *Config, log *slog.Logger,
) []jobs.PeriodicJob {
	return append(minutely(do, store, config.RetrySchedule), hourly(store, migrator, config.Retention, log)...)
}

// minutely are what areas want done from time to time.
func minutely(do *graph.Resolver, store *db.Store, schedule webhook.RetrySchedule) []jobs.PeriodicJob {
	every := func(name string, work func(context.Context) error) jobs.PeriodicJob {
		return jobs.PeriodicJob{Name: name, Every: time.Minute, Work: work}
	}
	return []jobs.PeriodicJob{
		every("abort_checkouts", uncounted(do.Checkouts.Expire)),
		every("expire_purchase_intents", uncounted(do.PurchaseIntents.ExpireDue)),
		every("cancel_deliveries", untilDone(cancelBound, do.Webhooks.EndDeliveries)),
		every("remove_sessions", do.Sessions.Sweep),
		every("count_attempts", untilDone(choreBound, func(ctx context.Context) (int, error) {
			return store.CountEarlierAttempts(ctx, schedule)
		})),
	}
}

// hourly are the upkeep of the database: it makes the coming days' partitions and removes what need not be kept any longer.
// Partitions exist a week ahead, so that a failure can wait.
func hourly(store *db.Store, migrator *db.Migrator, retention time.Duration, log *slog.Logger) []jobs.PeriodicJob {
	every := func(name string, work func(context.Context) error) jobs.PeriodicJob {
		return jobs.PeriodicJob{Name: name, Every: time.Hour, Timeout: removalBound, Work: work}
	}
	kept := func(remove func(context.Context, time.Time) error) func(context.Context) error {
		return func(ctx context.Context) error { return remove(ctx, time.Now().Add(-retention)) }
	}
	return []jobs.PeriodicJob{
		every("make_partitions", migrator.EnsurePartitions),
		every("drop_partitions", kept(func(ctx context.Context, before time.Time) error {
			dropped, err := migrator.DropPartitions(ctx, before)
			if dropped > 0 {
				log.InfoContext(ctx, "partitions dropped whose time of keeping is over", "partitions", dropped)
			}
			if err != nil {
				return err // the log still has scans whose claims must stay
			}
			return store.ForgetClaims(ctx, before)
		})),
		every("remove_idempotent_requests", store.ForgetAnswers),
		every("remove_entry_imports", store.SweepEntryImports),
		every("remove_unknown_codes", kept(store.ForgetUnknownCodes)),
		every("remove_device_changes", kept(store.ForgetChanges)),
		every("remove_key_calls", kept(store.ForgetKeyCalls)),
		every("remove_identification_refusals", func(ctx context.Context) error {
			return store.ForgetRefusals(ctx, time.Now().AddDate(0, 0, -sale.RefusalDays))
		}),
	}
}

// uncounted leaves out how much work was done.
func uncounted(work func(context.Context) (int, error)) func(context.Context) error {
	return func(ctx context.Context) error {
		_, err := work(ctx)
		return err
	}
}

// untilDone repeats work that is done in small parts until nothing is left, or until its bound.
func untilDone(bound time.Duration, part func(context.Context) (int, error)) func(context.Context) error {
	return func(ctx context.Context) error {
		for began := time.Now(); time.Since(began) < bound; {
			if count, err := part(ctx); err != nil || count == 0 {
				return err
			}
		}
		return nil
	}
}
