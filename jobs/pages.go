package jobs

import (
	"context"
	"log/slog"

	"github.com/jackc/pgx/v5"
	"github.com/jackc/pgx/v5/pgxpool"
	"github.com/riverqueue/river"
	"github.com/riverqueue/river/riverdriver/riverpgxv5"
)

// NewPages returns a client for River's web pages. It runs no jobs, but can cancel them, make them available and pause
// queues. It has its own connections, so that it never delays the workers. The caller must close them. url must not
// lead to a pooler.
func NewPages(ctx context.Context, url string, log *slog.Logger) (*river.Client[pgx.Tx], *pgxpool.Pool, error) {
	pool, err := NewPool(ctx, url, nil)
	if err != nil {
		return nil, nil, err
	}
	client, err := river.NewClient(riverpgxv5.New(pool), &river.Config{
		FetchCooldown: fetchCooldown, Logger: slog.New(quiet{log.Handler()}),
	})
	if err != nil {
		pool.Close()
		return nil, nil, err
	}
	return client, pool, nil
}
