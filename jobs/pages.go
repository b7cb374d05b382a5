package jobs

import (
	"context"
	"log/slog"

	"github.com/jackc/pgx/v5"
	"github.com/jackc/pgx/v5/pgxpool"
	"github.com/riverqueue/river"
	"github.com/riverqueue/river/riverdriver/riverpgxv5"
)

// NewPages is what River's own pages ask: a client that works nothing, but may cancel jobs, wake them up and pause
// queues. Its connections are its own, so that it never holds up those who work; whoever has it closes them. The URL does not
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
