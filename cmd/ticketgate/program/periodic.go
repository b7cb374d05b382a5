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
	// removalBound is the time limit of jobs that delete expired data.
	removalBound = 5 * time.Minute
	// backgroundBound is the time for which one run of background work lasts. cancelBound is the same for canceling
	// deliveries of deleted webhooks.
	backgroundBound = 500 * time.Millisecond
	// foldEvery is the interval at which deltas are added to the counts of lists. Until then, each total adds up the
	// deltas.
	foldEvery   = time.Second
	cancelBound = 5 * time.Second
)

// periodicJobs returns the jobs that run every minute or every hour, each in one of the processes. Their names are
// stored in the database.
func periodicJobs(
	do *graph.Resolver, store *db.Store, migrator *db.Migrator, config *Config, log *slog.Logger,
) []jobs.PeriodicJob {
	return append(minutely(do, store, config.RetrySchedule), hourly(store, migrator, config.Retention, log)...)
}

// minutely returns the jobs that run every minute.
func minutely(do *graph.Resolver, store *db.Store, schedule webhook.RetrySchedule) []jobs.PeriodicJob {
	every := func(name string, work func(context.Context) error) jobs.PeriodicJob {
		return jobs.PeriodicJob{Name: name, Every: time.Minute, Work: work}
	}
	return []jobs.PeriodicJob{
		every("abort_checkouts", uncounted(do.Checkouts.Expire)),
		every("expire_purchase_intents", uncounted(do.PurchaseIntents.ExpireDue)),
		every("cancel_deliveries", untilDone(cancelBound, do.Webhooks.EndDeliveries)),
		every("remove_sessions", do.Sessions.Sweep),
		every("count_attempts", untilDone(backgroundBound, func(ctx context.Context) (int, error) {
			return store.CountEarlierAttempts(ctx, schedule)
		})),
	}
}

// hourly returns the jobs that run every hour: they create the partitions of the coming days and delete expired data.
// Partitions exist a week ahead, so a failed run does no harm.
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
				log.InfoContext(ctx, "expired partitions dropped", "partitions", dropped)
			}
			if err != nil {
				return err // the log still has scans whose claims must be kept
			}
			return store.PurgeClaims(ctx, before)
		})),
		every("remove_idempotent_requests", store.PurgeResponses),
		every("remove_entry_imports", store.SweepEntryImports),
		every("remove_unknown_codes", kept(store.PurgeUnknownCodes)),
		every("remove_device_changes", kept(store.PurgeChanges)),
		every("remove_key_calls", kept(store.PurgeKeyCalls)),
		every("remove_identification_refusals", func(ctx context.Context) error {
			return store.PurgeRefusals(ctx, time.Now().AddDate(0, 0, -sale.RefusalDays))
		}),
	}
}

// uncounted adapts work that returns a count.
func uncounted(work func(context.Context) (int, error)) func(context.Context) error {
	return func(ctx context.Context) error {
		_, err := work(ctx)
		return err
	}
}

// untilDone returns work that calls part until nothing is left or the time limit is reached.
func untilDone(bound time.Duration, part func(context.Context) (int, error)) func(context.Context) error {
	return func(ctx context.Context) error {
		for started := time.Now(); time.Since(started) < bound; {
			if count, err := part(ctx); err != nil || count == 0 {
				return err
			}
		}
		return nil
	}
}
