package program

import (
	"context"
	"log/slog"

	"ticketgate/cmd/ticketgate/platform"
	"ticketgate/cmd/ticketgate/telemetry"
	"ticketgate/graph"
)

// WithOperations migrates the schema and then calls act as the platform, on the configured database. A server may be
// running on it or not.
func WithOperations(
	ctx context.Context, config *Config, log *slog.Logger, act func(context.Context, *graph.Resolver) error,
) error {
	if err := config.MakeSecretKey(); err != nil {
		return err
	}
	database, err := JoinDatabase(ctx, config, log)
	if err != nil {
		return err
	}
	defer func() { _ = database.Close() }() //nolint:contextcheck // stopping has a time limit of its own
	store, err := OpenStore(config, database.Application, telemetry.Instrumentation{})
	if err != nil {
		return err
	}
	defer func() { _ = store.Close() }()
	if current, err := store.Migrated(ctx); err != nil || !current {
		if err := database.migrate(ctx); err != nil {
			return err
		}
	}
	return act(platform.Context(ctx), newOperations(config, store))
}
